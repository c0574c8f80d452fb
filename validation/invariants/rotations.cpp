// Solvers exchange F, or √b where they keep b = F Fᵀ. In lock-step the readable solver is thus loaded with symmetric F alone,
// and confusing the frames before and behind the rotation changes nothing: what was turned has to be judged apart.
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_probes.h"
#include "validation/invariants/invariants.h"

#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/mpm/case_states.h"
#include "validation/solvers.h"

#include <algorithm>
#include <cmath>

namespace repose::invariants {

namespace {

using crosscheck::Case;
using crosscheck::Tensor;

/// The state with each deformation gradient F replaced by F R, R another rotation for each particle: b stays.
Snapshot turned(Snapshot state, std::string_view name, int dim, Ledger& ledger) {
  Random random(61);
  Field& F = state.get(name);
  const auto size = static_cast<std::size_t>(dim * dim);
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const Tensor value = crosscheck::tensor(F, p, dim) * crosscheck::random_rotation(dim, random);
    for (int a = 0; a < dim; ++a)
      for (int b = 0; b < dim; ++b) F.value[p * size + static_cast<std::size_t>(a * dim + b)] = value(a, b);
    if ((value - value.transpose()).norm() > 0.1) ledger.saw("turned particles");
  }
  return state;
}

/// Strain that rounding may add where ε is formed from F in another frame, of the particle where it is most.
double strain_error(const Snapshot& state, std::string_view name, int dim) {
  double condition = 1.0;
  for (std::size_t p = 0; p < state.particles(); ++p)
    condition =
        std::max(condition, crosscheck::strain(crosscheck::tensor(state.get(name), p, dim), dim).condition);
  return 2.0 * crosscheck::strain_roundings(dim) * condition * 0x1p-53;
}

/// Impulse of stresses that are wrong by that strain, of all particles on one node: |∇w| ≤ 1.5/h.
double impulse_error(const Case& c, double strain_error, double dt) {
  double modulus = 0.0;
  for (const Material& material : c.scene.materials) {
    const Lame l = lame(material);
    modulus = std::max(modulus, 2.0 * l.mu + c.setup.dim * std::abs(l.lambda));
  }
  double volume = 0.0;
  for (const double one : c.start.get(field::volume).value) volume += one;
  return dt * volume * modulus * strain_error * 1.5 / c.scene.grid.h;
}

void compare(Ledger& ledger, std::string_view quantity, const std::vector<double>& got,
             const std::vector<double>& expected, double bound) {
  ledger.holds("as many numbers", got.size() == expected.size());
  for (std::size_t i = 0; i < std::min(got.size(), expected.size()); ++i)
    ledger.near(quantity, got[i], expected[i], bound);
}

/// b = F Fᵀ of every particle.
std::vector<double> left_stretches(const Snapshot& state, int dim) {
  std::vector<double> result;
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const Tensor F = crosscheck::tensor(state.get(field::F), p, dim);
    const Tensor b = F * F.transpose();
    result.insert(result.end(), b.data(), b.data() + b.size());
  }
  return result;
}

Case mixed(int dim) { return crosscheck::make_case("mixed_states", crosscheck::MpmSetup{.dim = dim}); }

/// What a solver's stage makes of a state.
Snapshot after(const std::string& name, const Case& c, const Snapshot& start, Boundary to, Ledger& ledger) {
  const auto solver = make_solver(name, c.scene);
  solver->load(start);
  const StepReport report = solver->run(start.at, to, c.dt);
  ledger.saw("inside", static_cast<double>(report.counts[counter::inside]));
  ledger.saw("tip", static_cast<double>(report.counts[counter::tip]));
  ledger.saw("surface", static_cast<double>(report.counts[counter::surface]));
  return solver->save(to, false);
}

void turned_forces(int dim, Ledger& ledger) {
  ledger.needs("turned particles", 200);
  const Case c = mixed(dim);
  const double bound = impulse_error(c, strain_error(c.start, field::F, dim), c.dt);
  const Snapshot other = turned(c.start, field::F, dim, ledger);
  for (const std::string& name : solvers_of(method::mpm.name))
    compare(ledger, "p_star of " + name,
            after(name, c, other, boundary::forces, ledger).get(field::p_star).value,
            after(name, c, c.start, boundary::forces, ledger).get(field::p_star).value, bound);
}

void turned_returns(int dim, Ledger& ledger) {
  ledger.needs("turned particles", 200);
  for (const std::string counter : {"inside", "tip", "surface"}) ledger.needs(counter, 20);
  const Case c = mixed(dim);
  for (const std::string& name : solvers_of(method::mpm.name)) {
    const Snapshot trial = after(name, c, c.start, boundary::update, ledger);
    const Snapshot other = turned(trial, field::F_trial, dim, ledger);
    const Snapshot a = after(name, c, trial, boundary::plasticity, ledger);
    const Snapshot b = after(name, c, other, boundary::plasticity, ledger);
    // The mapping passes strains on by a factor of 1 + √d cone slope (dλ + 2μ)/(2μ), some 3, and b doubles them.
    const double bound = 10.0 * strain_error(trial, field::F_trial, dim);
    compare(ledger, "b of " + name, left_stretches(b, dim), left_stretches(a, dim), bound);
    compare(ledger, "q of " + name, b.get(field::q).value, a.get(field::q).value, bound);
    compare(ledger, "v_c of " + name, b.get(field::v_c).value, a.get(field::v_c).value, bound);
  }
}

/// The stress of an implicit step, and its derivative.
void turned_impulses(int dim, Ledger& ledger) {
  ledger.needs("turned particles", 100);
  const Case c = crosscheck::make_case("implicit_mixed_states", crosscheck::MpmSetup{.dim = dim});
  for (const std::string& name : solvers_of(method::mpm.name)) {
    const auto solver = make_solver(name, c.scene);
    std::vector<double> impulse[2], change[2];
    double error = 0.0, largest = 0.0;
    for (const int turn : {0, 1}) {
      solver->load(turn == 0 ? c.start : turned(c.start, field::F, dim, ledger));
      solver->run(boundary::step_start, boundary::p2g, c.dt);
      const Snapshot at = solver->save(boundary::p2g, false);
      error = strain_error(at, field::F, dim);
      Random random(62);
      std::vector<double> v(at.get(field::p_i).value.size()), dv = v;
      const double speed = 0.02 * c.scene.grid.h / c.dt;
      for (double& one : v) one = speed * random.between(-1.0, 1.0);
      for (double& one : dv) one = random.between(-1.0, 1.0);
      impulse[turn] = impulses_at(*solver, dim, v, c.dt).impulse;
      change[turn] = impulse_change(*solver, dim, v, dv, c.dt);
    }
    for (const double one : change[0]) largest = std::max(largest, std::abs(one));
    compare(ledger, "impulse of " + name, impulse[1], impulse[0], 10.0 * impulse_error(c, error, c.dt));
    // Its terms divide differences of stresses by those of strains that lie apart by 10⁻⁴ or more, or take the limit.
    compare(ledger, "impulse_change of " + name, change[1], change[0], 1e4 * error * largest);
  }
}

}  // namespace

void add_rotations(std::vector<Invariant>& all) {
  all.push_back({"turned_forces",
                 "forces of F and of F R are the same, for any rotation R of each particle",
                 "forces",
                 {2, 3},
                 turned_forces});
  all.push_back({"turned_returns",
                 "so are b, hardening and volume correction behind the return mapping",
                 "plasticity",
                 {2, 3},
                 turned_returns});
  all.push_back({"turned_impulses",
                 "so are impulses of implicit steps and their derivative",
                 "collisions",
                 {2, 3},
                 turned_impulses});
}

}  // namespace repose::invariants
