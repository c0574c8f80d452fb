#include "experiments/bench/bench.h"
#include "experiments/bench/compare.h"
#include "experiments/bench/machine.h"
#include "experiments/cli/commands.h"
#include "experiments/run/console.h"
#include "experiments/run/memory_limit.h"
#include "experiments/run/provenance.h"
#include "reference/interface/base/error.h"
#include "validation/file_output.h"
#include "validation/json_file.h"
#include "validation/solvers.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace repose::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct BenchArguments {
  bool quick = false;
  std::vector<std::int64_t> particles;
  std::vector<int> threads;
  std::vector<std::string> methods;
  std::vector<std::string> variants;
  std::vector<std::string> precisions;
  std::vector<int> dims;
  std::vector<std::string> simd;
  std::vector<std::string> solvers;
  std::vector<std::string> scenes;
  int repeat = 0;
  std::string read;
  std::string json_file;
  std::string csv_file;
  std::string compare;
  double factor = 1.1;
  std::string out;
  bool no_check = false;
  bool quiet = false;
  double memory_limit_bytes = 0.0;
};

bool has(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> names_of_methods() {
  std::vector<std::string> names;
  for (const experiments::MethodBlock& block : experiments::method_blocks()) names.emplace_back(block.method);
  return names;
}

experiments::BenchPlan plan_of(const BenchArguments& a) {
  experiments::BenchPlan plan;
  const int cores = experiments::machine().cores;
  plan.threads = cores > 1 ? std::vector<int>{1, cores} : std::vector<int>{1};
  if (a.quick) {
    plan.dims = {3};
    plan.particles = {10000, 100000};
    plan.serial_particles = 10000;
    plan.effort = 0.25;
  }
  if (!a.particles.empty()) plan.particles = a.particles;
  if (!a.threads.empty()) plan.threads = a.threads;
  if (!a.dims.empty()) plan.dims = a.dims;
  if (!a.simd.empty()) plan.simd = a.simd;
  plan.methods = a.methods;
  plan.variants = a.variants;
  plan.solvers = a.solvers;
  if (a.repeat > 0) plan.repeat = a.repeat;
  const auto keep = [](auto& all, const std::vector<std::string>& names, auto name_of) {
    std::erase_if(all, [&](const auto& one) { return !has(names, name_of(one)); });
  };
  keep(plan.precisions, a.precisions,
       [](Precision p) { return p == Precision::single_ ? "float" : "double"; });
  keep(plan.motions, a.scenes, [](experiments::Motion m) { return experiments::to_string(m); });
  plan.crosscheck = !a.no_check;
  plan.memory_limit_bytes = a.memory_limit_bytes;
  plan.progress = !a.quiet && isatty(STDERR_FILENO) == 1;
  return plan;
}

/// Every file that will be written can be: found out before anything is measured.
void require_results_writable(const BenchArguments& a) {
  if (!a.out.empty()) make_folder(a.out);
  const std::string in_folder = a.out.empty() ? "" : (fs::path(a.out) / "bench.json").string();
  for (const auto& [option, file] :
       {std::pair{"--out", in_folder}, {"--json", a.json_file}, {"--csv", a.csv_file}}) {
    if (file.empty()) continue;
    if (fs::path(file).has_parent_path()) make_folder(fs::path(file).parent_path());
    require_writable(option, file);
  }
}

/// What a result's verdicts and a comparison with an older one come to.
struct Judged {
  int exit_code = 0;
  std::string text;
};

Judged judge(const BenchArguments& a, const json& old, json& result) {
  Judged judged{.text = a.quiet ? "" : experiments::describe_bench(result)};
  for (const json& row : result.at("rows"))
    if (row.at("verdict") == "differs") judged.exit_code = 1;
  if (a.compare.empty()) return judged;
  result["comparison"] = experiments::compare_bench(old, result, a.factor);
  result["comparison"]["old_file"] = fs::path(a.compare).filename().string();
  judged.text += "\n" + experiments::describe_comparison(result["comparison"]);
  const int compared = experiments::exit_code_of_comparison(result["comparison"]);
  judged.exit_code = judged.exit_code == 1 || compared == 1 ? 1 : compared;
  return judged;
}

int bench(const BenchArguments& a) {
  constexpr std::string_view kind = "a result of repose bench";
  const json old = a.compare.empty() ? json() : read_json(a.compare);
  // Against itself: whatever the comparison will read is there and of its kind.
  if (!a.compare.empty()) look_into(a.compare, kind, [&] { experiments::compare_bench(old, old, a.factor); });
  require_results_writable(a);

  Judged judged;
  json result;
  std::string csv;
  const auto finish = [&] {
    judged = judge(a, old, result);
    if (!a.csv_file.empty()) csv = experiments::bench_csv(result);
  };
  if (!a.read.empty()) {
    result = read_json(a.read);
    look_into(a.read, kind, finish);
  } else {
    const experiments::BenchPlan plan = plan_of(a);
    const auto rows = experiments::run_bench(plan);
    if (!rows) {
      experiments::tell("repose: the measurement was interrupted; no result was written\n");
      return interrupted;
    }
    const std::size_t array = a.quick ? std::size_t{64} << 20 : std::size_t{128} << 20;
    const auto limits = experiments::measure_machine(experiments::machine().cores, array, a.quick ? 5 : 15);
    result = experiments::bench_json(*rows);
    result["machine"] = experiments::machine_json(limits);
    result["repetitions"] = plan.repeat;
    result["quick"] = a.quick;
    finish();
  }
  const std::string dump = result.dump(2) + "\n";
  if (!a.out.empty()) replace_file(fs::path(a.out) / "bench.json", dump);
  if (!a.json_file.empty()) replace_file(a.json_file, dump);
  if (!a.csv_file.empty()) replace_file(a.csv_file, csv);
  experiments::print(judged.text);
  return judged.exit_code;
}

}  // namespace

void add_bench(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<BenchArguments>();
  BenchArguments& a = *arguments;
  CLI::App* command =
      app.add_subcommand("bench", "Measure the solvers' speed, each row with the verdict of its check");
  command->add_flag("--quick", a.quick,
                    "Under two minutes on two cores: 3D, 10⁵ particles; serial solvers at 10⁴");
  command->add_option("--particles", a.particles, "Particle counts [100000 1000000]")
      ->check(CLI::Range(64, 200000000));
  command->add_option("--threads", a.threads, "Thread counts [1 and all cores]")->check(CLI::Range(1, 4096));
  command->add_option("--method", a.methods, "[all]")->check(CLI::IsMember(names_of_methods()));
  command
      ->add_option("--variant,--kernel", a.variants,
                   "Of the methods' options, as names of rows have them [all]")
      ->check(CLI::IsMember(experiments::block_variant_names()));
  command->add_option("--precision", a.precisions, "[both]")->check(CLI::IsMember({"float", "double"}));
  command->add_option("--dim", a.dims, "[3 2]")->check(CLI::IsMember({2, 3}));
  command->add_option("--simd", a.simd, "Instruction sets to force, e.g. AVX2 SSE4 [the best]");
  command->add_option("--solver", a.solvers, "[all]")->check(CLI::IsMember(solver_names()));
  command->add_option("--scene", a.scenes, "[both]")->check(CLI::IsMember({"rest", "flow"}));
  command->add_option("--repeat", a.repeat, "Repetitions of each row, measured in turn [5]")
      ->check(CLI::Range(1, 1000));
  command->add_option("--json", a.json_file, "Write the result to this file")->type_name("FILE");
  command->add_option("--csv", a.csv_file, "Write the rows to this file")->type_name("FILE");
  command->add_option("--out", a.out, "Write DIR/bench.json, which `repose report DIR` shows")
      ->type_name("DIR");
  command->add_option("--compare", a.compare, "An earlier result: print new/old of rows with the same name")
      ->type_name("OLD.json");
  command->add_option("--slower-than", a.factor, "With --compare: the factor that counts as slower")
      ->check(CLI::Range(1.0, 100.0))
      ->capture_default_str();
  command->add_option("--read", a.read, "Measure nothing, take the result from this file")->type_name("FILE");
  experiments::add_memory_limit(*command, a.memory_limit_bytes);
  command->add_flag("--no-check", a.no_check, "Leave out the lock-step checks");
  command->add_flag("--quiet", a.quiet, "No progress line and no table");
  command->footer(
      "Examples:\n"
      "  repose bench --quick --out out && repose report out\n"
      "  repose bench --dim 3 --kernel cubic --precision float --particles 1000000 --json new.json\n"
      "  repose bench --quick --compare old.json\n"
      "  repose bench --read new.json --compare old.json\n\n"
      "Rows of a group take turns (A B A B …); medians and quartiles of whole steps; files and warm-up are "
      "not counted.\n"
      "A row of whose time other work on the machine took more than a twentieth is marked as disturbed and "
      "not "
      "judged.\n"
      "Exit codes: 0 all well, 1 a row's check differs or a row is slower than OLD.json beyond the spread of "
      "both,\n"
      "2 bad input, 3 no row of OLD.json matches or all that do are disturbed, 130 interrupted.");
  command->callback([arguments, &exit_code] { exit_code = bench(*arguments); });
}

}  // namespace repose::cli
