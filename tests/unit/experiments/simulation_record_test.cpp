#include "experiments/run/recorded_run.h"
#include "experiments/run/step_table.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene/step_control.h"
#include "tests/unit/experiments/fake_solver.h"
#include "tests/unit/experiments/state_snapshots.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

using namespace repose;
using namespace repose::experiments;
using namespace repose::test;
namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// Names and contents of a run's results; run.toml apart, which holds numbers of the machine.
std::map<std::string, std::string> results(const fs::path& folder) {
  std::map<std::string, std::string> all{{"steps.csv", text_of(folder / "steps.csv")},
                                         {"sums.csv", text_of(folder / "sums.csv")}};
  for (const auto& entry : fs::directory_iterator(folder / "states")) {
    all[entry.path().filename().string()] = text_of(entry.path());
  }
  return all;
}

RecordedRun record(FakeSolver& solver, const RecordedRunOptions& options, const Observers& observers = {}) {
  return run_recorded(solver, small_scene(2), options, observers);
}

struct Stopped {};

/// As if the process had died before that step.
RecordedRun record_until(std::int64_t step, const RecordedRunOptions& options) {
  FakeSolver solver(small_scene(2));
  solver.before_step = [step](std::int64_t now) {
    if (now == step) throw Stopped();
  };
  return record(solver, options);
}

RecordedRun record_all(const RecordedRunOptions& options) {
  FakeSolver solver(small_scene(2));
  return record(solver, options);
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simulation_record)

BOOST_AUTO_TEST_CASE(a_run_that_died_and_was_resumed_leaves_the_same_bytes) {
  const TemporaryFolder folder;
  const RunSummary whole = record_all({.out = folder / "whole"}).summary;
  BOOST_CHECK_THROW(record_until(50, {.out = folder / "died"}), Stopped);
  BOOST_TEST((results(folder / "whole") != results(folder / "died")));
  const RecordedRun resumed = record_all({.out = folder / "died", .resume = true});
  BOOST_TEST(resumed.resumed_from_step > 0);
  BOOST_TEST(resumed.resumed_from_step < 50);
  BOOST_TEST(resumed.summary.steps + resumed.resumed_from_step == whole.steps);
  BOOST_TEST((results(folder / "whole") == results(folder / "died")));
}

BOOST_AUTO_TEST_CASE(an_interruption_inside_a_frame_leaves_a_checkpoint_that_goes_on_bit_for_bit) {
  const TemporaryFolder folder;
  record_all({.out = folder / "whole"});
  FakeSolver solver(small_scene(2));
  solver.before_step = [](std::int64_t step) {
    if (step == 33) std::raise(SIGINT);
  };
  const RecordedRun first = record(solver, {.out = folder / "cut"});
  BOOST_TEST(first.summary.interrupted);
  BOOST_TEST(first.last_state.filename() == "checkpoint.hdf");
  const RecordedRun second = record_all({.out = folder / "cut", .resume = true});
  BOOST_TEST(second.resumed_from_step == 34);
  BOOST_TEST((results(folder / "whole") == results(folder / "cut")));
}

BOOST_AUTO_TEST_CASE(a_spout_lets_in_its_rate_and_goes_on_bit_for_bit_after_an_interruption) {
  const TemporaryFolder folder;
  Scene scene = small_scene(2);
  // 0.1 m wide at 2 m/s for 0.05 s of the 0.08 s.
  scene.emitters.push_back({.name = "spout",
                            .where = "",
                            .shape = Box{.min = {0.6, 0.8, 0.0}, .max = {0.7, 0.9, 0.0}},
                            .material = 0,
                            .velocity = {0.0, -2.0, 0.0},
                            .rate = 0.2,
                            .start = 0.02,
                            .stop = 0.07,
                            .particles_per_cell = 16.0,
                            .seed = 5});
  FakeSolver whole(scene);
  const RunSummary all = run_recorded(whole, scene, {.out = folder / "whole"}).summary;
  // 16 per cell of 0.01 m² in 0.2 m²/s · 0.05 s of material are 16; its pattern may give a few more or less.
  BOOST_TEST(all.entered >= 12U);
  BOOST_TEST(all.entered <= 20U);
  BOOST_TEST(all.particles == sample(scene).particles() + all.entered);

  FakeSolver cut(scene);
  cut.before_step = [](std::int64_t step) {
    if (step == 50) std::raise(SIGINT);
  };
  const RunSummary first = run_recorded(cut, scene, {.out = folder / "cut"}).summary;
  BOOST_TEST(first.interrupted);
  BOOST_TEST(first.entered > 0U);
  FakeSolver rest(scene);
  const RunSummary second = run_recorded(rest, scene, {.out = folder / "cut", .resume = true}).summary;
  BOOST_TEST(second.entered > 0U);
  BOOST_TEST(first.entered + second.entered == all.entered);
  BOOST_TEST((results(folder / "whole") == results(folder / "cut")));
}

BOOST_AUTO_TEST_CASE(a_damaged_last_state_is_passed_over_and_named) {
  const TemporaryFolder folder;
  record_all({.out = folder / "whole"});
  BOOST_CHECK_THROW(record_until(50, {.out = folder / "died"}), Stopped);
  BOOST_REQUIRE(fs::exists(folder / "died/states/state_0002.hdf"));
  fs::resize_file(folder / "died/states/state_0002.hdf", 5000);
  const RecordedRun resumed = record_all({.out = folder / "died", .resume = true});
  BOOST_REQUIRE_EQUAL(resumed.notes.size(), 1U);
  BOOST_TEST(resumed.notes[0].find("state_0002.hdf") != std::string::npos);
  BOOST_TEST((results(folder / "whole") == results(folder / "died")));
}

BOOST_AUTO_TEST_CASE(the_states_asked_for_are_kept) {
  const TemporaryFolder folder;
  const auto count = [&](const std::string& run) {
    return std::distance(fs::directory_iterator(folder / (run + "/states")), fs::directory_iterator());
  };
  record_all({.out = folder / "every", .states = KeepStates::every});
  BOOST_TEST(count("every") == 5);
  record_all({.out = folder / "last", .states = KeepStates::last});
  BOOST_TEST(count("last") == 1);
  BOOST_TEST(fs::exists(folder / "last/states/state_0004.hdf"));
  record_all({.out = folder / "none", .states = KeepStates::none});
  BOOST_TEST(count("none") == 0);
  BOOST_TEST(text_of(folder / "none/steps.csv") == text_of(folder / "every/steps.csv"));
}

BOOST_AUTO_TEST_CASE(more_frames_continue_a_finished_run) {
  const TemporaryFolder folder;
  record_all({.out = folder / "whole"});
  record_all({.out = folder / "parts", .frames = 2});
  record_all({.out = folder / "parts", .resume = true});
  BOOST_TEST((results(folder / "whole") == results(folder / "parts")));
  const RecordedRun again = record_all({.out = folder / "parts", .resume = true});
  BOOST_TEST(again.summary.steps == 0);
  BOOST_TEST((results(folder / "whole") == results(folder / "parts")));
}

BOOST_AUTO_TEST_CASE(folders_with_anything_else_in_them_are_refused_untouched) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "full");
  std::ofstream(folder / "full/thesis.txt") << "irreplaceable";
  BOOST_TEST(refusal([&] { record_all({.out = folder / "full"}); }).find("choose another folder") !=
             std::string::npos);
  BOOST_TEST(refusal([&] {
               record_all({.out = folder / "full", .resume = true});
             }).find("no run to continue") != std::string::npos);
  BOOST_TEST(std::distance(fs::directory_iterator(folder / "full"), fs::directory_iterator()) == 1);
  record_all({.out = folder / "run", .frames = 1});
  BOOST_TEST(refusal([&] { record_all({.out = folder / "run"}); }).find("--resume") != std::string::npos);
  BOOST_TEST(refusal([&] { record_all({.out = folder / "nowhere", .resume = true}); }) != "");
  BOOST_TEST(!fs::exists(folder / "nowhere"));
}

/// What is left by a process that dies, or a disk that fills, before run.toml is complete.
BOOST_AUTO_TEST_CASE(the_rest_of_a_run_that_never_began_is_taken_for_a_new_one) {
  const TemporaryFolder folder;
  record_all({.out = folder / "whole"});
  for (const std::vector<std::string>& rest : {std::vector<std::string>{},
                                               {"states/"},
                                               {"states/", "run.toml.tmp"},
                                               {"states/", "states/a.tmp", "run.toml.tmp"},
                                               {"run.toml.tmp"}}) {
    const TemporaryFolder out;
    for (const std::string& name : rest) {
      if (name.ends_with('/')) fs::create_directory(out / name.substr(0, name.size() - 1));
      if (!name.ends_with('/')) std::ofstream(out / name) << "title = ";
    }
    const std::string why = refusal([&] { record_all({.out = out / "", .resume = true}); });
    BOOST_TEST(why.find("without --resume") != std::string::npos, why);
    record_all({.out = out / ""});
    BOOST_TEST((results(out / "") == results(folder / "whole")));
  }
  for (const char* other : {"states/state_0000.hdf", "states/thesis.txt", "run.toml.tmp.txt", "steps.csv"}) {
    const TemporaryFolder out;
    fs::create_directory(out / "states");
    std::ofstream(out / other) << "irreplaceable";
    BOOST_TEST(
        refusal([&] { record_all({.out = out / ""}); }).find("choose another folder") != std::string::npos,
        other);
    BOOST_TEST(text_of(out / other) == "irreplaceable");
  }
}

/// To start over would replace what is sound in the run.
BOOST_AUTO_TEST_CASE(a_run_with_states_of_an_earlier_version_is_left_as_it_is) {
  const TemporaryFolder folder;
  record_all({.out = folder / "run", .frames = 2});
  for (const auto& state : fs::directory_iterator(folder / "run/states")) {
    std::fstream file(state.path(), std::ios::in | std::ios::out | std::ios::binary);
    file << "repose state, HDF5 behind 512 bytes; sum of what follows 0123456789abcdef\n";
  }
  const auto before = results(folder / "run");
  const std::string why = refusal([&] { record_all({.out = folder / "run", .resume = true}); });
  BOOST_TEST(why.find("earlier version") != std::string::npos, why);
  BOOST_TEST((results(folder / "run") == before));
}

/// A state at the end of its frame is one of the frame behind; taken for the one before, it would be written twice.
BOOST_AUTO_TEST_CASE(a_state_at_the_very_end_of_the_next_frame_is_refused) {
  const TemporaryFolder folder;
  record_all({.out = folder / "run", .frames = 2});
  const fs::path file = folder / "run/states" / state_file_name(2);
  const StoredState kept = read_state(file);
  BOOST_TEST_REQUIRE(kept.origin.frame == 2);
  BOOST_TEST_REQUIRE(kept.snapshot.time == StepControl(small_scene(2)).frame_time(2));  // premise
  for (const std::int64_t frame : {1, 3, 2}) {
    StateOrigin origin = kept.origin;
    origin.frame = frame;
    write_state(file, kept.snapshot, small_scene(2), origin);
    const std::string why = refusal([&] { record_all({.out = folder / "run", .resume = true}); });
    BOOST_TEST((why.find("does not lie behind") != std::string::npos) == (frame != 2),
               "frame " << frame << ": " << why);
  }
}

BOOST_AUTO_TEST_CASE(another_scene_or_precision_is_not_resumed_and_the_difference_is_named) {
  const TemporaryFolder folder;
  record_all({.out = folder / "run", .frames = 1});
  Scene heavier = small_scene(2);
  heavier.materials[1].density = 1200;
  FakeSolver solver(heavier);
  const std::string scene =
      refusal([&] { run_recorded(solver, heavier, {.out = folder / "run", .resume = true}); });
  BOOST_TEST(scene.find("density = 1100") != std::string::npos, scene);
  BOOST_TEST(scene.find("density = 1200") != std::string::npos, scene);
  const std::string precision = refusal([&] {
    record_all({.out = folder / "run",
                .solver = {.precision = Precision::single_, .threads = 1, .simd = ""},
                .resume = true});
  });
  BOOST_TEST(precision.find("precision") != std::string::npos, precision);
}

BOOST_AUTO_TEST_CASE(the_table_of_steps_reads_back_to_the_same_bits) {
  const TemporaryFolder folder;
  std::vector<double> dts;
  FakeSolver solver(small_scene(2));
  record(solver, {.out = folder / "run"}, {.step = [&](const StepRecord& r) { dts.push_back(r.report.dt); }});
  std::istringstream table(text_of(folder / "run/steps.csv"));
  std::string line;
  std::getline(table, line);
  BOOST_TEST(line.starts_with("step,time_s,dt_s,limited_by,"));
  for (const double dt : dts) {
    BOOST_REQUIRE(std::getline(table, line));
    std::istringstream row(line);
    std::string cell;
    for (int i = 0; i < 3; ++i) std::getline(row, cell, ',');
    BOOST_TEST(std::stod(cell) == dt);
  }
  BOOST_TEST(!std::getline(table, line));
}

/// Particles that fly freely keep mass, momentum and kinetic energy.
BOOST_AUTO_TEST_CASE(the_table_of_sums_has_the_start_and_each_frame_or_each_step) {
  for (const KeepSums keep : {KeepSums::none, KeepSums::frame, KeepSums::step}) {
    const TemporaryFolder folder;
    FakeSolver solver(small_scene(2));
    const RecordedRun run = record(solver, {.out = folder / "run", .sums = keep});
    BOOST_TEST(fs::exists(folder / "run/sums.csv") == (keep != KeepSums::none));
    if (keep == KeepSums::none) continue;
    std::istringstream table(text_of(folder / "run/sums.csv"));
    std::string line;
    std::getline(table, line);
    BOOST_TEST(line.starts_with("step,time_s,phase,particles,mass_kg,momentum_x_kg_m_per_s,"));
    std::vector<std::vector<std::string>> rows;
    while (std::getline(table, line)) {
      std::istringstream cells(line);
      rows.emplace_back();
      for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    BOOST_TEST(rows.size() == 1U + static_cast<std::size_t>(keep == KeepSums::frame ? run.summary.frames
                                                                                    : run.summary.steps));
    BOOST_TEST(rows.front()[0] == "0");
    BOOST_TEST(rows.back()[0] == std::to_string(run.summary.steps));
    BOOST_TEST(std::stod(rows.back()[1]) == run.summary.end_time);
    for (const auto& row : rows) {
      BOOST_TEST(row.size() == 11U);
      BOOST_TEST(row[2] == "solid");
      BOOST_TEST(row[3] == std::to_string(run.summary.particles));
      for (const std::size_t kept : {4U, 5U, 6U, 8U}) BOOST_TEST(row[kept] == rows.front()[kept]);
    }
    BOOST_TEST(std::stod(rows.front()[4]) > 0.0);
    BOOST_TEST(std::stod(rows.front()[8]) > 0.0);
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_died_and_was_resumed_leaves_the_same_sums_of_every_step) {
  const TemporaryFolder folder;
  record_all({.out = folder / "whole", .sums = KeepSums::step});
  const RecordedRunOptions parts{.out = folder / "parts", .sums = KeepSums::step};
  BOOST_CHECK_THROW(record_until(30, parts), Stopped);
  RecordedRunOptions on = parts;
  on.resume = true;
  record_all(on);
  BOOST_TEST(text_of(folder / "parts/sums.csv") == text_of(folder / "whole/sums.csv"));
  {
    std::ofstream other(folder / "parts/sums.csv");
    other << "somebody's own\n";
  }
  BOOST_TEST(refusal([&] { record_all(on); }).find("sums.csv: not the table of sums") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_table_with_too_few_rows_is_not_continued) {
  const TemporaryFolder folder;
  const fs::path file = folder / "steps.csv";
  {
    StepTable table(file, method::mpm, 0);
    table.append({.step = 0, .time = 0.0, .limited_by = "max_dt"});
  }
  BOOST_CHECK_NO_THROW(StepTable(file, method::mpm, 1));
  BOOST_CHECK_THROW(StepTable(file, method::mpm, 2), BadInput);
  fs::resize_file(file, fs::file_size(file) - 1);  // a row without its line end
  BOOST_CHECK_THROW(StepTable(file, method::mpm, 1), BadInput);
}

BOOST_AUTO_TEST_CASE(a_failed_step_keeps_the_last_state_and_the_rows_before_it) {
  const TemporaryFolder folder;
  FakeSolver solver(small_scene(2));
  solver.before_step = [](std::int64_t step) {
    if (step == 50) throw SimulationError("inverted particle", 3, step, boundary::update);
  };
  BOOST_CHECK_THROW(record(solver, {.out = folder / "run"}), SimulationError);
  BOOST_TEST(fs::exists(folder / "run/states/state_0002.hdf"));
  const std::string table = text_of(folder / "run/steps.csv");
  BOOST_TEST(std::count(table.begin(), table.end(), '\n') == 51);
}

BOOST_AUTO_TEST_CASE(a_record_is_a_scene_file_of_the_same_scene) {
  const TemporaryFolder folder;
  record_all({.out = folder / "run", .frames = 0});
  BOOST_TEST(scene_to_toml(load_scene(folder / "run/run.toml")) == scene_to_toml(small_scene(2)));
}

BOOST_AUTO_TEST_SUITE_END()
