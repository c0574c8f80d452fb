#include "validation/invariants/solve_work.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mpm.h"
#include "validation/crosscheck/run_case.h"
#include "validation/invariants/invariants.h"
#include "validation/solvers.h"

#include <algorithm>
#include <cstdlib>

namespace repose::invariants {

Work work_of(const SolveHistory& history) {
  Work result;
  result.newton = static_cast<int>(history.iterations.size());
  for (const NewtonIteration& one : history.iterations) {
    result.gmres += one.gmres_iterations;
    result.halvings += one.halvings;
  }
  for (const NodeHold& hold : history.holds)
    result.contacts += static_cast<int>(hold.bodies.size()) + (hold.prescribed ? 1 : 0);
  return result;
}

std::vector<crosscheck::CaseName> cases_of_work(int dim) {
  std::vector<crosscheck::CaseName> result;
  for (const std::string_view method : {method::mpm.name, method::mixture.name})
    for (const crosscheck::Scenario& one : crosscheck::scenarios(method)) {
      const bool solves = one.name.starts_with("implicit_") || one.name.starts_with("semi_") ||
                          one.name.starts_with("mixture_solved");
      if (!solves || one.name == "implicit_flight") continue;
      for (const crosscheck::Setup& setup : crosscheck::setups(method, 0)) {
        if (setup.dim != dim || crosscheck::make_case(one.name, setup).stops) continue;
        result.push_back({crosscheck::case_name(one.name, setup), one.name, setup});
      }
    }
  return result;
}

Work first_work(std::string_view solver, const crosscheck::CaseName& one) {
  const crosscheck::Case c = crosscheck::make_case(one.scenario, one.setup);
  const SolverOptions options =
      solver_info(solver).serial ? SolverOptions{} : crosscheck::options_of(one.setup, "");
  const auto made = make_solver(solver, c.scene, options);
  made->load(c.start);
  made->run(boundary::step_start, boundary::p2g, c.dt);
  return work_of(made->solve_history(c.dt));
}

bool within_one_iteration(const Work& kept, const Work& now) {
  const bool halved = kept.halvings + now.halvings > 0;
  const int newton = halved ? 1 + kept.newton / 4 : 1;
  const int per_iteration = kept.gmres / std::max(kept.newton, 1) + 1;
  const int apart = std::abs(kept.newton - now.newton);
  const int gmres = std::max(1, kept.gmres / (halved ? 4 : 50)) + apart * (per_iteration + 1);
  return apart <= newton && std::abs(kept.gmres - now.gmres) <= gmres && kept.contacts == now.contacts;
}

namespace {

const Work* find(std::string_view case_name, std::string_view solver) {
  for (const KeptWork& one : kept_work())
    if (one.case_name == case_name && one.solver == solver) return &one.work;
  return nullptr;
}

/// A derivative that lost a term, a start from elsewhere, a preconditioner of the wrong node or another way of stopping
/// change no answer, only the work. In exact arithmetic that is one number per case. Rounding turns a decision only where a
/// residual lies beside its tolerance by its own relative error: in double, some 10⁻¹⁶ times what the solve makes of it,
/// 10⁴ at most, never; for states in float 10⁻³ for each of a case's hundred decisions. Seen over SSE4, AVX2 and AVX-512:
/// none of these solves differs. So those in double are as kept, of those in float all but a few, and these within one
/// iteration.
void work_that_is_kept(int dim, Ledger& ledger) {
  const auto cases = cases_of_work(dim);
  double in_float = 0.0, turned = 0.0;
  for (const std::string& solver : solver_names())
    for (const crosscheck::CaseName& one : cases) {
      const Work* const kept = find(one.name, solver);
      const std::string of = one.name + " by " + solver;
      ledger.holds("kept work of " + of, kept != nullptr);
      if (kept == nullptr) continue;
      ledger.saw("solves");
      const Work now = first_work(solver, one);
      const bool single = one.setup.precision == Precision::single_ && !solver_info(solver).serial;
      if (single) {
        in_float += 1.0;
        turned += now == *kept ? 0.0 : 1.0;
        ledger.holds("within one iteration: " + of, within_one_iteration(*kept, now));
        continue;
      }
      ledger.equal("newton_iterations of " + of, now.newton, kept->newton);
      ledger.equal("gmres_iterations of " + of, now.gmres, kept->gmres);
      ledger.equal("halvings of " + of, now.halvings, kept->halvings);
      ledger.equal("contacts of " + of, now.contacts, kept->contacts);
    }
  ledger.needs("solves", dim == 2 ? 60 : 20);
  ledger.within("solves in float that take other work", turned, 0.0, std::max(1.0, in_float / 10.0));
}

/// Both solvers linearize the same balance and stop at the same tolerances: what they take differs by their preconditioner
/// and by their choice of contacts, so that one or two iterations of Newton's method are all, but where it is halved.
void work_of_both(int, Ledger& ledger) {
  ledger.needs("compared", 40);
  for (const KeptWork& one : kept_work()) {
    for (const std::string& solver : solver_names()) {
      const Work* const other = find(one.case_name, solver);
      if (other == nullptr || one.work.halvings > 0 || other->halvings > 0) continue;
      const std::string name(one.case_name);
      ledger.near("newton_iterations of both in " + name, other->newton, one.work.newton, 2.0);
      ledger.equal("contacts of both in " + name, other->contacts, one.work.contacts);
      ledger.saw("compared");
    }
  }
}

}  // namespace

void add_solve_work(std::vector<Invariant>& all) {
  all.push_back(
      {"solve_work",
       "iterations of Newton's method, GMRES and MINRES, halvings and contacts of implicit solves, as kept",
       "collisions",
       {2, 3},
       work_that_is_kept});
  all.push_back({"solve_work_alike",
                 "kept iterations of Newton's method are about as many for all solvers",
                 "collisions",
                 {},
                 work_of_both});
}

}  // namespace repose::invariants
