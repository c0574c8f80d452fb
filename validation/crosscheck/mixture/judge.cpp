#include "validation/crosscheck/mixture/judge.h"

#include "reference/interface/methods/mixture.h"
#include "validation/crosscheck/mixture/coupled_stage.h"
#include "validation/crosscheck/mixture/coupling_bounds.h"
#include "validation/crosscheck/mixture/part_stage.h"
#include "validation/crosscheck/mpm/exercised.h"
#include "validation/crosscheck/mpm/judge.h"
#include "validation/crosscheck/mpm/stage_bounds.h"

#include <algorithm>
#include <array>

namespace repose::crosscheck {

namespace {

using mixture::Phase;

FieldBound& bound_of(std::vector<FieldBound>& all, const std::string& name, const Snapshot& state) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const FieldBound& one) { return one.field == name; });
  if (found != all.end()) return *found;
  return all.emplace_back(FieldBound{name, std::vector<Bound>(state.get(name).value.size())});
}

/// Bounds of a phase's fields at the places of its members.
void put(std::vector<FieldBound>& all, const std::vector<FieldBound>& own, const PartStage& part,
         const Snapshot& state) {
  for (const FieldBound& one : own) {
    const method::FieldRow& row = method::field_row(method::mpm, one.field);
    FieldBound& whole = bound_of(all, mixture::name_in_mixture(one.field, part.phase(), state.at), state);
    const auto& elements = part.after().of(row.place);
    const auto k = static_cast<std::size_t>(method::components(row, part.scene().dim()));
    for (std::size_t n = 0; n < elements.size(); ++n)
      for (std::size_t a = 0; a < k; ++a) whole.bound.at(elements[n] * k + a) = one.bound.at(n * k + a);
  }
}

/// Bounds of a phase's node fields at nodes at which the reference has the other phase alone.
void put_absent(std::vector<FieldBound>& all, const std::vector<FieldBound>& own, const PartStage& part,
                const Stage& stage) {
  const auto& there = part.after().nodes;
  for (const FieldBound& one : own) {
    const method::FieldRow& row = method::field_row(method::mpm, one.field);
    if (row.place != Place::node) continue;
    FieldBound& whole =
        bound_of(all, mixture::name_in_mixture(one.field, part.phase(), stage.after.at), stage.after);
    const auto k = static_cast<std::size_t>(method::components(row, part.scene().dim()));
    for (std::size_t n = 0; n < stage.after.count(Place::node); ++n) {
      if (std::binary_search(there.begin(), there.end(), n)) continue;
      const std::vector<Bound> bound =
          absent_node_bound(part.scene(), stage.arithmetic, stage.dt, part.state_before(),
                            stage.after.ids(Place::node)[n], one.field);
      for (std::size_t a = 0; a < k; ++a) whole.bound.at(n * k + a) = bound.at(a);
    }
  }
}

void add(Bound& to, const Bound& other) {
  to.rounding += other.rounding;
  to.position += other.position;
  to.underflow += other.underflow;
  to.carried += other.carried;
  to.tie += other.tie;
}

/// The term stands in both momenta, which it joins with one rounding more.
void add_reversible(std::vector<FieldBound>& all, const Stage& stage, const PartStage& water) {
  const FieldBound term = reversible_bound(stage, water);
  const Field& R = stage.after.get(field::reversible);
  for (const std::string_view name : {field::p_star, field::p_star_w}) {
    FieldBound& star = bound_of(all, std::string(name), stage.after);
    for (std::size_t i = 0; i < star.bound.size(); ++i) {
      add(star.bound[i], term.bound[i]);
      star.bound[i].rounding += stage.arithmetic.g(2.0) * std::abs(R.value[i]);
    }
  }
  all.push_back(term);
}

FieldBound stored(const Scene& scene, const Arithmetic& arithmetic, const Field& field) {
  FieldBound result = stored_bound(scene, arithmetic, field);
  if (field.name == field::x_n)
    for (Bound& bound : result.bound) bound.position = arithmetic.position;
  return result;
}

std::vector<FieldBound> computed(const Stage& stage, Counters& counters) {
  if (stage.after.at == boundary::drag) return drag_bounds(stage);
  if (stage.after.at == boundary::saturation) return saturation_bounds(stage, counters);
  std::vector<FieldBound> all;
  for (const Phase phase : mixture::phases) {
    const PartStage part(stage, phase);
    Counters counted;
    const std::vector<FieldBound> own = stage_bounds(part.stage(), counted);
    count_phase(phase, counted, counters);
    put(all, own, part, stage.after);
    const bool from_particles = stage.after.at == boundary::p2g || stage.after.at == boundary::forces;
    if (from_particles) put_absent(all, own, part, stage);
    if (phase == Phase::water && stage.after.at == boundary::forces) add_reversible(all, stage, part);
  }
  if (stage.after.at == boundary::update)
    all.push_back(stored(stage.scene, stage.arithmetic, stage.after.get(field::x_n)));
  return all;
}

std::vector<Bound> absent(const Scene& scene, const Arithmetic& arithmetic, double dt, const Snapshot& state,
                          std::int64_t id, std::string_view name) {
  if (name == field::phi_i) return {Bound{}};  // one phase alone at most
  const bool of_water = name.ends_with("_w") || name == field::reversible;
  const PartState part(state, scene, of_water ? Phase::water : Phase::solid);
  const bool is_mass = name == field::m_i || name == field::m_i_w;
  const bool is_first = name == field::p_i || name == field::p_i_w;
  const std::string_view own = is_mass ? field::m_i : is_first ? field::p_i : field::p_star;
  return absent_node_bound(part.scene, arithmetic, dt, part.state, id, own);
}

void exercised(const Stage& stage, Counters& counters) {
  count_coupling(stage, counters);
  if (stage.after.at == boundary::drag || stage.after.at == boundary::saturation) return;
  for (const Phase phase : mixture::phases) {
    const PartStage part(stage, phase);
    Counters own;
    count_exercised(part.stage(), own);
    count_phase(phase, own, counters);
  }
}

std::vector<Ties> ties(const Counters& counters) {
  std::vector<Ties> all = mpm_judge().ties(counters);
  const auto of = [&](std::string_view name) {
    const auto found = counters.find(name);
    return found == counters.end() ? 0.0 : found->second;
  };
  all.push_back({"wet nodes", of("undecided wet node"), of("nodes of both")});
  return all;
}

std::vector<CountRule> counts() {
  std::vector<CountRule> rules(method::mixture.counters.size());
  for (std::size_t row = 0; row <= counter::massless; ++row) rules[row] = mpm_judge().counts[row];
  // Solves count as those of mpm: their iterations follow from tolerances.
  rules[counter::wet_nodes] = {true, false, "undecided wet node", ""};
  return rules;
}

/// Where a name stands in the order in which a mistake spreads. What probes of a solve tell is seen before the answer.
std::size_t rank(std::string_view name) {
  constexpr std::array probed{impulse_field, impulse_change_field, drag_impulse_field, residual_field};
  const std::size_t answer = method::rank(method::mixture, field::reversible);
  for (std::size_t n = 0; n < probed.size(); ++n)
    if (name == probed[n] || name == of_water(probed[n])) return answer + 2 * n + (name == probed[n] ? 0 : 1);
  const std::size_t own = method::rank(method::mixture, name);
  return own < answer ? own : own + 2 * probed.size();
}

}  // namespace

const Judge& mixture_judge() {
  static const Judge judge = [] {
    const Judge& of_mpm = mpm_judge();
    std::vector<std::pair<std::string_view, std::string_view>> told = of_mpm.told;
    told.emplace_back("undecided wet node", "ties of wet nodes");
    return Judge{
        .method = method::mixture,
        .counts = counts(),
        .computed = computed,
        .stored = stored,
        .absent = absent,
        .meaning = of_mpm.meaning,
        .solved = judge_coupled_stage,
        .exercised = exercised,
        .rank = rank,
        .own_count = Judge::OwnCount{counter::active_nodes, Place::node, {boundary::p2g, boundary::forces}},
        .cuts = counter::step_cuts,
        .choices = of_mpm.choices,
        .ties = ties,
        .told = told};
  }();
  return judge;
}

}  // namespace repose::crosscheck
