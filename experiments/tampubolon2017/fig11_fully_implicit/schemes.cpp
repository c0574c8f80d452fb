#include "experiments/tampubolon2017/fig11_fully_implicit/schemes.h"

#include "experiments/figures/judging.h"
#include "experiments/tampubolon2017/fig10_pile_unilateral/judge.h"
#include "reference/interface/methods/mpm.h"

#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr const char* scheme_caption =
    "Tampubolon 2017, Figure 11 and §5.1: with the unilateral energy semi-implicit steps approximate fully "
    "implicit ones; with "
    "the regular one they cohere";
constexpr std::string_view whole = "implicit_unilateral";

bool is_lagged(const CollapseRun& run) { return run.chosen.integrator == Integrator::semi_implicit; }

Number judge_from_implicit(const CollapseRun& run, const CollapseRun& by_implicit, double seeds) {
  const double value = displaced_share(by_implicit, run);
  const bool coheres = run.chosen.energy == Energy::hencky;
  const bool claimed = is_lagged(run);
  return {.name = "distance_from_implicit_" + run.chosen.name,
          .value = value,
          .unit = "1",
          .expected = claimed ? fmt::format("{} {:.2g}", coheres ? ">" : "≤", seeds) : "nothing to compare",
          .kind = claimed ? Kind::paper_claim : Kind::measured,
          .source = scheme_caption,
          .verdict = claimed ? pass_if_finite(value * seeds, coheres ? value > seeds : value <= seeds)
                             : Verdict::undecided,
          .note = fmt::format(
              "share of {} particles that lie in other columns, two cells wide, than after fully implicit "
              "steps with the unilateral energy; the bound is the same of such steps with other seeds",
              run.volume.size())};
}

Number judge_nearer(const CollapseRun& unilateral, const CollapseRun& regular,
                    const CollapseRun& by_implicit) {
  const double value = displaced_share(by_implicit, regular) - displaced_share(by_implicit, unilateral);
  return {
      .name = "unilateral_is_nearer_than_regular",
      .value = value,
      .unit = "1",
      .expected = "> 0",
      .kind = Kind::paper_claim,
      .source = scheme_caption,
      .verdict = pass_if_finite(value, value > 0.0),
      .note = fmt::format(
          "distance from implicit with the regular energy, less that with the unilateral one; those two are "
          "{:.3g} from each other; shares of {} particles",
          displaced_share(regular, unilateral), regular.volume.size())};
}

/// In fully implicit steps the stress that acts is within the cone; where it is not, a step holds sand together.
void judge_stress(std::vector<Number>& numbers, const CollapseRun& run) {
  const double friction = mean_friction(run), tension = mean_tension(run);
  const std::string note =
      fmt::format("mean over {} looks, mean Δt {:.3g} s, mean c Δt/h {:.3g}, {} halvings of Δt in {} steps",
                  run.looks.size(), mean_dt(run), courant_of(run.scene, mean_dt(run)),
                  run.summary.total.counts[counter::step_cuts], run.summary.steps);
  numbers.push_back({.name = "tension_" + run.chosen.name,
                     .value = tension,
                     .unit = "1",
                     .expected = "≤ 10⁻⁶",
                     .kind = Kind::closed_form,
                     .source = "dry sand bears none",
                     .verdict = pass_if_finite(tension, tension <= 1e-6),
                     .note = "of the stress that acts in a step, over ρ g L; " + note});
  numbers.push_back({.name = "friction_in_a_step_" + run.chosen.name,
                     .value = friction,
                     .unit = "1",
                     .expected = "≤ 1.001",
                     .kind = Kind::closed_form,
                     .source = "the yield condition [Tam17 Eq.6]",
                     .verdict = pass_if_finite(friction, friction <= 1.0 + 1e-3),
                     .note = "Σ V⁰ ‖dev τ‖ over α Σ V⁰ |tr τ|; " + note});
}

}  // namespace

CollapseSetup scheme_setup(Preset preset) {
  CollapseSetup setup{.scene = "tampubolon2017/fig11_fully_implicit/fig11_fully_implicit.toml",
                      .spacing = 0.01,
                      .duration = 0.5};
  if (preset == Preset::smoke) setup.spacing = 0.02;
  if (preset == Preset::smoke) setup.duration = 0.3;
  if (preset == Preset::paper) setup.spacing = 4e-3;
  return setup;
}

std::vector<CollapseCase> scheme_cases() {
  std::vector<CollapseCase> cases;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    cases.push_back({.name = std::string(whole),
                     .integrator = Integrator::implicit_,
                     .energy = Energy::unilateral,
                     .max_dt = 1e-3,
                     .seed = seed});
  cases.push_back({.name = "semi_implicit_unilateral",
                   .integrator = Integrator::semi_implicit,
                   .energy = Energy::unilateral,
                   .max_dt = 1e-3});
  cases.push_back({.name = "semi_implicit_regular", .integrator = Integrator::semi_implicit, .max_dt = 1e-3});
  cases.push_back({.name = "explicit_unilateral", .energy = Energy::unilateral});
  cases.push_back({.name = "explicit_regular"});
  return cases;
}

std::vector<Number> judge_schemes(const std::vector<CollapseRun>& runs, Preset preset) {
  std::vector<Number> numbers;
  const CollapseRun* by_implicit = named(runs, whole);
  if (by_implicit == nullptr) return numbers;
  const double seeds = seeds_apart(runs, whole);
  for (const CollapseRun& run : runs)
    if (run.chosen.name != whole) numbers.push_back(judge_from_implicit(run, *by_implicit, seeds));
  const CollapseRun *unilateral = named(runs, "semi_implicit_unilateral"),
                    *regular = named(runs, "semi_implicit_regular");
  if (unilateral != nullptr && regular != nullptr)
    numbers.push_back(judge_nearer(*unilateral, *regular, *by_implicit));
  for (const CollapseRun& run : runs)
    if (is_lagged(run))
      numbers.push_back(
          spread_lost(run, *by_implicit, "after fully implicit steps", Kind::paper_claim, scheme_caption));
  for (Number& number : numbers)
    if (preset == Preset::smoke && number.decides_claim())
      number = open_here(std::move(number), "ten cells in the block, and not to its end");
  for (const CollapseRun& run : runs)
    if (run.chosen.seed == 1) judge_stress(numbers, run);
  numbers.push_back(runs_ended_early(runs, false));
  return numbers;
}

}  // namespace repose::experiments::tampubolon2017
