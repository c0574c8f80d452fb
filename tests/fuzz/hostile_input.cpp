#include "tests/fuzz/check_scene.h"
#include "tests/fuzz/damage_state.h"
#include "tests/fuzz/mutate_scene.h"
#include "tests/fuzz/supervise.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

/// Feeds mutated scenes and damaged states to everything that reads them. Every case follows from a seed and its
/// number; a finding leaves its input in a file, and its number repeats it.
///     hostile_input                              what the test run does
///     hostile_input --scenes 1000000 --seed 7    longer
///     hostile_input --scenes 1 --first 4711      one case again
///     hostile_input --scene FILE                 a file

namespace {

namespace fs = std::filesystem;
using repose::fuzz::Campaign;
using repose::fuzz::Dice;
using repose::fuzz::Reached;
using repose::fuzz::Summary;

struct Arguments {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t scenes = 10000;
  std::uint64_t states = 1000;
  std::string keep = "hostile_findings";
  std::string scene;
};

/// A folder that goes with the program.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "repose_hostile_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for scratch files");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// @returns whether there was no finding and enough cases came far
bool run(const Campaign& campaign, const Arguments& a) {
  const Summary summary = repose::fuzz::supervise(campaign);
  std::string counts;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < summary.reached.size(); ++i) {
    counts += fmt::format(", {} {}", summary.reached[i], repose::fuzz::reached_names[i]);
    all += summary.reached[i];
  }
  fmt::print("{}: seed {}, cases {} to {}{}; slowest {:.2f} s (case {})\n", campaign.name, a.seed,
             campaign.first, campaign.first + campaign.count - 1, counts, summary.slowest_seconds,
             summary.slowest);
  for (const auto& found : summary.findings) {
    fs::create_directories(a.keep);
    fmt::print("  case {}: {}\n    input: {}\n", found.number, found.what,
               campaign.keep(found.number, a.keep));
  }
  // Of many cases some must come to the end, or nothing behind the first refusal was tried.
  const std::uint64_t to_the_end = summary.reached[static_cast<std::size_t>(Reached::stepped)];
  const bool far = campaign.count < 500 || 20 * to_the_end >= all;
  if (!far) fmt::print("  fewer than one case in twenty came to the end\n");
  return far && summary.findings.empty();
}

bool run_scenes(const Arguments& a) {
  const auto scenes = repose::fuzz::scenes_to_mutate();
  const auto text = [&](std::uint64_t number) {
    Dice dice(a.seed, number);
    return repose::fuzz::mutated(scenes, dice);
  };
  return run({.name = "scenes",
              .first = a.first,
              .count = a.scenes,
              .check = [&](std::uint64_t number) { return repose::fuzz::check_scene(text(number)); },
              .keep =
                  [&](std::uint64_t number, const std::string& folder) {
                    const std::string file = fmt::format("{}/scene_{}_{}.toml", folder, a.seed, number);
                    std::ofstream(file, std::ios::binary) << text(number);
                    return file;
                  }},
             a);
}

bool run_states(const Arguments& a) {
  const Scratch scratch;
  const repose::fuzz::StatesToDamage states(scratch.path());
  const Summary written = repose::fuzz::supervise({.name = "states to damage",
                                                   .count = 1,
                                                   .check =
                                                       [&](std::uint64_t) {
                                                         states.write();
                                                         return Reached::stepped;
                                                       },
                                                   .keep = {}});
  if (!written.findings.empty()) {
    fmt::print("no states to damage: {}\n", written.findings.front().what);
    return false;
  }
  return run({.name = "states",
              .first = a.first,
              .count = a.states,
              .check =
                  [&](std::uint64_t number) {
                    Dice dice(a.seed, number);
                    return states.check(dice);
                  },
              .keep =
                  [&](std::uint64_t number, const std::string& folder) {
                    Dice dice(a.seed, number);
                    const std::string file = fmt::format("{}/state_{}_{}.hdf", folder, a.seed, number);
                    fs::copy_file(states.damage(dice, "kept.hdf"), file,
                                  fs::copy_options::overwrite_existing);
                    return file;
                  }},
             a);
}

bool run_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const Reached reached = repose::fuzz::check_scene(text);
  fmt::print("{}: {}\n", file, repose::fuzz::reached_names[static_cast<std::size_t>(reached)]);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Feeds mutated scenes and damaged states to everything that reads them", "hostile_input");
  Arguments a;
  app.add_option("--seed", a.seed)->capture_default_str();
  app.add_option("--first", a.first, "Number of the first case")->capture_default_str();
  app.add_option("--scenes", a.scenes, "How many mutated scenes")->capture_default_str();
  app.add_option("--states", a.states, "How many damaged states")->capture_default_str();
  app.add_option("--keep", a.keep, "Folder for the inputs of findings")->capture_default_str();
  app.add_option("--scene", a.scene, "Check this file alone, in this process");
  CLI11_PARSE(app, argc, argv);
  try {
    if (!a.scene.empty()) return run_file(a.scene) ? 0 : 1;
    const bool scenes_hold = a.scenes == 0 || run_scenes(a);
    const bool states_hold = a.states == 0 || run_states(a);
    return scenes_hold && states_hold ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return 1;
  }
}
