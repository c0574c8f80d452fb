#include "experiments/bench/mpm/sheared.h"
#include "experiments/bench/table2_blocks.h"
#include "experiments/bench/table2_rows.h"
#include "experiments/tampubolon2017/table2_performance/block.h"
#include "experiments/tampubolon2017/table2_performance/performance.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene_file/scene_file.h"
#include "tests/unit/experiments/number_search.h"
#include "tests/unit/experiments/state_snapshots.h"
#include "validation/solvers.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;
using repose::test::number;
namespace data = boost::unit_test::data;

namespace repose::experiments::tampubolon2017 {

namespace {

constexpr std::size_t row_count = 10;

const Table2Row& row_at(std::size_t index) { return table2_rows()[index]; }

/// Of two frames of 10 and 30 steps, by a tenth of the row's particles.
Table2Timing two_frames(const Table2Row& row) {
  Table2Timing timing;
  timing.row = &row;
  timing.fewer = 10.0;
  timing.scene = table2_scene(row, timing.fewer);
  timing.particles = static_cast<std::size_t>(row.particles / timing.fewer);
  timing.controller_dt = row.dt;
  timing.limited_by = "max_dt";
  timing.step_seconds = {1.0, 2.0};
  timing.processor_seconds = {1.5, 1.5};
  timing.frame_steps = {10, 30};
  timing.steps = 40;
  return timing;
}

FigureRequest with_usual_solver() {
  FigureRequest request;
  request.solver = usual_solver(method::mpm.name);
  return request;
}

std::string printed_table() {
  std::ifstream file(std::string(REPOSE_SOURCE_DIR) + "/data/papers/tampubolon2017.toml");
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Spoilt {
  const char* from;
  const char* to;
  const char* told;
};
std::ostream& operator<<(std::ostream& out, const Spoilt& one) { return out << one.told; }

const std::array spoilt_tables{
    Spoilt{"id = \"table2\"", "id = \"table3\"", "no table2"},
    Spoilt{"scheme = \"explicit\"", "scheme = \"leapfrog\"", "no scheme that is explicit or semi-implicit"},
    Spoilt{"dimensions = 2\n", "dimensions = 4\n", "no dimensions that are 2 or 3"},
    Spoilt{"dt = 5e-4\n", "", "no dt"},
    Spoilt{"dt = 5e-4\n", "dt = \"soon\"\n", "no dt"},
    Spoilt{"particles = 30_000\n", "particles = 0\n", "no particles > 0"},
    Spoilt{"b = \"100 c_C\"", "b = \"100 c_E\"", "no b that is a number or 100 c_C"},
    Spoilt{"water_gamma = 3\n", "", "no water_gamma"},
    Spoilt{"c0 = 1e-2\n", "", "no c0"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(bench_table2_mixture)

BOOST_AUTO_TEST_CASE(rows_are_read_as_printed_in_units_of_thousands) {
  BOOST_REQUIRE(table2_rows().size() == row_count);
  std::set<std::string> names;
  for (const Table2Row& row : table2_rows()) names.insert(row.name);
  BOOST_TEST(names.size() == row_count);
  const Table2Row& hourglass = row_at(0);
  BOOST_TEST(hourglass.name == "2D hourglass fine");
  BOOST_TEST(hourglass.dim == 2);
  BOOST_TEST((hourglass.integrator == Integrator::explicit_));
  BOOST_TEST(hourglass.seconds_per_frame == 0.84);
  BOOST_TEST(hourglass.dt == 5e-4);
  BOOST_TEST(hourglass.particles == 30e3);
  BOOST_TEST(hourglass.h == 3.7e-3);
  BOOST_TEST(hourglass.sand.density == 200.0);
  BOOST_TEST(hourglass.sand.youngs_modulus == 5e3);
  BOOST_TEST(hourglass.sand.poisson_ratio == 0.4);
  BOOST_TEST(!hourglass.water.has_value());
  BOOST_TEST(row_at(2).name == "2D piling explicit");
  BOOST_TEST(row_at(3).name == "2D piling semi-implicit");
  const Table2Row& dam = row_at(9);
  BOOST_TEST(dam.name == "3D dam breach");
  BOOST_TEST(dam.dim == 3);
  BOOST_TEST((dam.integrator == Integrator::semi_implicit));
  BOOST_TEST(dam.particles == 3e6);
  BOOST_REQUIRE(dam.water.has_value());
  BOOST_TEST(dam.water->density == 2000.0);
  BOOST_TEST(dam.water->water_stiffness == 1e5);
  BOOST_TEST(dam.water->water_gamma == 7.0);
}

/// ERRATA T34 has them, from the printed numbers: they pin units, Δt and h of each row.
BOOST_AUTO_TEST_CASE(printed_steps_have_the_courant_numbers_of_the_errata) {
  const std::array<std::pair<std::size_t, double>, 8> known{
      {{0, 0.989}, {1, 0.495}, {2, 0.065}, {4, 13.1}, {5, 2.59}, {6, 0.106}, {7, 1.20}, {8, 1.80}}};
  for (const auto& [index, courant] : known)
    BOOST_TEST(printed_courant(row_at(index)) == courant, boost::test_tools::tolerance(1e-2));
  BOOST_TEST(printed_courant(row_at(9)) == 1.04, boost::test_tools::tolerance(1e-2));
}

/// −3.0 and −3·10⁻³ are one number; −0.1 and 100 c_C are per cent, c_C 0.005/3 along each of three axes.
BOOST_AUTO_TEST_CASE(borders_of_the_unilateral_energy_are_read_as_adopted) {
  for (const std::size_t index : {4U, 5U}) {
    BOOST_REQUIRE(row_at(index).sand.unilateral.has_value());
    const Unilateral& u = *row_at(index).sand.unilateral;
    BOOST_TEST(u.a == -3e-3);
    BOOST_TEST(u.b == 0.0);
    BOOST_TEST(u.c0 == 1e-2);
    BOOST_TEST(u.strain_unit == 1.0);
    BOOST_TEST(!u.s_C.has_value());
  }
  BOOST_REQUIRE(row_at(9).sand.unilateral.has_value());
  const Unilateral& dam = *row_at(9).sand.unilateral;
  BOOST_TEST(dam.a == -0.1);
  BOOST_TEST(dam.strain_unit == 0.01);
  BOOST_TEST(dam.b * dam.strain_unit == 0.005 / 3.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(dam.s_C.value() == 0.0);
  for (const std::size_t index : {0U, 1U, 2U, 3U, 6U, 7U, 8U})
    BOOST_TEST(!row_at(index).sand.unilateral.has_value());
}

BOOST_AUTO_TEST_CASE(only_wet_sand_coheres_and_its_cone_ends_at_the_chosen_strain) {
  for (std::size_t index = 0; index < row_count; ++index) {
    const Table2Row& row = row_at(index);
    const auto tip = tip_before_hardening(row.sand, row.dim);
    BOOST_TEST(tip.has_value() == (index >= 7), row.name);
    if (tip) BOOST_TEST(tip->trace == 0.005, boost::test_tools::tolerance(1e-12));
  }
}

BOOST_DATA_TEST_CASE(tables_that_lack_something_are_refused_in_one_line, data::make(spoilt_tables), spoilt) {
  std::string text = printed_table();
  const std::size_t at = text.find(spoilt.from);
  BOOST_REQUIRE(at != std::string::npos);  // premise
  text.replace(at, std::string(spoilt.from).size(), spoilt.to);
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder / "table.toml";
  std::ofstream(file) << text;
  BOOST_CHECK_EXCEPTION(read_table2(file), BadInput, [&](const BadInput& error) {
    const std::string said = error.what();
    return said.find(spoilt.told) != std::string::npos && said.find(file.string()) != std::string::npos &&
           said.find('\n') == std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_table_that_is_gone_or_no_toml_is_refused) {
  const test::TemporaryFolder folder;
  BOOST_CHECK_THROW(read_table2(folder / "none.toml"), BadInput);
  std::ofstream(folder / "broken.toml") << "[[table]\n";
  BOOST_CHECK_THROW(read_table2(folder / "broken.toml"), BadInput);
}

BOOST_DATA_TEST_CASE(blocks_have_the_rows_numbers_of_each_phase, data::xrange(row_count), index) {
  const Table2Row& row = row_at(index);
  const std::size_t phases = row.water ? 2U : 1U;
  const double fewer = fewer_of(row, table2_scale(Preset::smoke));
  const Scene scene = table2_scene(row, fewer);
  validate(scene);
  BOOST_REQUIRE(scene.materials.size() == phases);
  const CountRange allowed = allowed_count(row, scene);
  BOOST_TEST(allowed.least > 0.75);
  BOOST_TEST(allowed.most < 1.25);
  std::array<double, 2> counted{};
  const Snapshot state = sample(scene);
  for (const double material : state.get(field::material).value)
    counted.at(static_cast<std::size_t>(material)) += 1.0;
  for (std::size_t phase = 0; phase < phases; ++phase) {
    const double share = counted.at(phase) * fewer * static_cast<double>(phases) / row.particles;
    BOOST_TEST(share >= allowed.least * (1.0 - 1e-12));
    BOOST_TEST(share <= allowed.most * (1.0 + 1e-12));
  }
  // At full size bodies have room for the row's own number.
  const Scene full = table2_scene(row, 1.0);
  double room = 0.0;
  for (const Seed& seed : full.seeds) room += volume(seed.shape, row.dim);
  BOOST_TEST(room / std::pow(row.h, row.dim) * row.particles_per_cell == row.particles,
             boost::test_tools::tolerance(1e-9));
}

/// One step of some hundred particles.
BOOST_DATA_TEST_CASE(every_row_takes_steps_of_its_scheme, data::xrange(row_count), index) {
  const Table2Row& row = row_at(index);
  const Table2Timing timing =
      time_row(row, {.fewer = 1e4, .pace = {.steps = 1, .repeat = 1}}, with_usual_solver());
  BOOST_TEST(timing.failure == "");
  BOOST_TEST(timing.steps == 1);
  BOOST_TEST((timing.counts[counter::newton_iterations] > 0) == solves(row.integrator));
  BOOST_TEST(timing.controller_dt > 0.0);
  BOOST_TEST(timing.controller_dt <= row.dt);
  BOOST_TEST(timing.step_seconds.size() == 1U);
}

/// A solve that may take but one iteration of Newton's method fails; with halvings allowed the step that is taken is shorter than
/// the one that was asked for.
BOOST_AUTO_TEST_CASE(failed_solves_shorten_the_step_that_is_told_or_end_the_row) {
  const Table2Row& row = row_at(5);
  Scene scene = table2_scene(row, row.particles / 400.0);
  ImplicitOptions& solve = mpm_options(scene).implicit;
  BOOST_REQUIRE((solve.unconverged == Unconverged::keep));  // premise: as the paper does
  solve.unconverged = Unconverged::cut;
  const auto timed = [&](int iterations, int cuts) {
    solve.newton_iterations = iterations;
    solve.step_cuts = cuts;
    return time_steps(row, scene, sheared(scene), row.particles / 400.0, {.steps = 1, .repeat = 1},
                      usual_solver(method::mpm.name), {});
  };
  const Table2Timing failed = timed(1, 0);
  BOOST_TEST(failed.failure != "");
  BOOST_TEST(failed.step_seconds.empty());
  const Table2Timing cut = timed(2, 20);
  BOOST_REQUIRE(cut.counts[counter::step_cuts] > 0U);  // premise
  BOOST_TEST(cut.failure == "");
  BOOST_TEST(cut.limited_by == "failed solves");
  BOOST_TEST(cut.controller_dt <= 0.5 * row.dt);
  const Table2Timing whole = timed(30, 5);
  BOOST_REQUIRE(whole.counts[counter::step_cuts] == 0U);  // premise
  BOOST_TEST(whole.limited_by == "max_dt");
  BOOST_TEST(whole.controller_dt == row.dt);
}

/// The fine hourglass's Δt is beyond what explicit steps bear: c Δt/h is held at 0.5.
BOOST_AUTO_TEST_CASE(whole_frames_end_on_time_in_steps_that_are_stable) {
  const Table2Row& row = row_at(0);
  BOOST_REQUIRE(printed_courant(row) > 0.5);  // premise
  std::int64_t frames = 0;
  double time = 0.0;
  const double fewer = row.particles / 400.0;
  const Scene scene = table2_scene(row, fewer);
  const Table2Timing timing = time_steps(row, scene, sample(scene), fewer, {.frames = 2},
                                         usual_solver(method::mpm.name), {}, [&](const Table2Progress& at) {
                                           frames = at.frame;
                                           time = at.time;
                                         });
  BOOST_TEST(frames == 2);
  BOOST_TEST(time == 2.0 / frames_per_second, boost::test_tools::tolerance(1e-12));
  BOOST_REQUIRE(timing.frame_steps.size() == 2U);
  BOOST_TEST(timing.frame_steps[0] + timing.frame_steps[1] == timing.steps);
  const double least = printed_courant(row) / 0.5 * 1.0 / (frames_per_second * row.dt);
  for (const std::int64_t steps : timing.frame_steps) {
    BOOST_TEST(static_cast<double>(steps) >= least);
    BOOST_TEST(static_cast<double>(steps) <= least + 3.0);
  }
}

/// (10 · 1 s + 30 · 2 s)/2 per frame of a tenth of the particles; of processor time (10 + 30) · 1.5 s/2.
BOOST_AUTO_TEST_CASE(frames_that_were_run_are_not_counted_by_their_printed_steps) {
  const Table2Timing timing = two_frames(row_at(0));
  const Extrapolated ours = extrapolate(timing, 2);
  BOOST_TEST(ours.frame == 350.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(ours.steps_per_frame == 20.0);
  BOOST_TEST(ours.processor_frame == 300.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(ours.ns == 1e9 * 2 * 1.5 / 3000.0, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(ours.processor_ns == 1e9 * 1.5 / 3000.0, boost::test_tools::tolerance(1e-12));
}

/// 84 steps of 5·10⁻⁴ s cover 1/24 s.
BOOST_AUTO_TEST_CASE(times_stand_beside_the_papers_without_a_verdict) {
  const Table2Row& row = row_at(0);
  const std::vector<Table2Timing> timings{two_frames(row)};
  const auto numbers = judge_table2(timings, 2);
  BOOST_TEST(number(numbers, "2D_hourglass_fine_time_per_frame").value == 350.0,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(number(numbers, "2D_hourglass_fine_cores_for_the_papers_time_per_frame").value == 300.0 / 0.84,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(number(numbers, "2D_hourglass_fine_time_per_particle_step").value == 1e9 * 1.5 / 3000.0,
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(paper_ns_per_particle_step(row) == 1e9 * 0.84 / 84.0 / 30e3,
             boost::test_tools::tolerance(1e-12));
  for (const Number& one : numbers) {
    BOOST_TEST((one.verdict == (one.kind == Kind::sanity ? Verdict::pass : Verdict::undecided)), one.name);
    BOOST_TEST(!one.decides_claim());
  }
}

/// "A few", where the paper names the energy's numbers; what they leave is told beside the time.
BOOST_AUTO_TEST_CASE(rows_of_the_unilateral_energy_take_a_few_iterations_and_tell_what_is_kept) {
  std::size_t few = 0;
  for (std::size_t index = 0; index < row_count; ++index) {
    const Table2Row& row = row_at(index);
    const Scene scene = table2_scene(row, row.particles / 400.0);
    const ImplicitOptions& solve = row.water ? mixture_options(scene).implicit : mpm_options(scene).implicit;
    const bool kept = solve.unconverged == Unconverged::keep;
    BOOST_TEST(kept == row.sand.unilateral.has_value(), row.name);
    BOOST_TEST(solve.newton_iterations == (kept ? 3 : 30), row.name);
    if (kept) ++few;
  }
  BOOST_TEST(few == 3U);

  Table2Timing timing = two_frames(row_at(4));
  BOOST_REQUIRE(timing.steps == 40);
  timing.counts[counter::unconverged] = 10;
  BOOST_TEST(number(judge_table2({timing}, 2), "2D_piling_unilateral_solves_kept").value == 0.25);
  for (const Number& one : judge_table2({two_frames(row_at(3))}, 2))
    BOOST_TEST(one.name.find("solves_kept") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(rows_that_fail_and_wrong_numbers_of_particles_are_told) {
  Table2Timing failed = two_frames(row_at(4));
  failed.failure = "no velocities were found";
  const auto numbers = judge_table2({two_frames(row_at(0)), failed}, 2);
  BOOST_TEST(number(numbers, "rows_run_to_their_end").value == 1.0);
  demand(numbers, "rows_run_to_their_end", Verdict::fail);
  demand(numbers, "particle_count_error", Verdict::pass);
  Table2Timing thin = two_frames(row_at(0));
  thin.particles /= 2;
  demand(judge_table2({thin}, 2), "particle_count_error", Verdict::fail);
}

BOOST_AUTO_TEST_CASE(rows_of_the_least_work_are_run_first) {
  const auto order = by_work(table2_rows());
  BOOST_REQUIRE(order.size() == row_count);
  BOOST_TEST(row_at(order.front()).name == "2D hourglass fine");
  BOOST_TEST(row_at(order.back()).name == "3D dam breach");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::tampubolon2017
