#include "experiments/run/memory_limit.h"

#include "experiments/run/provenance.h"
#include "validation/memory_need.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>

namespace repose::experiments {

namespace {

constexpr const char* option = "--memory-limit-gib";

}  // namespace

double usable_memory_bytes() {
  double bytes = static_cast<double>(machine().memory_bytes);
  // Of control groups, second and first version. "max" is no number and says that there is no limit.
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    double limit = 0.0;
    if (std::ifstream(file) >> limit && limit > 0.0) bytes = std::min(bytes, limit);
  }
  return bytes;
}

void add_memory_limit(CLI::App& command, double& bytes) {
  command
      .add_option_function<double>(
          option, [&bytes](double gib) { bytes = gib * 0x1p30; },
          "Refuse what is estimated to need more memory [this machine's]")
      ->check(CLI::PositiveNumber)
      ->type_name("GIB");
  bytes = usable_memory_bytes();
}

void require_memory(const Scene& scene, std::string_view source, std::string_view solver,
                    const SolverOptions& options, std::int64_t frames, double limit_bytes) {
  repose::require_memory(memory_need(scene, solver, options, frames), source, {limit_bytes, option});
}

}  // namespace repose::experiments
