// Semi-implicit steps [Tam17 §4.2], and implicit ones with the unilateral energy.
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/case_scenes.h"

#include <cmath>

namespace repose::crosscheck {

namespace {

/// Iterations enough for energies that soften: Newton's method goes along the slope there.
void solve_patiently(Case& c, Integrator integrator, Energy energy) {
  solve_implicitly(c, 200, 30);
  c.dt = 3e-3;
  c.scene.step.max_dt = c.dt;
  c.steps = 1;
  c.needs.push_back({"newton iterations", 3});
  MpmOptions& options = mpm_options(c.scene);
  options.integrator = integrator;
  options.energy = energy;
  options.implicit.newton_iterations = 80;
}

/// Both solvers must go through it.
void need_of_either(Case& c, const std::string& counter, double least) {
  c.needs.push_back({counter, least});
  c.needs.push_back({"candidate's " + counter, least});
}

/// Grains that part hold together for the length of the step, and return to their cone behind it.
void hencky(Case& c) {
  lay_out(c, {sand(30.0), hardening_sand(), rubber(0.3)});
  block(c);
  shake(c, Point(0.3, -0.8, c.setup.dim > 2 ? 0.2 : 0.0), 0.2, 2.0, 2);
  mix_strains(c, 0.02, 3);
  randomize(c, field::q, 0.0, 2.0, 5);
  for (std::size_t p = 0; p < c.start.particles(); ++p)
    c.start.get(field::material).value[p] = static_cast<double>(p / 4 % 3);
  c.scene.colliders = {body(floor_at(-0.0413), Contact::separating, 1.2)};
  c.needs = {{"inside", 10},  {"tip", 10},       {"surface", 10},
             {"elastic", 30}, {"held nodes", 5}, {"sticking", 5}};
  solve_patiently(c, Integrator::semi_implicit, Energy::hencky);
}

void in_regions(Case& c) {
  lay_out_regions(c);
  // The third material gives volume back: its grains are apart, and their stress is that of the strain shifted by v_c.
  randomize(c, field::v_c, 0.0, 0.015, 6);
  for (std::size_t p = 0; p < c.start.particles(); ++p)
    if (p / 8 % 4 != 2) c.start.get(field::v_c).value[p] = 0.0;
  c.needs = {{"elastic", 30}};
  for (const char* region : {"probe region A", "probe region B", "probe region C"})
    c.needs.push_back({region, 30});
  for (const char* side :
       {"probe below z = 0", "probe above z = 0", "probe below z = 1", "probe above z = 1"})
    c.needs.push_back({side, 2});
}

void regions(Case& c) {
  in_regions(c);
  c.needs.push_back({"volume correction", 30});
  c.needs.push_back({"cohesive tip", 1});
  solve_patiently(c, Integrator::semi_implicit, Energy::unilateral);
}

/// Sand thrown into a corner of two walls that stand askew: contacts open and close, and grains part, while the step is solved.
void squeezed(Case& c) {
  lay_out_regions(c);
  // Ten times is beyond what Newton's method solves at once in space.
  for (Material& m : c.scene.materials) m.youngs_modulus *= c.setup.dim > 2 ? 3.0 : 10.0;
  shake(c, Point(-2.0, -0.1, c.setup.dim > 2 ? 0.1 : 0.0), 0.3, 3.0, 2);
  c.scene.gravity = Point(4.0, -7.0, c.setup.dim > 2 ? -3.0 : 0.0);
  const double z = c.setup.dim > 2 ? 1.0 : 0.0;
  c.scene.colliders = {
      body(HalfSpace{Point(-0.1613, 0, 0), Point(1.0, 0.3, 0.2 * z).normalized()}, Contact::separating, 0.3),
      body(HalfSpace{Point(0, -0.0813, 0), Point(0.2, 1.0, -0.1 * z).normalized()}, Contact::separating,
           0.5)};
  c.needs = {{"nodes held twice", 1}};
  solve_patiently(c, Integrator::semi_implicit, Energy::unilateral);
  c.steps = 2;
  need_of_either(c, "holds changed", 4);
}

/// Sand pressed to where the unilateral energy softens, 5/6 < u/a < 20/21: what solves the linear system may lead uphill, and
/// whole steps too far.
void softened(Case& c) {
  Material plain = sand(30.0);
  plain.unilateral = Unilateral{.a = -0.02, .b = 0.0, .c0 = 0.0};
  lay_out(c, {plain});
  fill_block(c, {3, 2, 3}, {6, 4, 5}, c.setup.dim > 2 ? 2 : 5, 1);
  shake(c, Point::Zero(), 0.1, 1.0, 2);
  Random random(7);
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    const double share = random.between(0.84, 0.95);
    const double mean = -0.02 * share / std::sqrt(static_cast<double>(c.setup.dim));
    set_stretch(c, p, c.setup.dim > 2 ? Point::Constant(mean) : Point(mean, mean, 0.0), random);
  }
  c.needs = {};
  solve_patiently(c, Integrator::semi_implicit, Energy::unilateral);
  need_of_either(c, "halvings", 1);
}

void returned(Case& c) {
  in_regions(c);
  c.needs.push_back({"probe tip", 30});
  c.needs.push_back({"probe surface", 30});
  c.needs.push_back({"probe inside", 10});
  solve_patiently(c, Integrator::implicit_, Energy::unilateral);
}

}  // namespace

void add_semi(std::vector<Scenario>& all) {
  all.push_back({"semi_hencky", "semi-implicit steps of sand that parts, slips and lands", hencky});
  all.push_back({"semi_regions",
                 "semi-implicit steps with the unilateral energy in all regions, v_c and cohesion", regions});
  all.push_back(
      {"semi_squeeze", "contacts that open and close while a semi-implicit step is solved for", squeezed});
  all.push_back(
      {"semi_softening", "sand where its energy softens: ways that have to be shortened", softened});
  all.push_back({"unilateral_solved", "implicit steps with the unilateral energy in all regions", returned});
}

}  // namespace repose::crosscheck
