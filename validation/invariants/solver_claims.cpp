// What solvers say they do besides a step of their best kernels.
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/crosscheck/run_case.h"
#include "validation/invariants/invariants.h"
#include "validation/invariants/plain.h"
#include "validation/mechanics/strain.h"
#include "validation/solvers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace repose::invariants {

namespace {

using crosscheck::Case;
using crosscheck::MpmSetup;
using crosscheck::Setup;

/// A solver, or nothing where this machine does not have the instruction set.
std::unique_ptr<Solver> with_set(std::string_view solver, const Case& c, std::string_view simd) {
  try {
    return make_solver(solver, c.scene, crosscheck::options_of(c.setup, simd));
  } catch (const BadInput&) {
    return nullptr;
  }
}

/// Kernels that other machines take, in lock-step within the same bounds.
void instruction_sets(int dim, Ledger& ledger) {
  const Setup setups[] = {
      MpmSetup{
          .dim = dim, .kernel = Kernel::cubic, .transfer = Transfer::apic, .precision = Precision::single_},
      MpmSetup{.dim = dim,
               .kernel = Kernel::quadratic,
               .transfer = Transfer::flip_pic,
               .precision = Precision::double_}};
  for (const SolverInfo& info : solver_infos()) {
    if (info.serial) continue;
    for (const std::string_view set : {"SSE4", "AVX2"})
      for (const std::string_view scenario : {"volume_correction", "implicit_floor"})
        for (const Setup& setup : setups) {
          const Case c = crosscheck::make_case(scenario, setup);
          if (!has_precision(info.name, setup.precision) || with_set(info.name, c, set) == nullptr) continue;
          const auto candidate = [&](const Scene& scene, const SolverOptions& options) {
            return make_solver(info.name, scene, options);
          };
          const auto reference = [](const Scene& scene, const SolverOptions& options) {
            return make_solver(judging_solver(method::mpm.name), scene, options);
          };
          ledger.include(crosscheck::run_case(c, candidate, reference, set),
                         fmt::format("{} with {} in {}", info.name, set, c.name));
        }
  }
}

/// One step of c.dt, in one piece or by stages. @returns nothing: it was refused
std::optional<StepReport> step_of(Solver& solver, const Case& c, bool in_one_piece) {
  solver.load(c.start);
  try {
    if (in_one_piece) return solver.advance([&](double) { return c.dt; });
    const auto list = solver.boundaries();
    StepReport last;
    for (std::size_t i = 0; i + 1 < list.size(); ++i) last = solver.run(list[i], list[i + 1], c.dt);
    return last;
  } catch (const SimulationError&) {
    return std::nullopt;
  }
}

/// A step that can be solved, one of twice its length and one of four times: advance() halves it as often as it must, where
/// it may so often; run() never does, since its caller's Δt is not the solver's to change.
void cuts(int dim, Ledger& ledger) {
  ledger.needs("steps", 20);
  ledger.needs("refusals", 20);
  const Case solvable =
      crosscheck::make_case("implicit_cut", MpmSetup{.dim = dim, .kernel = Kernel::quadratic});
  for (const std::string& name : solver_names())
    for (const int allowed : {0, 1, 2, 3})
      for (const int needed : {0, 1, 2})
        for (const bool in_one_piece : {false, true}) {
          Case c = solvable;
          c.dt = std::ldexp(c.dt, needed);
          mpm_options(c.scene).implicit.step_cuts = allowed;
          const auto solver = make_solver(name, c.scene);
          const auto step = step_of(*solver, c, in_one_piece);
          const bool goes_on = needed <= (in_one_piece ? allowed : 0);
          const std::string of = fmt::format(" of {} in {}, {} needed and {} allowed", name,
                                             in_one_piece ? "one piece" : "stages", needed, allowed);
          ledger.saw(goes_on ? "steps" : "refusals");
          ledger.equal("steps" + of, step ? 1.0 : 0.0, goes_on ? 1.0 : 0.0);
          if (!step || !in_one_piece) continue;
          ledger.equal("step_cuts" + of, static_cast<double>(step->counts[counter::step_cuts]), needed);
          ledger.equal("dt" + of, step->dt, solvable.dt);
          ledger.equal("time" + of, solver->time(), c.start.time + solvable.dt);
        }
}

/// Each solver in each of its precisions.
template <class Visit>
void for_each_solver(Visit visit) {
  for (const SolverInfo& info : solver_infos())
    for (const Precision precision : info.precisions)
      visit(info.name, precision, fmt::format(" of {} in {}", info.name, crosscheck::name_of(precision)));
}

/// In lock-step every step begins with a load. A solver left to itself tells of the speeds that its own last step gave.
void speeds(int dim, Ledger& ledger) {
  ledger.needs("steps", 60);
  for (const Transfer transfer : {Transfer::apic, Transfer::pic, Transfer::flip, Transfer::flip_pic})
    for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic})
      for_each_solver([&](std::string_view name, Precision precision, const std::string& of) {
        const Case c = crosscheck::make_case(
            "room_corner",
            MpmSetup{
                .dim = dim, .kernel = kernel, .transfer = transfer, .precision = precision, .threads = 1});
        const auto solver = make_solver(name, c.scene, {.precision = precision});
        solver->load(c.start);
        for (int step = 0; step < 4; ++step) {
          const std::vector<double> v = solver->save(boundary::step_start, false).get(field::v).value;
          const auto d = static_cast<std::size_t>(dim);
          double fastest = 0.0, told = -1.0;
          for (std::size_t p = 0; p < v.size() / d; ++p) {
            double squared = 0.0;
            for (std::size_t a = 0; a < d; ++a) squared += v[d * p + a] * v[d * p + a];
            fastest = std::max(fastest, std::sqrt(squared));
          }
          const StepReport report = solver->advance([&](double speed) {
            told = speed;
            return c.dt;
          });
          // d squares, their sum and a root.
          const double rounding = 4.0 * (dim + 2) * solver->rounding().unit * fastest;
          ledger.near("speed told" + of, told, fastest, rounding);
          ledger.equal("speed reported" + of, report.max_speed, told);
          ledger.saw("steps");
        }
      });
}

/// A solver in front of the update, where the particles' own velocities and gradients may be replaced.
struct BeforeUpdate {
  std::unique_ptr<Solver> solver;
  double dt = 0.0;  ///< [s]
  Snapshot state;
};

BeforeUpdate before_update(std::string_view name, int dim, Precision precision) {
  const Case c = crosscheck::make_case(
      "mixed_states",
      MpmSetup{.dim = dim, .kernel = Kernel::quadratic, .precision = precision, .threads = 1});
  auto solver = make_solver(name, c.scene, {.precision = precision});
  solver->load(c.start);
  solver->run(boundary::step_start, boundary::g2p, c.dt);
  Snapshot state = solver->save(boundary::g2p, false);
  return {std::move(solver), c.dt, std::move(state)};
}

/// det of the corner of d × d numbers.
double determinant(const crosscheck::Tensor& B, int dim) {
  const auto minor = [&](int a, int b) { return B(1, a) * B(2, b) - B(1, b) * B(2, a); };
  if (dim < 3) return B(0, 0) * B(1, 1) - B(0, 1) * B(1, 0);
  return B(0, 0) * minor(1, 2) - B(0, 1) * minor(0, 2) + B(0, 2) * minor(0, 1);
}

/// A particle is inside out where det(1 + Δt ∇v) ≤ 0, whatever signs its cofactors have: it stops the step then and only then.
void inside_out(int dim, Ledger& ledger) {
  ledger.needs("turned inside out", 100);
  ledger.needs("strained", 100);
  for_each_solver([&](std::string_view name, Precision precision, const std::string& of) {
    const auto& [solver, dt, healthy] = before_update(name, dim, precision);
    Dice dice(74);
    for (std::size_t n = 0; n < 200; ++n) {
      const std::size_t p = n % healthy.particles();
      crosscheck::Tensor B = crosscheck::Tensor::Zero();
      Snapshot state = healthy;
      Field& grad_v = state.get(field::grad_v);
      const auto d = static_cast<std::size_t>(dim);
      for (int a = 0; a < dim; ++a)
        for (int b = 0; b < dim; ++b) {
          B(a, b) = dice.between(-1.5, 1.5);
          grad_v.value[(p * d + static_cast<std::size_t>(a)) * d + static_cast<std::size_t>(b)] =
              (B(a, b) - (a == b ? 1.0 : 0.0)) / dt;
        }
      const double det = determinant(B, dim);
      if (std::abs(det) < 0.05) continue;
      ledger.saw(det < 0.0 ? "turned inside out" : "strained");
      bool stopped = false;
      try {
        solver->load(state);
        solver->run(boundary::g2p, boundary::update, dt);
      } catch (const SimulationError&) {
        stopped = true;
      }
      ledger.equal("steps stopped" + of, stopped ? 1.0 : 0.0, det < 0.0 ? 1.0 : 0.0);
    }
  });
}

/// One particle of a block, each in its turn, is turned inside out or thrown out of the domain: it is named and no other.
void blame(int dim, Ledger& ledger) {
  ledger.needs("particles blamed", 400);
  for_each_solver([&](std::string_view name, Precision precision, const std::string& of) {
    const auto& [solver, dt, healthy] = before_update(name, dim, precision);
    for (std::size_t p = 0; p < healthy.particles(); ++p) {
      Snapshot ill = healthy;
      if (p % 2 == 0) {
        Field& grad_v = ill.get(field::grad_v);
        grad_v.value[p * static_cast<std::size_t>(grad_v.components)] = -3.0 / dt;
      } else {
        ill.get(field::v_bar).value[p * static_cast<std::size_t>(dim)] = 1e3 / dt;
      }
      double blamed = -1.0;
      try {
        solver->load(ill);
        solver->run(boundary::g2p, boundary::update, dt);
      } catch (const SimulationError& error) {
        blamed = static_cast<double>(error.particle);
        ledger.saw("particles blamed");
      }
      ledger.equal((p % 2 == 0 ? "particle inverted" : "particle that left") + of, blamed,
                   static_cast<double>(p));
    }
  });
}

}  // namespace

void add_solver_claims(std::vector<Invariant>& all) {
  all.push_back({"instruction_sets",
                 "kernels of every instruction set of this machine, in lock-step",
                 "instruction sets",
                 {2, 3},
                 instruction_sets});
  all.push_back(
      {"cuts",
       "steps that cannot be solved are halved as often as they must and may be, by advance() alone",
       "advance",
       {2, 3},
       cuts});
  all.push_back({"speeds",
                 "the largest speed that a solver left to itself tells of is that of its particles",
                 "advance",
                 {2, 3},
                 speeds});
  all.push_back({"inside_out",
                 "steps stop where a particle is turned inside out, and only there",
                 "update",
                 {2, 3},
                 inside_out});
  all.push_back({"blame", "whichever particle stops a step is named", "update", {2, 3}, blame});
}

}  // namespace repose::invariants
