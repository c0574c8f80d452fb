#include "tests/fuzz/damage_state.h"

#include "experiments/run/provenance.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/particles/sampling.h"
#include "reference/interface/scene/step_control.h"
#include "reference/interface/scene_file/scene_file.h"
#include "tests/fuzz/forge_state.h"
#include "validation/solvers.h"
#include "validation/states/state_file.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>

namespace repose::fuzz {

namespace {

constexpr std::array<const char*, 2> solvers{"optimized", "reference"};
constexpr std::array<Boundary, 2> stops{boundary::step_start, boundary::p2g};
constexpr std::size_t bases = 2 * solvers.size() * stops.size();

Scene base_scene(int dim) {
  return load_scene(std::filesystem::path(REPOSE_SOURCE_DIR "/tests/fuzz/scenes") /
                    (dim == 2 ? "everything_2d.toml" : "solids_3d.toml"));
}

const char* solver_of(std::size_t base) { return solvers[base / 2 % 2]; }
int dim_of(std::size_t base) { return base % 2 == 0 ? 2 : 3; }
Boundary stop_of(std::size_t base) { return stops[base / 4]; }

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_bytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Changes that are sure to change something.
std::string with_bytes_changed(std::string bytes, Dice& dice) {
  const std::string before = bytes;
  while (bytes == before) {
    const std::size_t at = dice.below(bytes.size());
    const std::size_t length = 1 + dice.below(std::min<std::size_t>(64, bytes.size() - at));
    switch (dice.below(6)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        bytes.erase(at, length);
        break;
      case 2:
        bytes.insert(at, length, '\0');
        break;
      case 3:
        bytes.replace(at, length, length, '\xff');
        break;
      default: {
        // Flipped bits, high ones more often: signs and exponents.
        for (std::size_t i = 1 + dice.below(4); i > 0; --i) {
          const std::size_t place = dice.below(bytes.size());
          const std::size_t bit = dice.one_in(2) ? 7 : dice.below(8);
          bytes[place] = static_cast<char>(static_cast<unsigned char>(bytes[place]) ^ (1U << bit));
        }
      }
    }
  }
  return bytes;
}

}  // namespace

std::filesystem::path StatesToDamage::base(std::size_t number) const {
  return folder_ / fmt::format("base_{}.hdf", number);
}

void StatesToDamage::write() const {
  for (std::size_t k = 0; k < bases; ++k) {
    const Scene scene = base_scene(dim_of(k));
    const auto solver = make_solver(solver_of(k), scene, {});
    solver->load(sample(scene));
    for (int step = 0; step < 3; ++step) solver->run(boundary::step_start, boundary::plasticity, 1e-4);
    if (stop_of(k) != boundary::step_start) solver->run(boundary::step_start, stop_of(k), 1e-4);
    StateOrigin origin;
    origin.solver = solver->name();
    origin.precision = "double";
    origin.build = experiments::build();
    write_state(base(k), solver->save(stop_of(k), true), scene, origin);
  }
}

StatesToDamage::Damaged StatesToDamage::make(Dice& dice, const std::string& file_name) const {
  Damaged damaged;
  damaged.base = dice.below(bases);
  damaged.file = folder_ / file_name;
  damaged.is_sealed = !dice.one_in(3);
  std::string bytes = bytes_of(base(damaged.base));
  if (!damaged.is_sealed) bytes = with_bytes_changed(std::move(bytes), dice);
  write_bytes(damaged.file, bytes);
  if (damaged.is_sealed) forge(damaged.file, dice);
  return damaged;
}

std::filesystem::path StatesToDamage::damage(Dice& dice, const std::string& file_name) const {
  return make(dice, file_name).file;
}

Reached StatesToDamage::check(Dice& dice) const {
  const Damaged damaged = make(dice, "damaged.hdf");
  StoredState stored;
  if (!completes("read", [&] { stored = read_state(damaged.file); })) return Reached::refused;
  if (!damaged.is_sealed) throw Finding("a state with changed bytes was read");

  const Scene scene = base_scene(dim_of(damaged.base));
  Reached best = Reached::refused;
  for (const char* name : solvers) {
    const auto solver = make_solver(name, scene, {});
    if (!completes("load", [&] { solver->load(stored.snapshot); })) continue;
    best = std::max(best, Reached::loaded);
    const bool steps = completes("step", [&] {
      if (stored.snapshot.at != boundary::step_start) {
        // run() leaves Δt to its caller.
        if (stored.snapshot.dt > 0.0)
          solver->run(stored.snapshot.at, boundary::plasticity, stored.snapshot.dt);
        return;
      }
      const StepControl control(scene);
      const double frame_end = control.frame_time(stored.origin.frame + 1);
      solver->advance([&](double speed) { return control.next(solver->time(), speed, frame_end).dt; });
    });
    if (steps) best = Reached::stepped;
  }
  return best;
}

}  // namespace repose::fuzz
