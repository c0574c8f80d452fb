#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/exact/mpm/problems.h"
#include "validation/exact/mpm/standing_wave.h"
#include "validation/mechanics/stencil.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace repose::exact {

namespace {

using Complex = std::complex<double>;

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
  for (int n = 0; n < particles_of_wave; ++n) {
    // In the middle of the box, where no seam is near.
    Point x = grid.domain_min + 2.0 * grid.h * Point(1.0, 1.0, w.scene.dim() > 2 ? 1.0 : 0.0);
    x[0] = grid.domain_min[0] + grid.h * (5.0 + (n + 0.5) / particles_of_wave);
    const crosscheck::Stencil near = crosscheck::stencil(w.scene, x);
    Complex I, J, S;
    for (std::size_t i = 0; i < static_cast<std::size_t>(near.size); ++i) {
      const double arm = grid.nearest(grid.node_position(near.node[i]) - x)[0];
      const Complex turn = std::polar(1.0, w.k * arm);
      I += near.w[i] * turn;
      J += near.w[i] * arm * turn;
      S += near.grad[i][0] * turn;
    }
    sum.to += I.real() / particles_of_wave;
    sum.through += std::norm(I) / particles_of_wave;
    if (mpm_options(w.scene).transfer == Transfer::apic) sum.through += std::norm(J) / D / particles_of_wave;
    sum.stiffness += w.c * w.c * std::norm(S) / particles_of_wave;
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
  const std::vector<double> found = wave_motion(trial, w, 1.3).displacement;
  Linear linear{symbols(w), share_of_flip(w.scene), 0.0, 0.0, 0.0};
  linear.u = linear.by.to * w.speed;
  std::vector<double> expected{0.0};
  double largest = 0.0;
  while (expected.size() < found.size()) {
    linear.step(w.dt);
    expected.push_back(linear.displacement);
    largest = std::max(largest, std::abs(linear.displacement));
  }
  const double strain = w.speed / w.c;
  const auto solver = trial.solver(w.scene);
  const double stored = solver->rounding().position + 1e-9 * solver->rounding().unit * w.scene.grid.h;
  ledger.needs("steps", 100);
  for (std::size_t n = 1; n < found.size(); ++n) {
    const double rounded = 2.0 * static_cast<double>(n) * stored / largest;
    ledger.near("displacement over its largest", found[n] / largest, expected[n] / largest,
                100.0 * strain * strain + rounded);
    ledger.saw("steps");
  }
  if (crosscheck::transfer_of(trial.setup) == Transfer::pic)
    return;  // damped so much that a period says nothing
  const double kh = w.k * w.scene.grid.h;
  const double once = kh * kh * (mpm_options(w.scene).kernel == Kernel::quadratic ? 1.0 / 8.0 : 1.0 / 6.0);
  const double lumped = share_of_flip(w.scene) > 0.0 ? 2.0 * once : once;
  const double period = period_of(found, w.dt);
  ledger.near("period over that of a continuum", period * w.c * w.k / (2.0 * std::numbers::pi), 1.0 + lumped,
              0.1 * lumped);
}

/// Sound at three spacings, each half the one before: period and places tend to those of a continuum in second order.
///
/// The period's error is e = a (kh)² (1 + b (kh)²), a ≤ 1/3, that of FLIP by cubic kernels, and b ≤ a/2 + 1/30 ≤ 0.2 from the
/// expansion of the sinc: the order seen is no further from 2 than 0.2 (kh)²/ln 2, kh of the coarser.
///
/// A period hardly tells of damping (PIC's is of second order as well, its wave of first). Places do, over the first period.
/// They lag by 2πe at its end and miss by less, 2πe (1 − e − (2πe)²/6), the sine of that; the kernel's mean takes up to e of
/// the amplitude, and APIC (kh)⁴/42 or, by cubic kernels, /21 of a velocity in each of 10π/kh steps, half that of a place: together
/// at most 0.65 (kh)² of the error, so that the order falls by up to (kh)² below 2, and rises above it by no more than the period's.
///
/// Either error is known but for what stand() grants to the bent law.
void converge(const Trial& trial, invariants::Ledger& ledger) {
  ledger.needs("pairs of spacings", 2);
  double kh = 0.0, period_before = 0.0, misfit_before = 0.0;
  for (const std::int64_t cells : {16, 32, 64}) {
    const Wave w = wave(trial.setup, MaterialKind::water, 0, cells);
    const WaveMotion found = wave_motion(trial, w, 1.1);
    const double period = period_of(found.displacement, w.dt) * w.c * w.k / (2.0 * std::numbers::pi) - 1.0;
    if (kh > 0.0) {
      const double more = 0.2 * kh * kh / std::numbers::ln2, bent = 100.0 * std::pow(w.speed / w.c, 2);
      const auto unsure = [&](double error) { return 2.0 * bent / std::abs(error) / std::numbers::ln2; };
      const auto named = [&](std::string_view what) {
        return fmt::format("order of the error of {}, from {} to {} cells", what, cells / 2, cells);
      };
      ledger.near(named("the period"), std::log2(period_before / period), 2.0, more + unsure(period));
      const double around = unsure(found.misfit);
      ledger.within(named("places"), std::log2(misfit_before / found.misfit), 2.0 - kh * kh - around,
                    2.0 + more + around);
      ledger.saw("pairs of spacings");
    }
    kh = w.k * w.scene.grid.h;
    period_before = period;
    misfit_before = found.misfit;
  }
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
  // In double alone: float needs strains that leave the order of the finest pair open by a quarter.
  std::vector<crosscheck::Setup> each;
  for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic})
    for (const Transfer transfer : {Transfer::apic, Transfer::flip})
      each.push_back(crosscheck::MpmSetup{.dim = 2, .kernel = kernel, .transfer = transfer});
  all.push_back(
      {"order_of_sound", "the same at three spacings, against a continuum", "waves", each, false, converge});
}

}  // namespace repose::exact
