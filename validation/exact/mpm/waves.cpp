#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/exact/mpm/particles.h"
#include "validation/exact/mpm/problems.h"
#include "validation/mechanics/field_access.h"
#include "validation/mechanics/stencil.h"

#include <cmath>
#include <complex>
#include <numbers>

namespace repose::exact {

namespace {

using Complex = std::complex<double>;

constexpr int per_axis = 4;

/// A standing wave along the first axis of a box without ends, of one length of the box, whose particles move along
/// `moving`: 0, of compression, or 1, of shear.
struct Wave {
  Scene scene;
  int moving = 0;
  double k = 0.0;       ///< wave number [1/m]
  double c = 0.0;       ///< speed of the wave [m/s]
  double speed = 0.0;   ///< largest one of a particle at the start [m/s]
  double dt = 0.0;      ///< [s]
  double phase = 0.37;  ///< puts no node of the wave onto the seam [rad]
};

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

Snapshot start(const Wave& w) {
  Snapshot state = lattice(w.scene, per_axis, 0, w.scene.grid.cells[1]);
  Field& v = state.get(field::v);
  const auto d = static_cast<std::size_t>(w.scene.dim());
  for (std::size_t p = 0; p < state.particles(); ++p)
    v.value[p * d + static_cast<std::size_t>(w.moving)] =
        w.speed * std::sin(w.k * crosscheck::point(state.get(field::x), p)[0] + w.phase);
  return state;
}

/// What a step makes of a wave e^{ikx} on the grid while it is small, from the judge's own weights of the particles of one
/// cell: `to`, from nodes to the mean of particles; `through`, from nodes to particles and back; `stiffness`, the
/// acceleration that a gradient of strain gives.
struct Symbols {
  double to = 0.0;
  double through = 0.0;    ///< of what APIC, or PIC and FLIP, carry
  double stiffness = 0.0;  ///< [1/s²]
};

///     I = Σ_i w_ip e^{ik(x_i − x_p)},   J = Σ_i w_ip (x_i − x_p) e^{ik(x_i − x_p)},   S = Σ_i ∂w_ip e^{ik(x_i − x_p)}
///     to = ⟨I⟩,   through = ⟨|I|² [+ |J|²/D with APIC]⟩,   stiffness = c² ⟨|S|²⟩,   ⟨·⟩ over the particles of a cell
Symbols symbols(const Wave& w) {
  const Grid& grid = w.scene.grid;
  const double D = grid.h * grid.h / (mpm_options(w.scene).kernel == Kernel::quadratic ? 4.0 : 3.0);
  Symbols sum;
  for (int n = 0; n < per_axis; ++n) {
    // In the middle of the box, where no seam is near.
    Point x = grid.domain_min + 2.0 * grid.h * Point(1.0, 1.0, w.scene.dim() > 2 ? 1.0 : 0.0);
    x[0] = grid.domain_min[0] + grid.h * (5.0 + (n + 0.5) / per_axis);
    const crosscheck::Stencil near = crosscheck::stencil(w.scene, x);
    Complex I, J, S;
    for (std::size_t i = 0; i < static_cast<std::size_t>(near.size); ++i) {
      const double arm = grid.nearest(grid.node_position(near.node[i]) - x)[0];
      const Complex turn = std::polar(1.0, w.k * arm);
      I += near.w[i] * turn;
      J += near.w[i] * arm * turn;
      S += near.grad[i][0] * turn;
    }
    sum.to += I.real() / per_axis;
    sum.through += std::norm(I) / per_axis;
    if (mpm_options(w.scene).transfer == Transfer::apic) sum.through += std::norm(J) / D / per_axis;
    sum.stiffness += w.c * w.c * std::norm(S) / per_axis;
  }
  return sum;
}

/// Amplitudes of the wave on the grid, step by step: velocity u before forces, strain s over the gradient of the wave, and
/// the particles' displacement.
///
///     v̄ = u − Δt κ s,   s ← s + Δt v̄,   displacement ← displacement + Δt to v̄
///     u ← f (u + G (v̄ − u)) + (1 − f) G v̄,     G = through, f the share of FLIP
struct Linear {
  Symbols by;
  double flip = 0.0;
  double u = 0.0, s = 0.0, displacement = 0.0;

  void step(double dt) {
    const double v_bar = u - dt * by.stiffness * s;
    s += dt * v_bar;
    displacement += dt * by.to * v_bar;
    u = flip * (u + by.through * (v_bar - u)) + (1.0 - flip) * by.through * v_bar;
  }
};

double share_of_flip(const Scene& scene) {
  if (mpm_options(scene).transfer == Transfer::flip) return 1.0;
  return mpm_options(scene).transfer == Transfer::flip_pic ? mpm_options(scene).flip_share : 0.0;
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

/// When the displacement, which begins at 0, comes back to 0 the second time: a period [s]; 0 if it does not.
double period_of(const std::vector<double>& displacement, double dt) {
  int passes = 0;
  for (std::size_t n = 1; n + 1 < displacement.size(); ++n) {
    const double a = displacement[n], b = displacement[n + 1];
    if ((a > 0.0) == (b > 0.0) || ++passes < 2) continue;
    return dt * (static_cast<double>(n) + a / (a - b));
  }
  return 0.0;
}

struct Run {
  std::vector<double> got, expected;
  double largest = 0.0;
};

Run run(const Trial& trial, const Wave& w, double periods) {
  const auto solver = trial.solver(w.scene);
  const Snapshot first = start(w);
  solver->load(first);
  const Field& x = first.get(field::x);
  const std::vector<double> shape = shape_of(w, x);
  Linear linear{symbols(w), share_of_flip(w.scene), 0.0, 0.0, 0.0};
  linear.u = linear.by.to * w.speed;
  Run result{{0.0}, {0.0}, 0.0};
  const int steps = static_cast<int>(std::ceil(periods * 2.0 * std::numbers::pi / (w.c * w.k) / w.dt));
  for (int step = 0; step < steps; ++step) {
    solver->advance([&](double) { return w.dt; });
    linear.step(w.dt);
    result.got.push_back(amplitude(w, shape, x, solver->positions()));
    result.expected.push_back(linear.displacement);
    result.largest = std::max(result.largest, std::abs(linear.displacement));
  }
  return result;
}

/// A standing wave of small amplitude, step by step against what is linear in it (Linear). What is left out is of second
/// order: a strain e = speed/c bends the law and moves particles off their lattice, which couples to the wave itself by e²,
/// and in each step positions round by their storage.
///
/// Besides, its period against that of an endless continuum, 2π/(ck), which a lumped mass and forces by B-splines of degree n
/// make longer, by (kh)²/8 for quadratic and (kh)²/6 for cubic kernels, from
///
///     ω² = c² k² sinc(kh/2)^{2n+2}          (forces: the kernel's transform, n + 1 factors, twice; the mass has none)
///
/// With FLIP it is twice as much longer: only changes of velocity go to particles and back, through the kernel twice more.
void stand(const Trial& trial, MaterialKind kind, int moving, invariants::Ledger& ledger) {
  const Wave w = wave(trial.setup, kind, moving, 16);
  const Run found = run(trial, w, 1.3);
  const double strain = w.speed / w.c;
  const auto solver = trial.solver(w.scene);
  const double stored = solver->rounding().position + 1e-9 * solver->rounding().unit * w.scene.grid.h;
  ledger.needs("steps", 100);
  for (std::size_t n = 1; n < found.got.size(); ++n) {
    const double rounded = 2.0 * static_cast<double>(n) * stored / found.largest;
    ledger.near("displacement over its largest", found.got[n] / found.largest,
                found.expected[n] / found.largest, 100.0 * strain * strain + rounded);
    ledger.saw("steps");
  }
  if (crosscheck::transfer_of(trial.setup) == Transfer::pic)
    return;  // damped so much that a period says nothing
  const double kh = w.k * w.scene.grid.h;
  const double once = kh * kh * (mpm_options(w.scene).kernel == Kernel::quadratic ? 1.0 / 8.0 : 1.0 / 6.0);
  const double lumped = share_of_flip(w.scene) > 0.0 ? 2.0 * once : once;
  const double period = period_of(found.got, w.dt);
  ledger.near("period over that of a continuum", period * w.c * w.k / (2.0 * std::numbers::pi), 1.0 + lumped,
              0.1 * lumped);
}

}  // namespace

void add_waves(std::vector<Exact>& all) {
  all.push_back({"wave_of_compression", "a small standing wave along its own motion in a box without ends",
                 "waves", crosscheck::setups(method::mpm.name, 0), false,
                 [](const Trial& trial, invariants::Ledger& ledger) {
                   stand(trial, MaterialKind::elastic, 0, ledger);
                 }});
  all.push_back({"wave_of_shear", "a small standing wave across its own motion in a box without ends",
                 "waves", crosscheck::setups(method::mpm.name, 1), false,
                 [](const Trial& trial, invariants::Ledger& ledger) {
                   stand(trial, MaterialKind::elastic, 1, ledger);
                 }});
  all.push_back(
      {"wave_of_sound", "a small standing wave of water in a box without ends", "waves",
       crosscheck::setups(method::mpm.name, 1), false,
       [](const Trial& trial, invariants::Ledger& ledger) { stand(trial, MaterialKind::water, 0, ledger); }});
}

}  // namespace repose::exact
