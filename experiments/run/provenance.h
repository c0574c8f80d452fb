#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/solver.h"
#include "validation/states/origin.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace repose::experiments {

/// The machine a result was made on. No names that identify it.
struct Machine {
  std::string cpu;                            ///< model
  int cores = 0;                              ///< hardware threads this process may use
  std::vector<std::string> instruction_sets;  ///< of those the fast solver can use, in rising order
  std::uint64_t memory_bytes = 0;             ///< physical memory
};

/// Where a number comes from: written beside every result.
struct Provenance {
  Build build;
  Machine machine;
  std::string solver;
  std::string precision;  ///< "float" or "double"
  std::string simd;       ///< instruction set asked for; "best" where none was
  int threads = 1;
  std::string scene_hash;
  std::vector<std::pair<std::string, std::uint64_t>> seeds;  ///< by name, of the scene's random sequences
  double wall_seconds = 0.0;
  double particle_steps_per_s = 0.0;  ///< by the time spent in steps, files excluded
  std::uint64_t peak_memory_bytes = 0;
};

Build build();
Machine machine();

/// What is known before a run: all but its wall time, rate and memory.
Provenance provenance(const Scene& scene, std::string_view solver, const SolverOptions& options);

/// Largest resident memory of this process so far [B].
std::uint64_t peak_memory_bytes();

std::string_view to_string(Precision precision);

nlohmann::json to_json(const Provenance& provenance);

/// Keys and values of the table [`table`], its subtables included.
std::string to_toml(const Provenance& provenance, std::string_view table);

/// A string as TOML's basic string, quotes included.
std::string toml_string(std::string_view text);

}  // namespace repose::experiments
