#include "validation/crosscheck/mpm/judge.h"

#include "reference/interface/methods/mpm.h"
#include "validation/crosscheck/mpm/exercised.h"
#include "validation/crosscheck/mpm/stage_bounds.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/strain.h"

#include <algorithm>
#include <array>

namespace repose::crosscheck {

namespace {

/// Where a name stands in the order in which a mistake spreads. What probes of a solve tell is seen before the answer.
std::size_t rank(std::string_view name) {
  constexpr std::array probed{impulse_field, impulse_change_field, residual_field};
  const auto place = static_cast<std::size_t>(std::find(probed.begin(), probed.end(), name) - probed.begin());
  const std::size_t answer = method::rank(method::mpm, field::p_star);
  if (place < probed.size()) return answer + place;
  const std::size_t own = method::rank(method::mpm, name);
  return own < answer ? own : own + probed.size();
}

/// The strain ½ ln(F Fᵀ) for F, which forgets the rotation that no isotropic law sees; the values themselves else.
Meaning meaning(const Field& values, int dim) {
  if (values.name != field::F && values.name != field::F_trial) return {values.value, ""};
  Meaning result{std::vector<double>(values.value.size()), "compared as ½ ln(F Fᵀ)"};
  const auto d = static_cast<std::size_t>(dim);
  for (std::size_t p = 0; p * d * d < result.value.size(); ++p) {
    const Tensor eps = strain(tensor(values, p, dim), dim).log;
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = 0; b < d; ++b)
        result.value[(p * d + a) * d + b] = eps(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
  }
  return result;
}

std::vector<Isolated> isolated(std::span<const Boundary> boundaries, const Snapshot& start, double dt) {
  if (std::find(boundaries.begin(), boundaries.end(), boundary::p2g) != boundaries.end()) return {};
  Snapshot at_rest = start;
  for (const std::string_view name : {field::v, field::C})
    for (double& value : at_rest.get(name).value) value = 0.0;
  return {{start, 0.0}, {std::move(at_rest), dt}};
}

std::vector<Ties> ties(const Counters& counters) {
  const auto of = [&](std::string_view name) {
    const auto found = counters.find(name);
    return found == counters.end() ? 0.0 : found->second;
  };
  const double plastic = of("inside") + of("tip") + of("surface");
  const double contacts = of("undecided contact");
  const double frictions = of("undecided friction");
  // A strain that is rounding and no more means the same in every case: it is not what a case is about.
  return {{"plastic cases", of("undecided plastic case") - of("undecided for want of strain"), plastic},
          {"hardenings at the tip", of("undecided hardening"), of("tip")},
          {"contacts", contacts, of("contacts") + contacts},
          {"frictions", frictions, of("sticking") + of("sliding") + frictions}};
}

/// Newton and GMRES iterations follow from tolerances: they are equal only for equal bits.
std::vector<CountRule> counts() {
  std::vector<CountRule> rules(method::mpm.counters.size());
  rules[counter::inside] = {true, false, "undecided plastic case", "inside"};
  rules[counter::tip] = {true, false, "undecided plastic case", "tip"};
  rules[counter::surface] = {true, false, "undecided plastic case", "surface"};
  rules[counter::contacts] = {true, false, "undecided contact", ""};
  rules[counter::sticking] = {true, false, "undecided friction", ""};
  rules[counter::sliding] = {true, false, "undecided friction", ""};
  rules[counter::massless].none_is_none = true;
  rules[counter::massless].exercised = "massless forces";
  return rules;
}

}  // namespace

const Judge& mpm_judge() {
  static const Judge judge{
      .method = method::mpm,
      .counts = counts(),
      .computed = stage_bounds,
      .stored = stored_bound,
      .absent = absent_node_bound,
      .meaning = meaning,
      .solved = judge_implicit_stage,
      .exercised = count_exercised,
      .rank = rank,
      .isolated = isolated,
      .may_lack = Judge::MayLack{field::p_i, boundary::p2g},
      .own_count = Judge::OwnCount{counter::active_nodes, Place::node, {boundary::p2g, boundary::forces}},
      .cuts = counter::step_cuts,
      .choices = {{field::plastic_case, "plastic cases that differ"}},
      .ties = ties,
      .told = {{"undecided plastic case", "ties of plastic cases"},
               {"undecided for want of strain", "of them without any strain"},
               {"plastic cases that differ", "taken differently"},
               {"undecided hardening", "ties of hardening at the tip"},
               {"undecided contact", "ties of contacts"},
               {"undecided friction", "ties of frictions"}}};
  return judge;
}

}  // namespace repose::crosscheck
