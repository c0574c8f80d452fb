/// Time per particle and step of a whole solver, in flow and at rest.
///
///     step_timing --kernel cubic --precision float --particles 1000000 --steps 40 --threads 1 --state flow
///
/// rest: a packed block on a floor between walls. flow: the same block on its way to collapse: sheared and falling apart
/// from the start, `--warm-up` steps into it. Prints one line per run; with --paced, for take_turns.py, one line of stage
/// times per byte of input.
#include "optimized/mpm/optimized_solver.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/step_control.h"
#include "reference/mpm/reference_solver.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>

namespace {

using namespace repose;

/// Seconds: of the wall, or of this process's threads together, which a busy machine disturbs less.
double seconds(bool cpu) {
  std::timespec t{};
  clock_gettime(cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double draw(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1.0p-53; }

/// A cube of sand, 8 particles per cell, one jittered particle in each half-cell, in a room three times as wide.
struct Start {
  Scene scene;
  Snapshot state;
};

Start make_start(Kernel kernel, std::size_t wanted, bool flow) {
  Start s;
  s.state.method = method::mpm.name;
  const auto edge = static_cast<int>(std::lround(std::cbrt(static_cast<double>(wanted) / 8.0)));
  s.scene.grid.h = 1.0 / edge;
  s.scene.grid.cells = {3L * edge + 8, 3L * edge + 8, 2L * edge};
  s.scene.scheme = MpmOptions{.kernel = kernel, .elastic_bound = kernel == Kernel::cubic ? 0.6 : 0.5};
  s.scene.gravity = Point(0, 0, -9.81);
  Material sand;
  sand.name = "sand";
  sand.density = 2200;
  sand.youngs_modulus = 3.537e5;
  sand.poisson_ratio = 0.3;
  sand.friction = {.h0 = 35 * degree, .h1 = 9 * degree, .h2 = 0.2, .h3 = 10 * degree};
  sand.volume_correction = true;
  s.scene.materials = {sand};
  const double h = s.scene.grid.h;
  const double first = flow ? edge + 4 : 4;  // cells: in the middle of the room, or in its corner
  const auto wall = [&](const char* name, const Point& x, const Point& n) {
    Collider c;
    c.name = name;
    c.shape = HalfSpace{x, n};
    c.friction = 0.5;
    s.scene.colliders.push_back(c);
  };
  wall("floor", Point(0, 0, 4 * h), Point(0, 0, 1));
  const double low = 4 * h;
  const double high = flow ? (3 * edge + 4) * h : (4 + edge) * h;
  wall("west", Point(low, 0, 0), Point(1, 0, 0));
  wall("east", Point(high, 0, 0), Point(-1, 0, 0));
  wall("south", Point(0, low, 0), Point(0, 1, 0));
  wall("north", Point(0, high, 0), Point(0, -1, 0));
  s.scene.step = {.max_dt = 1e-3, .cfl = 0.5};
  s.scene.frame_rate = 1;
  s.scene.duration = 100;

  const std::size_t count =
      static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge) * 8;
  const auto field = [&](std::string_view name, int components) -> std::vector<double>& {
    return s.state
        .set({std::string(name), "", Place::particle, components,
              std::vector<double>(static_cast<std::size_t>(components) * count)})
        .value;
  };
  field(field::mass, 1).assign(count, sand.density * h * h * h / 8);
  field(field::volume, 1).assign(count, h * h * h / 8);
  field(field::material, 1);
  field(field::q, 1);
  field(field::v_c, 1);
  field(field::J, 1).assign(count, 1.0);
  std::mt19937_64 random(1);
  {
    auto& x = field(field::x, 3);
    std::size_t p = 0;
    for (int i = 0; i < 2 * edge; ++i)
      for (int j = 0; j < 2 * edge; ++j)
        for (int k = 0; k < 2 * edge; ++k, ++p) {
          const int cell[3] = {i, j, k};
          for (std::size_t a = 0; a < 3; ++a) {
            const double origin = a == 2 ? 4.0 : first;
            x[3 * p + a] = h * (origin + 0.5 * (cell[a] + 0.1 + 0.8 * draw(random)));
          }
        }
  }
  {
    field(field::v, 3);
    field(field::C, 9);
    const std::vector<double>& x = s.state.get(field::x).value;
    const double rate = flow ? 2.0 : 0.0;  // 1/s: outward and down, without change of volume
    const double slope[3] = {rate, rate, -2 * rate};
    const double middle[3] = {h * (first + edge / 2.0), h * (first + edge / 2.0), 4 * h};
    for (std::size_t p = 0; p < count; ++p) {
      for (std::size_t a = 0; a < 3; ++a) {
        s.state.get(field::v).value[3 * p + a] = slope[a] * (x[3 * p + a] - middle[a]);
        s.state.get(field::C).value[9 * p + 4 * a] = slope[a];
      }
    }
  }
  auto& F = field(field::F, 9);
  for (std::size_t p = 0; p < count; ++p)
    for (std::size_t a = 0; a < 3; ++a) F[9 * p + 4 * a] = 1.0;
  return s;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Time per particle and step"};
  std::string kernel = "cubic", precision = "float", state = "flow", solver_name = "optimized", simd;
  std::size_t particles = 100000;
  int steps = 40, warm_up = 100, threads = 1, repeats = 3;
  app.add_option("--kernel", kernel)->check(CLI::IsMember({"cubic", "quadratic"}));
  app.add_option("--precision", precision)->check(CLI::IsMember({"float", "double"}));
  app.add_option("--state", state)->check(CLI::IsMember({"flow", "rest"}));
  app.add_option("--solver", solver_name)->check(CLI::IsMember({"optimized", "reference"}));
  app.add_option("--simd", simd);
  app.add_option("--particles", particles);
  app.add_option("--steps", steps);
  app.add_option("--warm-up", warm_up);
  app.add_option("--threads", threads);
  app.add_option("--repeats", repeats);
  bool cpu = false, paced = false, all_threads = false;
  app.add_flag("--all-threads", all_threads, "share every loop among all threads, however short");
  app.add_flag("--cpu", cpu, "count processor time instead of the wall's");
  app.add_flag("--paced", paced,
               "take --steps steps for each byte read, then print ns per particle and step of each stage");
  CLI11_PARSE(app, argc, argv);

  const Start start =
      make_start(kernel == "cubic" ? Kernel::cubic : Kernel::quadratic, particles, state == "flow");
  const auto solver =
      solver_name == "reference"
          ? make_reference_solver(start.scene)
          : make_optimized_solver(
                start.scene, {.precision = precision == "float" ? Precision::single_ : Precision::double_,
                              .threads = threads,
                              .simd = simd,
                              .all_threads = all_threads});
  solver->load(start.state);
  const StepControl control(start.scene);
  const auto next = [&](double speed) {
    return control.next(solver->time(), speed, control.frame_time(100)).dt;
  };
  StepReport report;
  for (int k = 0; k < warm_up; ++k) report = solver->advance(next);
  const double n = static_cast<double>(solver->particles());
  solver->stage_seconds();
  if (paced) {
    const auto print_stages = [&] {
      for (const auto& [name, seconds] : solver->stage_seconds())
        fmt::print("{} {:.3f} ", name, 1e9 * seconds / (n * steps));
      fmt::print("\n");
      std::fflush(stdout);
    };
    print_stages();
    while (std::getchar() != EOF) {
      for (int k = 0; k < steps; ++k) report = solver->advance(next);
      print_stages();
    }
    return 0;
  }
  std::vector<double> ns;
  for (int r = 0; r < repeats; ++r) {
    const double begin = seconds(cpu);
    for (int k = 0; k < steps; ++k) report = solver->advance(next);
    ns.push_back(1e9 * (seconds(cpu) - begin) / (n * steps));
  }
  std::sort(ns.begin(), ns.end());
  fmt::print("{} {} {} {} N={} threads={}: {:.1f} ns (best {:.1f}, worst {:.1f});", solver_name, kernel,
             precision, state, solver->particles(), threads, ns[ns.size() / 2], ns.front(), ns.back());
  for (const auto& [name, seconds] : solver->stage_seconds())
    fmt::print(" {} {:.1f}", name, 1e9 * seconds / (n * steps * repeats));
  const auto storage = solver->storage();
  fmt::print("; tip {:.0f}% surface {:.0f}%, max v {:.2f}, dt {:.2e}, {:.0f}+{:.0f} B/p\n",
             100.0 * static_cast<double>(report.counts[counter::tip]) / n,
             100.0 * static_cast<double>(report.counts[counter::surface]) / n, report.max_speed, report.dt,
             static_cast<double>(storage.particle_bytes) / n, static_cast<double>(storage.grid_bytes) / n);
  return 0;
}
