#pragma once

#include "validation/invariants/ledger.h"

#include <functional>
#include <string>
#include <vector>

namespace repose::invariants {

/// A property of what both solvers share (`reference/interface`): scenes, shapes, motion, step control, sampling,
/// emitters, random numbers. A mistake there misleads both solvers alike, so no comparison of the two sees it. Each is
/// judged by a second way, as plain as possible, that calls nothing of what it judges. And of what each solver says or does
/// that lock-step cannot compare: rotations of F, the sums that bounds are made of, how long a solve takes, other
/// instruction sets, halved steps.
struct Invariant {
  std::string name;
  std::string what;       ///< in words
  std::string subject;    ///< of the Ledger
  std::vector<int> dims;  ///< a case each; empty: one case, nothing depends on the dimension
  std::function<void(int dim, Ledger& ledger)> judge;
};

const std::vector<Invariant>& invariants();

/// A case of an invariant, "NAME/2d".
struct InvariantCase {
  std::string name;
  std::string invariant;
  int dim = 0;  ///< 0: none
};
std::vector<InvariantCase> invariant_cases();

/// @throws BadInput for an unknown invariant
crosscheck::CaseReport run_invariant(const InvariantCase& one);

// The invariants by what they are about.
void add_shapes(std::vector<Invariant>& all);    ///< distance, extent
void add_motion(std::vector<Invariant>& all);    ///< pose and velocity of bodies in time
void add_laws(std::vector<Invariant>& all);      ///< moduli, wave speed, friction angle
void add_steps(std::vector<Invariant>& all);     ///< limits of Δt, ends of frames
void add_random(std::vector<Invariant>& all);    ///< random numbers
void add_lattices(std::vector<Invariant>& all);  ///< regular and jittered sampling
void add_poisson_disks(std::vector<Invariant>& all);
void add_bodies(std::vector<Invariant>& all);            ///< particles of seeds
void add_openings(std::vector<Invariant>& all);          ///< of emitters
void add_inflow(std::vector<Invariant>& all);            ///< what emitters let in
void add_scene_files(std::vector<Invariant>& all);       ///< reading and writing
void add_grids(std::vector<Invariant>& all);             ///< ids and places of nodes
void add_sizes(std::vector<Invariant>& all);             ///< estimates of memory
void add_states(std::vector<Invariant>& all);            ///< what a solver refuses to load
void add_refusals(std::vector<Invariant>& all);          ///< of scenes, and warnings
void add_periodic_places(std::vector<Invariant>& all);   ///< nodes and bodies of domains that come again
void add_periodic_sources(std::vector<Invariant>& all);  ///< and their particles
void add_rotations(std::vector<Invariant>& all);         ///< of strains, which no law may see
void add_sums(std::vector<Invariant>& all);              ///< what bounds are made of
void add_solve_work(std::vector<Invariant>& all);        ///< how long implicit solves take
void add_turns(std::vector<Invariant>& all);             ///< what is asked out of turn
void add_solver_claims(std::vector<Invariant>& all);     ///< other instruction sets, halved steps

}  // namespace repose::invariants
