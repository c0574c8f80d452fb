#include "experiments/tampubolon2017/fig04_dam_2d/reversible.h"

#include "experiments/figures/judging.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr const char* said =
    "Tampubolon 2017, §5.3 and Figure 4: the reversible term has only a subtle effect on the bulk dynamics";
constexpr double subtle = 0.1;  // what is read as subtle, chosen before any run [-]
constexpr std::string_view plain = "without", by_mass = "mass", by_volume = "volume",
                           printed = "printed_drag";

std::string at(double spacing) { return "h_" + word(fmt::format("{:.3g}", 1e3 * spacing)) + "mm"; }

const DamRun* one_of(const std::vector<DamRun>& runs, std::string_view name, double spacing,
                     std::uint64_t seed = 1) {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const DamRun& run) {
    return run.chosen.name == name && run.chosen.spacing == spacing && run.chosen.seed == seed;
  });
  return found == runs.end() || found->frames.empty() ? nullptr : &*found;
}

/// A difference of two runs that the paper calls subtle.
Number judge_subtle(std::string name, double value, std::string note) {
  return {.name = std::move(name),
          .value = value,
          .unit = "1",
          .expected = fmt::format("≤ {:g}", subtle),
          .kind = Kind::paper_claim,
          .source = said,
          .verdict = pass_if_finite(value, value <= subtle),
          .note = std::move(note)};
}

/// How far a front has come from where its species began.
double advance(const DamRun& run, std::size_t species) {
  return run.frames.back().front[species] - run.frames.front().front[species];
}

void judge_term(std::vector<Number>& numbers, const DamRun& with, const DamRun& without, const DamRun* seed) {
  const std::string of = fmt::format("{}_{}", with.chosen.name, at(with.chosen.spacing));
  for (const std::size_t species : {of_sand, of_water}) {
    const Elsewhere here = elsewhere(without, with, species);
    numbers.push_back(judge_subtle(
        fmt::format("{}_elsewhere_{}", species_name[species], of), here.mean,
        fmt::format("share of it that lies in other columns, a tenth of a metre wide, than without the term; "
                    "mean over {} frames, at most {:.3g}; another seed without the term {:.3g}",
                    with.frames.size(), here.most,
                    seed == nullptr ? not_a_number : elsewhere(without, *seed, species).mean)));
    const double moved = advance(with, species), plainly = advance(without, species);
    numbers.push_back(judge_subtle(
        fmt::format("front_of_{}_{}", species_name[species], of), std::abs(moved / plainly - 1.0),
        fmt::format("where all but 2 % of it end, relative to how far it came without the term: {:.4g} m "
                    "with, {:.4g} m without, {:.4g} m from another seed",
                    with.frames.back().front[species], without.frames.back().front[species],
                    seed == nullptr ? not_a_number : seed->frames.back().front[species])));
  }
  const double mixed = with.frames.back().mixed, plainly = without.frames.back().mixed;
  numbers.push_back(judge_subtle(
      "mixing_" + of, std::abs(mixed - plainly),
      fmt::format(
          "Σ min(V_s, V_w) over cells a tenth of a metre wide, of the sand's volume, at the end: {:.4g} "
          "with, {:.4g} without, {:.4g} from another seed",
          mixed, plainly, seed == nullptr ? not_a_number : seed->frames.back().mixed)));
}

/// Without a claim: what the sand's cohesion comes to, and what the printed drag does instead.
void tell_more(std::vector<Number>& numbers, const DamRun& without, const DamRun* by_masses) {
  const std::string of = at(without.chosen.spacing);
  const double first = without.frames.size() > 1 ? without.frames[1].cohesion : not_a_number;
  const double end = without.frames.back().cohesion;
  numbers.push_back(
      {.name = "cohesion_left_" + of,
       .value = end,
       .unit = "1",
       .expected = fmt::format("< {:.3g}", first),
       .kind = Kind::measured,
       .source = "mean c_C of the sand after the first frame: it falls as the sand becomes wet",
       .verdict = pass_if_finite(end * first, end < first),
       .note =
           "of that of dry sand, 1 less the mean saturation [Tam17 Eq.25]; without the term, at the end"});
  if (by_masses == nullptr) return;
  numbers.push_back(
      {.name = "mixing_by_printed_drag_" + of,
       .value = by_masses->frames.back().mixed,
       .unit = "1",
       .expected = "nothing to compare",
       .kind = Kind::measured,
       .source = "[ERRATA T11]: of a constant c_E half the spacing leaves a quarter of the drag",
       .verdict = Verdict::undecided,
       .note = fmt::format("{:.4g} by volumes; fronts of sand and water {:.4g} and {:.4g} m, by "
                           "volumes {:.4g} and {:.4g} m",
                           without.frames.back().mixed, by_masses->frames.back().front[of_sand],
                           by_masses->frames.back().front[of_water], without.frames.back().front[of_sand],
                           without.frames.back().front[of_water])});
}

}  // namespace

ReversibleSetup reversible_setup(Preset preset) {
  ReversibleSetup setup{.dam = {.scene = "tampubolon2017/fig04_dam_2d/fig04_dam_2d.toml",
                                .duration = 4.0,
                                .frame_rate = 20.0,
                                .look_every = 0.5,
                                .past = 2.6},
                        .spacings = {0.04, 0.02},
                        .printed_drag = true};
  if (preset == Preset::paper) setup.spacings = {0.0125};
  if (preset != Preset::smoke) return setup;
  setup.dam.duration = 1.2;
  setup.spacings = {0.05};
  setup.printed_drag = false;
  return setup;
}

std::vector<DamCase> reversible_cases(const ReversibleSetup& setup) {
  std::vector<DamCase> cases;
  for (const double spacing : setup.spacings) {
    const DamCase usual{.name = std::string(plain), .spacing = spacing, .kappa = 1.57e5, .cohesion = 3000.0};
    cases.push_back(usual);
    for (const auto& [name, share] :
         {std::pair{by_mass, ReversibleTerm::mass}, std::pair{by_volume, ReversibleTerm::volume}}) {
      cases.push_back(usual);
      cases.back().name = name;
      cases.back().reversible = share;
    }
    cases.push_back(usual);
    cases.back().seed = 2;
    if (!setup.printed_drag) continue;
    cases.push_back(usual);
    cases.back().name = printed;
    cases.back().drag = Drag::printed;
    cases.back().printed_at = setup.spacings.front();
  }
  return cases;
}

std::vector<Number> judge_reversible(const ReversibleSetup& setup, const std::vector<DamRun>& runs,
                                     Preset preset) {
  std::vector<Number> numbers;
  for (const double spacing : setup.spacings) {
    const DamRun* without = one_of(runs, plain, spacing);
    if (without == nullptr) continue;
    for (const std::string_view term : {by_mass, by_volume})
      if (const DamRun* with = one_of(runs, term, spacing))
        judge_term(numbers, *with, *without, one_of(runs, plain, spacing, 2));
    tell_more(numbers, *without, one_of(runs, printed, spacing));
  }
  for (Number& number : numbers)
    if (preset == Preset::smoke && number.decides_claim())
      number = open_here(std::move(number), "twelve cells in the dam's width, and a third of the time");
  for (Number& number : judge_balances(runs)) numbers.push_back(std::move(number));
  return numbers;
}

}  // namespace repose::experiments::tampubolon2017
