#include "experiments/tampubolon2017/fig10_pile_unilateral/judge.h"

#include "experiments/figures/judging.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr const char* cohesion_caption =
    "Tampubolon 2017, Figure 10 and §5.1: semi-implicit steps with the regular energy cohere, the less the "
    "smaller Δt; with the "
    "unilateral one they do not";
/// Of the pressure below the block, from rounding in float.
constexpr double no_tension = 1e-6;
/// How names of runs end whose sand has the density that Table 2 prints.
constexpr const char* printed_density = "_printed_density";

bool is_lagged_hencky(const CollapseRun& run) {
  return run.chosen.integrator == Integrator::semi_implicit && run.chosen.energy == Energy::hencky;
}

/// The claim is of the semi-implicit runs that the paper shows, with the density of erratum T35.
bool is_shown(const CollapseCase& chosen) {
  return chosen.integrator == Integrator::semi_implicit && !chosen.density &&
         (chosen.energy == Energy::hencky || chosen.max_dt > 5e-3);
}

/// Explicit runs of as dense sand, beside which a run is judged.
std::string explicit_beside(const CollapseRun& run) {
  return std::string("explicit") + (run.chosen.density ? printed_density : "");
}

Number judge_tension(const CollapseRun& run) {
  const double value = mean_tension(run);
  const bool coheres = is_lagged_hencky(run);
  return {.name = "tension_" + run.chosen.name,
          .value = value,
          .unit = "1",
          .expected = fmt::format("{} {}", coheres ? ">" : "≤", "10⁻⁶"),
          .kind = is_shown(run.chosen) ? Kind::paper_claim
                  : run.chosen.density ? Kind::measured
                                       : Kind::closed_form,
          .source = cohesion_caption,
          .verdict = pass_if_finite(value, coheres ? value > no_tension : value <= no_tension),
          .note = fmt::format(
              "mean tensile stress of the grains in a step, over ρ g L of the block; mean over {} "
              "looks, mean Δt {:.3g} s, mean c Δt/h {:.3g}",
              run.looks.size(), mean_dt(run), courant_of(run.scene, mean_dt(run)))};
}

/// The share that one step takes of the speed at which a lone grain parts from its nodes.
Number judge_parting(const LoneGrain& grain) {
  const bool lagged = grain.chosen.integrator == Integrator::semi_implicit;
  const double due = lagged && grain.chosen.energy == Energy::hencky ? grain.lagged : 0.0;
  return {.name = "parting_speed_taken_" + grain.chosen.name,
          .value = grain.taken,
          .unit = "1",
          .expected = fmt::format("{:.5g} ± 0.001", due),
          .kind = Kind::closed_form,
          .source = "erratum T44",
          .verdict = pass_if_finite(grain.taken, std::abs(grain.taken - due) <= 1e-3),
          .note = fmt::format(
              "of a lone grain on a node, parting along both axes, in one step, Δt {:g} s, c Δt/h {:.3g}",
              grain.chosen.max_dt, grain.courant),
          .of_claim = is_shown(grain.chosen)};
}

/// Shear that the sand bears in a step, over what its cone allows under the same pressure.
Number judge_friction(const CollapseRun& run) {
  const double value = mean_friction(run);
  return {.name = "friction_in_a_step_" + run.chosen.name,
          .value = value,
          .unit = "1",
          .expected = "≤ 1.001",
          .kind = Kind::closed_form,
          .source = "the yield condition [Tam17 Eq.6]",
          .verdict = pass_if_finite(value, value <= 1.0 + 1e-3),
          .note = fmt::format("Σ V⁰ ‖dev τ‖ over α Σ V⁰ |tr τ| of the stress that acts; mean over {} looks",
                              run.looks.size())};
}

Number judge_clumps(const CollapseRun& run, const CollapseRun& by_explicit) {
  const int here = clumps(run, run.shots.size() - 1),
            there = clumps(by_explicit, by_explicit.shots.size() - 1);
  return {.name = "clumps_" + run.chosen.name,
          .value = static_cast<double>(here),
          .unit = "1",
          .expected = fmt::format("≤ {}", there),
          .kind = Kind::measured,
          .source = "the explicit run",
          .verdict = run.failure || by_explicit.failure ? Verdict::undecided : pass_if(here <= there),
          .note =
              "at the end: sets of cells that hold a particle, joined by their faces, with no fewer "
              "particles than four "
              "full cells"};
}

Number judge_distance(const CollapseRun& run, const CollapseRun& by_explicit, double seeds) {
  const double value = displaced_share(by_explicit, run);
  const bool coheres = is_lagged_hencky(run);
  return {.name = "profile_distance_" + run.chosen.name,
          .value = value,
          .unit = "1",
          .expected = fmt::format("{} {:.2g}", coheres ? ">" : "≤", seeds),
          .kind = is_shown(run.chosen) ? Kind::paper_claim : Kind::measured,
          .source = cohesion_caption,
          .verdict = pass_if_finite(value * seeds, coheres ? value > seeds : value <= seeds),
          .note = fmt::format(
              "share of {} particles that lie in other columns, two cells wide, than in the explicit run "
              "at the end; the bound is the same of explicit runs with other seeds",
              run.volume.size())};
}

Number judge_order(std::string name, const CollapseRun& less, const CollapseRun& more,
                   const CollapseRun& by_explicit, std::string_view note) {
  const double value = displaced_share(by_explicit, more) - displaced_share(by_explicit, less);
  return {.name = std::move(name),
          .value = value,
          .unit = "1",
          .expected = "> 0",
          .kind = Kind::paper_claim,
          .source = cohesion_caption,
          .verdict = pass_if_finite(value, value > 0.0),
          .note = fmt::format("{}; shares of {} particles", note, less.volume.size())};
}

}  // namespace

Number spread_lost(const CollapseRun& run, const CollapseRun& other, std::string_view than, Kind kind,
                   std::string source) {
  const double here = spread(run), there = spread(other);
  const double value = 1.0 - here / there, bound = 0.5 * run.scene.grid.h / there;
  const bool coheres = is_lagged_hencky(run);
  return {.name = "spread_lost_" + run.chosen.name,
          .value = value,
          .unit = "1",
          .expected = fmt::format("{} {:.2g}", coheres ? ">" : "≤", bound),
          .kind = kind,
          .source = std::move(source),
          .verdict = pass_if_finite(value, coheres ? value > bound : value <= bound),
          .note = fmt::format("mean distance of the sand from the middle at the end, {:.4g} m, less than {}, "
                              "{:.4g} m; the bound is half a cell",
                              here, than, there)};
}

Number runs_ended_early(const std::vector<CollapseRun>& runs, bool dense) {
  int ended = 0;
  std::string how;
  for (const CollapseRun& run : runs) {
    if (!run.failure || run.chosen.density.has_value() != dense) continue;
    ++ended;
    how += fmt::format("{}{} at {:.3g} s: {}", how.empty() ? "" : "; ", run.label, run.summary.end_time,
                       *run.failure);
  }
  return {.name = std::string("runs_ended_early") + (dense ? printed_density : ""),
          .value = static_cast<double>(ended),
          .unit = "1",
          .expected = "0",
          .kind = dense ? Kind::measured : Kind::sanity,
          .source = "the paper shows all of them",
          .verdict = pass_if(ended == 0),
          .note = how};
}

CollapseSetup cohesion_setup(Preset preset) {
  CollapseSetup setup{.scene = "tampubolon2017/fig10_pile_unilateral/fig10_pile_unilateral.toml",
                      .spacing = 0.015,
                      .duration = 0.6};
  if (preset == Preset::smoke) setup.spacing = 0.03;
  if (preset == Preset::smoke) setup.duration = 0.4;
  if (preset == Preset::paper) setup.spacing = 2.5e-3;
  return setup;
}

std::vector<CollapseCase> cohesion_cases(Preset preset) {
  std::vector<CollapseCase> cases;
  for (std::uint64_t seed = 1; seed <= (preset == Preset::paper ? 2U : 3U); ++seed)
    cases.push_back({.name = "explicit", .seed = seed});
  cases.push_back({.name = "explicit_unilateral", .energy = Energy::unilateral});
  cases.push_back({.name = "regular_1e_2", .integrator = Integrator::semi_implicit, .max_dt = 1e-2});
  cases.push_back({.name = "regular_1e_3", .integrator = Integrator::semi_implicit, .max_dt = 1e-3});
  for (const double dt : {1e-2, 1e-3})
    cases.push_back({.name = dt > 5e-3 ? "unilateral_1e_2" : "unilateral_1e_3",
                     .integrator = Integrator::semi_implicit,
                     .energy = Energy::unilateral,
                     .max_dt = dt});
  // The four of the caption once more, and another seed of the explicit run.
  constexpr double dense = 2e4;
  const auto add = [&](std::string name, CollapseCase one) {
    one.name = std::move(name) + printed_density;
    one.density = dense;
    cases.push_back(std::move(one));
  };
  for (const std::uint64_t seed : {1U, 2U}) add("explicit", {.seed = seed});
  add("regular_1e_2", {.integrator = Integrator::semi_implicit, .max_dt = 1e-2});
  add("regular_1e_3", {.integrator = Integrator::semi_implicit, .max_dt = 1e-3});
  add("unilateral_1e_2",
      {.integrator = Integrator::semi_implicit, .energy = Energy::unilateral, .max_dt = 1e-2});
  return cases;
}

std::vector<LoneGrain> lone_grains(const std::vector<CollapseRun>& runs, const FigureRequest& request) {
  std::vector<LoneGrain> grains;
  for (const CollapseRun& run : runs)
    if (run.chosen.seed == 1)
      grains.push_back({.chosen = run.chosen,
                        .courant = courant_of(run.scene, run.chosen.max_dt),
                        .taken = parting_speed_taken(run.scene, request, run.chosen.max_dt),
                        .lagged = lagged_share(run.scene, run.chosen.max_dt)});
  return grains;
}

std::vector<Number> judge_cohesion(const std::vector<CollapseRun>& runs, const std::vector<LoneGrain>& lone,
                                   Preset preset) {
  std::vector<Number> numbers;
  const CollapseRun* reference = named(runs, "explicit");
  if (reference == nullptr) return numbers;
  const auto add = [&](Number number) {
    if (preset == Preset::smoke && number.kind == Kind::paper_claim)
      number = open_here(std::move(number), "nine cells in the block, and not to its end");
    numbers.push_back(std::move(number));
  };
  for (const CollapseRun& run : runs)
    if (run.chosen.seed == 1 && !run.looks.empty()) add(judge_tension(run));
  for (const LoneGrain& grain : lone) add(judge_parting(grain));
  std::vector<std::pair<const CollapseRun*, const CollapseRun*>> pairs;
  for (const CollapseRun& run : runs) {
    if (run.chosen.seed != 1) continue;
    add(judge_friction(run));
    const CollapseRun* const beside = named(runs, explicit_beside(run));
    if (beside != nullptr && beside != &run) pairs.emplace_back(&run, beside);
  }
  for (const auto& [run, beside] : pairs) add(judge_clumps(*run, *beside));
  for (const auto& [run, beside] : pairs)
    add(judge_distance(*run, *beside, seeds_apart(runs, beside->chosen.name)));
  for (const auto& [run, beside] : pairs)
    add(spread_lost(*run, *beside, "that of the explicit run",
                    is_shown(run->chosen) ? Kind::paper_claim : Kind::measured, cohesion_caption));
  for (const bool dense : {false, true}) add(runs_ended_early(runs, dense));
  const CollapseRun *large = named(runs, "regular_1e_2"), *small = named(runs, "regular_1e_3"),
                    *unilateral = named(runs, "unilateral_1e_2");
  if (large != nullptr && small != nullptr)
    add(judge_order("smaller_steps_are_nearer", *small, *large, *reference,
                    "profile distance with the regular energy at Δt 10⁻², less that at 10⁻³"));
  if (large != nullptr && unilateral != nullptr)
    add(judge_order(
        "unilateral_is_nearer_than_regular_1e_2", *unilateral, *large, *reference,
        "profile distance with the regular energy at Δt 10⁻², less that with the unilateral one"));
  if (small != nullptr && unilateral != nullptr)
    add(judge_order(
        "unilateral_is_nearer_than_regular_1e_3", *unilateral, *small, *reference,
        "profile distance with the regular energy at Δt 10⁻³, less that with the unilateral one at 10⁻²"));
  return numbers;
}

}  // namespace repose::experiments::tampubolon2017
