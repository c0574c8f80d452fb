#include "validation/crosscheck/mixture/part_stage.h"

#include "reference/interface/methods/mixture.h"

#include <stdexcept>
#include <string>

namespace repose::crosscheck {

using mixture::Members;
using mixture::Phase;

void give_each_its_cohesion(Scene& scene, Snapshot& part, const std::vector<double>& c_C) {
  std::vector<Material> own;
  std::vector<double>& index = part.get(field::material).value;
  for (std::size_t p = 0; p < index.size(); ++p) {
    own.push_back(scene.materials.at(static_cast<std::size_t>(index[p])));
    own.back().cohesion = c_C.at(p);
    index[p] = static_cast<double>(p);
  }
  scene.materials = std::move(own);
}

PartState::PartState(const Snapshot& whole, const Scene& of, Phase phase)
    : scene(mixture::scene_of_part(of, phase)),
      members(mixture::members(whole, of, phase)),
      state(part_of(whole, members, phase)) {
  if (phase == Phase::solid)
    give_each_its_cohesion(scene, state, mixture::picked(whole.get(field::c_C).value, 1, members.particles));
}

void count_phase(Phase phase, const Counters& own, Counters& all) {
  const std::string of = phase == Phase::water ? "water: " : "sand: ";
  for (const auto& [name, count] : own) {
    all[name] += count;
    all[of + name] += count;
  }
}

/// A solver's sums of one phase, by the names that mpm has for its fields.
class PartStage::OwnSums final : public Solver {
 public:
  OwnSums(const Stage& whole, Phase phase, const Members& members)
      : whole_(whole), phase_(phase), members_(members) {}

  Sums sums(std::string_view name) const override {
    const std::string field = mixture::name_in_mixture(name, phase_, whole_.after.at);
    const Sums all = whole_.reference.sums(field);
    const auto& elements = members_.of(method::field_row(method::mpm, name).place);
    const int components = method::components(method::field_row(method::mpm, name), whole_.scene.dim());
    Sums result{mixture::picked(all.magnitude, components, elements),
                mixture::picked(all.slope, components, elements),
                {}};
    for (const std::size_t e : elements) result.terms.push_back(all.terms.at(e));
    return result;
  }

  std::string_view name() const override { return whole_.reference.name(); }
  Rounding rounding() const override { return whole_.reference.rounding(); }
  std::span<const Boundary> boundaries() const override { no(); }
  void load(const Snapshot&) override { no(); }
  void append(const Snapshot&) override { no(); }
  Snapshot save(Boundary, bool) const override { no(); }
  StepReport run(Boundary, Boundary, double) override { no(); }
  StepReport advance(const std::function<double(double)>&) override { no(); }
  double time() const override { return whole_.reference.time(); }
  std::int64_t steps() const override { return whole_.reference.steps(); }
  std::size_t particles() const override { return members_.particles.size(); }

 private:
  [[noreturn]] static void no() { throw std::logic_error("a phase's sums take no steps"); }

  const Stage& whole_;
  Phase phase_;
  const Members& members_;
};

PartStage::PartStage(const Stage& whole, Phase phase)
    : whole_(whole),
      phase_(phase),
      before_members_(members(whole.before, whole.scene, phase)),
      after_members_(members(whole.after, whole.scene, phase)),
      scene_(mixture::scene_of_part(whole.scene, phase)),
      before_(part_of(whole.before, before_members_, phase)),
      after_(part_of(whole.after, after_members_, phase)),
      sums_(std::make_unique<OwnSums>(whole, phase, after_members_)) {
  for (const Field& field : before_.fields) {
    const auto found = whole.carried.find(mixture::name_in_mixture(field.name, phase, whole.before.at));
    if (found != whole.carried.end())
      carried_[field.name] =
          mixture::picked(found->second, field.components, before_members_.of(field.place));
  }
  if (phase != Phase::solid) return;
  const auto c_C = mixture::picked(whole.before.get(field::c_C).value, 1, before_members_.particles);
  Scene again = scene_;
  give_each_its_cohesion(again, after_, c_C);
  give_each_its_cohesion(scene_, before_, c_C);
}

PartStage::~PartStage() = default;

Stage PartStage::stage() const {
  return {.scene = scene_,
          .arithmetic = whole_.arithmetic,
          .dt = whole_.dt,
          .before = before_,
          .after = after_,
          .reference = *sums_,
          .carried = carried_};
}

}  // namespace repose::crosscheck
