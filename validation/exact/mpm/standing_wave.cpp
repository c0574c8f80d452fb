#include "validation/exact/mpm/standing_wave.h"

#include "reference/interface/methods/mpm.h"
#include "validation/exact/mpm/particles.h"
#include "validation/mechanics/field_access.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace repose::exact {

namespace {

/// An elastic body, or water that is about as stiff.
Material medium(MaterialKind kind) {
  Material m;
  m.name = "medium";
  m.kind = kind;
  m.density = 1000.0;
  if (kind == MaterialKind::water) {
    m.water_stiffness = 2e5;
    m.water_gamma = 7.0;
    return m;
  }
  m.youngs_modulus = 1e6;
  m.poisson_ratio = 0.3;
  return m;
}

Snapshot start(const Wave& w) {
  Snapshot state = lattice(w.scene, particles_of_wave, 0, w.scene.grid.cells[1]);
  Field& v = state.get(field::v);
  const auto d = static_cast<std::size_t>(w.scene.dim());
  for (std::size_t p = 0; p < state.particles(); ++p)
    v.value[p * d + static_cast<std::size_t>(w.moving)] =
        w.speed * std::sin(w.k * crosscheck::point(state.get(field::x), p)[0] + w.phase);
  return state;
}

/// The wave's own shape at the particles' places at the start.
std::vector<double> shape_of(const Wave& w, const Field& start) {
  std::vector<double> shape;
  for (std::size_t i = 0; i < start.value.size(); i += static_cast<std::size_t>(w.scene.dim()))
    shape.push_back(std::sin(w.k * start.value[i] + w.phase));
  return shape;
}

/// Amplitude of the particles' displacement in that shape, from their places at the start.
double amplitude(const Wave& w, const std::vector<double>& shape, const Field& start,
                 const std::vector<double>& now) {
  double sum = 0.0;
  const auto d = static_cast<std::size_t>(w.scene.dim());
  const std::size_t particles = now.size() / d;
  for (std::size_t p = 0; p < particles; ++p) {
    const std::size_t moved = p * d + static_cast<std::size_t>(w.moving);
    Point way = Point::Zero();
    way[w.moving] = now[moved] - start.value[moved];
    sum += w.scene.grid.nearest(way)[w.moving] * shape[p];
  }
  return 2.0 * sum / static_cast<double>(particles);
}

/// Of one time, as WaveMotion has it.
double misfit_of(const Wave& w, const std::vector<double>& shape, const Field& start,
                 const std::vector<double>& now, double time) {
  const double omega = w.c * w.k, largest = w.speed / omega;
  const auto d = static_cast<std::size_t>(w.scene.dim());
  double sum = 0.0;
  for (std::size_t p = 0; p < shape.size(); ++p) {
    Point way = Point::Zero();
    for (std::size_t a = 0; a < d; ++a)
      way[static_cast<Eigen::Index>(a)] = now[p * d + a] - start.value[p * d + a];
    way = w.scene.grid.nearest(way);
    way[w.moving] -= largest * std::sin(omega * time) * shape[p];
    sum += way.squaredNorm();
  }
  return std::sqrt(sum / static_cast<double>(shape.size())) / largest;
}

}  // namespace

Wave wave(const crosscheck::Setup& setup, MaterialKind kind, int moving, std::int64_t cells) {
  Wave w;
  w.moving = moving;
  w.scene = empty_scene(setup);
  Grid& grid = w.scene.grid;
  grid.h = 1.0 / static_cast<double>(cells);
  grid.domain_min = Point(-0.3, 0.1, setup.dim > 2 ? 0.2 : 0.0);
  grid.cells = {cells, 4, setup.dim > 2 ? 4 : 1};
  grid.periodic = {true, true, setup.dim > 2};
  const Material m = medium(kind);
  w.scene.materials = {m};
  const Lame moduli = lame(m);
  const double pressing =
      kind == MaterialKind::water ? m.water_gamma * m.water_stiffness : moduli.lambda + 2.0 * moduli.mu;
  w.c = std::sqrt((moving == 0 ? pressing : moduli.mu) / m.density);
  w.k = 2.0 * std::numbers::pi / grid.period(0);
  w.dt = 0.2 * grid.h / std::sqrt(pressing / m.density);
  w.scene.step.max_dt = w.dt;
  w.speed = (setup.precision == Precision::double_ ? 1e-4 : 1e-3) * w.c;
  return w;
}

double period_of(const std::vector<double>& displacement, double dt) {
  int passes = 0;
  for (std::size_t n = 1; n + 1 < displacement.size(); ++n) {
    const double a = displacement[n], b = displacement[n + 1];
    if ((a > 0.0) == (b > 0.0) || ++passes < 2) continue;
    return dt * (static_cast<double>(n) + a / (a - b));
  }
  return 0.0;
}

WaveMotion wave_motion(const Trial& trial, const Wave& w, double periods) {
  const auto solver = trial.solver(w.scene);
  const Snapshot first = start(w);
  solver->load(first);
  const Field& x = first.get(field::x);
  const std::vector<double> shape = shape_of(w, x);
  WaveMotion result{{0.0}, 0.0};
  const double period = 2.0 * std::numbers::pi / (w.c * w.k);
  const int steps = static_cast<int>(std::ceil(periods * period / w.dt));
  for (int step = 0; step < steps; ++step) {
    solver->advance([&](double) { return w.dt; });
    const std::vector<double> now = solver->positions();
    result.displacement.push_back(amplitude(w, shape, x, now));
    const double time = (step + 1) * w.dt;
    if (time < period + 0.5 * w.dt)
      result.misfit = std::max(result.misfit, misfit_of(w, shape, x, now, time));
  }
  return result;
}

}  // namespace repose::exact
