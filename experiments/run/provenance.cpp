#include "experiments/run/provenance.h"

#include "build_info.h"
#include "reference/interface/scene_file/scene_file.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace repose::experiments {

namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return CPU_COUNT(&set);
}

std::vector<std::string> instruction_sets() {
  std::vector<std::string> sets;
#if defined(__x86_64__)
  const auto add = [&](bool supported, const char* name) {
    if (supported) sets.emplace_back(name);
  };
  add(__builtin_cpu_supports("sse2") != 0, "SSE2");
  add(__builtin_cpu_supports("ssse3") != 0, "SSSE3");
  add(__builtin_cpu_supports("sse4.2") != 0, "SSE4");
  add(__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0, "AVX2");
  add(__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
          __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0,
      "AVX-512");
#endif
  return sets;
}

std::uint64_t physical_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) : 0;
}

}  // namespace

Build build() {
  return {.version = REPOSE_VERSION,
          .revision = REPOSE_REVISION,
          .compiler = REPOSE_COMPILER,
          .flags = REPOSE_FLAGS,
          .build_type = REPOSE_BUILD_TYPE};
}

Machine machine() {
  return {.cpu = cpu_model(),
          .cores = usable_cores(),
          .instruction_sets = instruction_sets(),
          .memory_bytes = physical_memory_bytes()};
}

Provenance provenance(const Scene& scene, std::string_view solver, const SolverOptions& options) {
  Provenance result;
  result.build = build();
  result.machine = machine();
  result.solver = solver;
  result.precision = to_string(options.precision);
  result.simd = options.simd.empty() ? "best" : options.simd;
  result.threads = options.threads;
  result.scene_hash = scene_hash(scene);
  for (const Seed& seed : scene.seeds) result.seeds.emplace_back(seed.name, seed.seed);
  for (const Emitter& emitter : scene.emitters)
    result.seeds.emplace_back("emitter " + emitter.name, emitter.seed);
  return result;
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024U;  // Linux counts in KiB
}

std::string_view to_string(Precision precision) {
  return precision == Precision::single_ ? "float" : "double";
}

nlohmann::json to_json(const Provenance& p) {
  nlohmann::json seeds = nlohmann::json::object();
  for (const auto& [name, seed] : p.seeds) seeds[name] = seed;
  return {{"version", p.build.version},
          {"revision", p.build.revision},
          {"compiler", p.build.compiler},
          {"flags", p.build.flags},
          {"build_type", p.build.build_type},
          {"cpu", p.machine.cpu},
          {"cores", p.machine.cores},
          {"instruction_sets", p.machine.instruction_sets},
          {"memory_bytes", p.machine.memory_bytes},
          {"solver", p.solver},
          {"precision", p.precision},
          {"simd", p.simd},
          {"threads", p.threads},
          {"scene_hash", p.scene_hash},
          {"seeds", seeds},
          {"wall_seconds", p.wall_seconds},
          {"particle_steps_per_s", p.particle_steps_per_s},
          {"peak_memory_bytes", p.peak_memory_bytes}};
}

std::string to_toml(const Provenance& p, std::string_view table) {
  std::string out = fmt::format("[{}]\n", table);
  const auto text = [&](std::string_view key, std::string_view value) {
    out += fmt::format("{} = {}\n", key, toml_string(value));
  };
  text("version", p.build.version);
  text("revision", p.build.revision);
  text("compiler", p.build.compiler);
  text("flags", p.build.flags);
  text("build_type", p.build.build_type);
  text("cpu", p.machine.cpu);
  out += fmt::format("cores = {}\n", p.machine.cores);
  std::string sets;
  for (const auto& set : p.machine.instruction_sets) sets += (sets.empty() ? "" : ", ") + toml_string(set);
  out += fmt::format("instruction_sets = [{}]\n", sets);
  out += fmt::format("memory_bytes = {}\n", p.machine.memory_bytes);
  text("solver", p.solver);
  text("precision", p.precision);
  text("simd", p.simd);
  out += fmt::format("threads = {}\n", p.threads);
  text("scene_hash", p.scene_hash);
  // Zero until measured: a record written before the run has none of these.
  if (p.wall_seconds > 0.0) {
    out += fmt::format("wall_seconds = {}\n", p.wall_seconds);
    out += fmt::format("particle_steps_per_s = {}\n", p.particle_steps_per_s);
    out += fmt::format("peak_memory_bytes = {}\n", p.peak_memory_bytes);
  }
  out += fmt::format("\n[{}.seeds]\n", table);
  for (const auto& [name, seed] : p.seeds) out += fmt::format("{} = {}\n", toml_string(name), seed);
  return out;
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace repose::experiments
