#include "tests/fuzz/check_scene.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/emitters.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene/step_control.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/memory_need.h"
#include "validation/solvers.h"

#include <optional>

namespace repose::fuzz {

namespace {

constexpr double limit_bytes = 0x1p31;
/// Of what is sampled and stepped here: small, so that thousands of cases take a minute under sanitizers.
constexpr double small_particles = 1500.0;
constexpr double small_lattice = 1e5;
constexpr double small_bytes = 0x1p25;

bool is_small(const Scene& scene, const MemoryNeed& need) {
  double lattice = 0.0;
  for (const BodySize& body : body_sizes(scene, scene.duration, 1)) lattice += body.lattice_cells;
  if (!(need.particles <= small_particles && lattice <= small_lattice)) return false;
  const ImplicitOptions& o = mpm_options(scene).implicit;
  return !solves(mpm_options(scene).integrator) ||
         static_cast<double>(o.newton_iterations) * o.gmres_iterations * (1 + o.step_cuts) <= 500.0;
}

void require_same_when_written(const Scene& scene) {
  const std::string written = scene_to_toml(scene);
  std::string again;
  const bool is_read = completes("read what was written",
                                 [&] { again = scene_to_toml(parse_scene(written, "written.toml")); });
  if (!is_read) throw Finding("a scene that was read cannot be read after it was written");
  if (again != written) throw Finding("a scene changes when it is written and read");
}

/// @return whether two steps were taken
bool takes_steps(const Scene& scene, const Snapshot& start, std::string_view name, Precision precision) {
  const auto solver = make_solver(name, scene, {.precision = precision, .threads = 1, .simd = {}});
  if (!completes("load", [&] { solver->load(start); })) return false;
  return completes("step", [&] {
    const StepControl control(scene);
    std::optional<Inflow> inflow;
    if (!scene.emitters.empty()) inflow.emplace(scene);
    for (int step = 0; step < 2 && solver->time() < control.frame_time(1); ++step) {
      const double from = solver->time();
      solver->advance([&](double speed) { return control.next(from, speed, control.frame_time(1)).dt; });
      if (inflow) {
        const Snapshot entering = inflow->between(from, solver->time());
        if (entering.particles() > 0) solver->append(entering);
      }
    }
    solver->save(boundary::step_start, true);
  });
}

}  // namespace

Reached check_scene(const std::string& text) {
  Scene scene;
  if (!completes("read", [&] { scene = parse_scene(text, "mutated.toml"); })) return Reached::refused;
  require_same_when_written(scene);

  const MemoryNeed need = memory_need(scene, "optimized", {});
  const MemoryNeed readable = memory_need(scene, "reference", {});
  const bool fits = completes("size", [&] { require_memory(need, "mutated.toml", {limit_bytes, "--more"}); });
  const bool readable_fits = completes("size", [&] {
    require_memory(readable, "mutated.toml", {limit_bytes, "--more"});
  });
  if (!fits || !is_small(scene, need)) return Reached::too_large;

  Snapshot start;
  if (!completes("sample", [&] { start = sample(scene); })) return Reached::refused;
  bool steps = takes_steps(scene, start, "optimized", Precision::double_);
  steps = takes_steps(scene, start, "optimized", Precision::single_) || steps;
  if (readable_fits && readable.bytes <= small_bytes) {
    steps = takes_steps(scene, start, "reference", Precision::double_) || steps;
  }
  return steps ? Reached::stepped : Reached::loaded;
}

}  // namespace repose::fuzz
