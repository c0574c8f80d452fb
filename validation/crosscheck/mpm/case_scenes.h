#pragma once

#include "validation/crosscheck/mpm/case_states.h"

namespace repose::crosscheck {

/// Cohesionless sand of constant friction angle [Klar16 Table 3].
Material sand(double friction_degrees);

/// Sand whose friction angle follows the plastic strain [Klar16 Table 3].
Material hardening_sand();

/// An elastic body as heavy and as stiff as sand.
Material rubber(double poisson_ratio);

/// Water of k [Pa] and γ, 1000 kg/m³.
Material water(double stiffness, double gamma);

/// Turns a case's steps into implicit ones. The tolerance is one that only a derivative without mistakes reaches in a few
/// iterations.
void solve_implicitly(Case& c, int gmres_iterations, int gmres_restart);

/// The same with the usual numbers, three times as long as explicit ones, and what such a case must exercise.
void step_implicitly(Case& c);

/// Grid with negative coordinates that no power of two divides: h = 5 cm, 12 × 10 (× 10) cells; Δt = 1 ms, 0.3 h/c.
void lay_out(Case& c, std::vector<Material> materials);

/// The block most scenarios start from: 4 × 3 (× 4) cells, x in [−0.15, 0.05], y in [−0.07, 0.08], z in [−0.1, 0.1] m.
void block(Case& c);

/// That block as sand with small strains of all kinds, moving with `velocity` and a little at random.
void moving_block(Case& c, const Point& velocity);

Collider body(Shape shape, Contact contact, double friction);
HalfSpace floor_at(double y);

/// A plane whose normal lies along no axis.
HalfSpace slope_at(double y, int dim);

/// Sand of three unilateral energies, one cohesive and hardening and one that keeps its volume, and rubber: strains before, in and
/// behind the fall of the multiplier, also close to its ends.
void lay_out_regions(Case& c);

/// The moving block with one body, which must touch some nodes.
void one_body(Case& c, const Point& velocity, Collider collider);

/// A sticky floor, in 3D turning about its own normal, and a slipping wall. Nodes stand on them but for rounding, or
/// outside by a hundredth of what counts as on the surface.
std::vector<Collider> surfaces_on_nodes(const Case& c);

// The scenarios by what they are about.
void add_materials(std::vector<Scenario>& all);  ///< laws and plastic cases
void add_contacts(std::vector<Scenario>& all);   ///< bodies, friction, motion
void add_reach(std::vector<Scenario>& all);      ///< bodies that only a block's fastest node reaches
void add_implicit(std::vector<Scenario>& all);   ///< implicit steps
void add_solves(std::vector<Scenario>& all);     ///< what Newton and GMRES meet in implicit steps
void add_places(std::vector<Scenario>& all);     ///< where particles are, how many, refusals
void add_sizes(std::vector<Scenario>& all);  ///< many blocks of the sparse grid, many threads, many particles
void add_periodic(std::vector<Scenario>& all);  ///< domains that come again
void add_drawn(std::vector<Scenario>& all);     ///< drawn from seeds
void add_semi(std::vector<Scenario>& all);  ///< semi-implicit steps, implicit ones with the unilateral energy
void add_cohesion(std::vector<Scenario>& all);  ///< cohesion, the volume it gives back, the unilateral energy
void add_water(std::vector<Scenario>& all);     ///< water
void add_drawn_waters(std::vector<Scenario>& all);  ///< water, drawn from seeds
void add_solved_water(std::vector<Scenario>& all);  ///< water in steps that solve
void add_kept_solve(std::vector<Scenario>& all);    ///< a solve that does not converge and goes on
void add_hydrostatic(std::vector<Scenario>& all);   ///< strains equal in all directions
void add_wedge(std::vector<Scenario>& all);         ///< a body whose faces meet in an edge

}  // namespace repose::crosscheck
