#include "validation/crosscheck/mixture/cases.h"

#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "validation/crosscheck/mpm/case_scenes.h"
#include "validation/crosscheck/mpm/cases.h"
#include "validation/mechanics/field_access.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace repose::crosscheck {

namespace {

Material wetted_sand() {
  Material m = hardening_sand();
  m.cohesion = 400.0;
  m.volume_correction = true;
  return m;
}

Material of_pores() {
  Material m;
  m.name = "pore water";
  m.kind = MaterialKind::water;
  m.density = 1000.0;
  m.water_stiffness = 5e4;
  m.water_gamma = 3.0;
  return m;
}

/// The options of a case's setup, and others.
MixtureOptions with(const Case& c, MixtureOptions options) {
  options.kernel = kernel_of(c.setup);
  options.transfer = transfer_of(c.setup);
  options.flip_share = 0.95;
  return options;
}

void write_tensor(Field& field, std::size_t p, const Tensor& value, int dim) {
  auto to = field.value.begin() + static_cast<std::ptrdiff_t>(p) * dim * dim;
  for (int a = 0; a < dim; ++a)
    for (int b = 0; b < dim; ++b) *to++ = value(a, b);
}

/// Where a particle is of water: on the right of cell 7, and every other one half a cell around that.
bool is_drop(const Case& c, std::size_t p, bool apart) {
  const double right = point(c.start.get(field::x), p)[0] - c.scene.grid.domain_min[0] - 7.0 * c.scene.grid.h;
  if (apart || std::abs(right) > 0.5 * c.scene.grid.h) return right > 0.0;
  return p % 2 == 1;
}

/// A block of which the left is sand, the right water and one cell in between both, in motion, and deformed in all ways; of
/// water moved to the right by `apart` [m] the phases have nothing in common. So wide that some sand is dry by any kernel.
/// @param deep cells along z in 3D
void pour(Case& c, const MixtureOptions& options, double apart = 0.0, int deep = 3) {
  const int dim = c.setup.dim;
  lay_out(c, {wetted_sand(), of_pores()});
  if (apart > 0.0) c.scene.grid.cells[0] += 6;
  fill_block(c, {2, 2, 3}, {11, dim > 2 ? 4 : 5, 3 + deep}, dim > 2 ? 2 : 4, 1);
  shake(c, Point(0.3, -0.6, dim > 2 ? 0.2 : 0.0), 0.4, 3.0, 2);
  mix_strains(c, 0.004, 3);
  Random random(4);
  Field cohesion = method::blank(method::field_row(method::mixture, field::c_C), dim, c.start.particles());
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    const double volume_ratio = random.between(0.97, 1.02);
    const double kept = random.between(0.0, 1.0);
    const double hardened = random.between(0.0, 0.1);
    const double gap = random.between(-0.002, 0.004);
    cohesion.value[p] = kept * c.scene.materials[0].cohesion;
    c.start.get(field::q).value[p] = hardened;
    c.start.get(field::v_c).value[p] = std::max(0.0, gap);
    if (!is_drop(c, p, apart > 0.0)) continue;
    cohesion.value[p] = 0.0;
    c.start.get(field::material).value[p] = 1.0;
    c.start.get(field::mass).value[p] *= c.scene.materials[1].density / c.scene.materials[0].density;
    c.start.get(field::J).value[p] = volume_ratio;
    c.start.get(field::q).value[p] = 0.0;
    c.start.get(field::v_c).value[p] = 0.0;
    write_tensor(c.start.get(field::F), p, identity(dim), dim);
    c.start.get(field::x).value[p * static_cast<std::size_t>(dim)] += apart;
  }
  c.start.method = method::mixture.name;
  c.start.set(std::move(cohesion));
  c.scene.scheme = with(c, options);
}

/// A slope and a sticky lid that both phases meet, and a sticky wall on the side of sand.
void stand(Case& c) {
  const Grid& grid = c.scene.grid;
  const double high = c.setup.dim > 2 ? 3.4 : 4.4;  // beneath the topmost particles
  const Point wall(grid.domain_min[0] + 3.3 * grid.h, 0.0, 0.0);
  const Point lid(0.0, grid.domain_min[1] + high * grid.h, 0.0);
  c.scene.colliders = {
      body(slope_at(grid.domain_min[1] + 2.6 * grid.h, c.setup.dim), Contact::separating, 0.4),
      body(HalfSpace{wall, Point::UnitX()}, Contact::sticky, 0.0),
      body(HalfSpace{lid, -Point::UnitY()}, Contact::sticky, 0.0)};
}

/// Each phase by itself must meet what it can reach of stand(). @param what of a body: "contacts with", "nodes held by"
void need_bodies(Case& c, const std::string& what, double of_slope, double of_lid) {
  for (const char* phase : {"sand: ", "water: "}) {
    c.needs.push_back({phase + what + " body 0", of_slope});
    c.needs.push_back({phase + what + " body 2", of_lid});
  }
  c.needs.push_back({"sand: " + what + " body 1", of_slope});
}

/// Water that goes on by two cells a step: it leaves whole blocks of nodes to the sand.
void run_off(Case& c) {
  c.scene.grid.cells[0] += 8;
  c.steps = 3;
  const double speed = 2.0 * c.scene.grid.h / c.dt;
  for (std::size_t p = 0; p < c.start.particles(); ++p)
    if (c.start.get(field::material).value[p] == 1.0)
      c.start.get(field::v).value[p * static_cast<std::size_t>(c.setup.dim)] += speed;
  c.needs.front().least = 20;  // nodes of both: of the first steps alone
  c.needs.push_back({"steps led by water", 1});
}

/// All particles in one cell of each of five blocks of the fast solver's nodes, the same cell of its block; water in every other
/// block. Who keeps what a cell's nodes are for the next block takes grains for wet that are dry.
void scatter(Case& c) {
  const int edge = c.setup.dim > 2 ? 4 : 8;
  Grid& grid = c.scene.grid;
  grid.cells[0] = 5 * edge;
  c.steps = 1;
  int sand = 0, drops = 0;
  for (std::size_t p = 0; p < c.start.particles(); ++p) {
    const bool drop = c.start.get(field::material).value[p] == 1.0;
    const int block = drop ? 2 * (drops++ % 3) : sand++ % 5;
    for (int a = 0; a < c.setup.dim; ++a) {
      double& x = c.start.get(field::x)
                      .value[p * static_cast<std::size_t>(c.setup.dim) + static_cast<std::size_t>(a)];
      const double cells = (x - grid.domain_min[a]) / grid.h;
      x = grid.domain_min[a] + grid.h * ((a == 0 ? edge * block : 0) + 2 + cells - std::floor(cells));
    }
  }
  c.needs = {{"nodes of both", 20}, {"nodes of sand alone", 15}, {"dry grains", 20}, {"wet grains", 20}};
}

void need_both(Case& c) {
  c.needs = {{"nodes of both", 30},
             {"nodes of sand alone", 10},
             {"nodes of water alone", 10},
             {"grains partly wet", 9},
             {"inside", 5},
             {"tip", 5},
             {"surface", 5}};
}

/// κ at which r Δt is 150 where a node has the masses of a cell that is half sand, half water, so that it is a hundred where it has
/// half as much again.
constexpr double stiff_kappa(double dt) { return 150.0 / dt / (1.0 / 1100.0 + 1.0 / 500.0); }

void slurry(Case& c) {
  pour(c, {.drag = Drag::printed, .c_E = c.setup.dim > 2 ? 300.0 : 20.0});
  need_both(c);
  c.needs.push_back({"nodes with drag", 30});
  c.needs.push_back({"wet grains", 5});
  c.needs.push_back({"dry grains", 5});
  c.needs.push_back({"steps led by sand", 1});
}

void reversible(Case& c, ReversibleTerm term) {
  pour(c, {.drag = Drag::mesh_consistent, .kappa = 1e4, .reversible = term});
  need_both(c);
  c.needs.push_back({"nodes with the reversible term", 30});
}

/// A semi-implicit step three times as long as explicit ones. What it is given is all but the solver and the energy.
void solve_both(Case& c, MixtureOptions options, double apart = 0.0, int deep = 3) {
  options.integrator = Integrator::semi_implicit;
  options.implicit = {
      .newton_tolerance = 1e-6, .newton_iterations = 80, .gmres_iterations = 200, .gmres_tolerance = 1e-3};
  pour(c, options, apart, deep);
  c.scene.materials[0].unilateral = Unilateral{.a = -3e-3, .b = 0.0, .c0 = 0.01};
  if (options.energy == Energy::hencky) {
    c.scene.materials[0].volume_correction = false;
    for (double& v_c : c.start.get(field::v_c).value) v_c = 0.0;
  }
  c.dt = 3e-3;
  c.scene.step.max_dt = c.dt;
  c.steps = 1;
  c.needs = {{"newton iterations", 2}, {"nodes of sand alone", 10}, {"nodes of water alone", 10}};
}

void solved(Case& c) {
  solve_both(c,
             {.energy = Energy::unilateral,
              .drag = Drag::printed,
              .c_E = c.setup.dim > 2 ? 300.0 : 20.0,
              .reversible = ReversibleTerm::volume},
             0.0, 1);
  for (const char* region : {"probe region A", "probe region B", "probe region C"})
    c.needs.push_back({region, 10});
  c.needs.push_back({"solved nodes with drag", 15});
  c.needs.push_back({"nodes with the reversible term", 15});
}

const std::vector<Scenario>& mixture_scenarios() {
  static const std::vector<Scenario> all{
      {"mixture_slurry", "sand and water that partly overlap, with the printed drag", slurry},
      {"mixture_stiff_drag", "drag that joins the phases in one step",
       [](Case& c) {
         pour(c, {.drag = Drag::mesh_consistent, .kappa = stiff_kappa(1e-3)});
         need_both(c);
         c.needs.push_back({"stiff drag", 30});
       }},
      {"mixture_uncoupled", "phases that share nodes alone",
       [](Case& c) {
         pour(c, {.softening = Softening::none});
         need_both(c);
       }},
      {"mixture_apart", "phases that share no node",
       [](Case& c) {
         pour(c, {.drag = Drag::printed, .c_E = 30.0, .reversible = ReversibleTerm::mass}, 0.225);
         c.needs = {{"nodes of sand alone", 30}, {"nodes of water alone", 30}, {"dry grains", 30}};
       }},
      {"mixture_reversible_mass", "pressure of water borne by the mass of sand",
       [](Case& c) { reversible(c, ReversibleTerm::mass); }},
      {"mixture_reversible_volume", "pressure of water borne by the volume of sand",
       [](Case& c) { reversible(c, ReversibleTerm::volume); }},
      {"mixture_reversible_printed", "pressure of water borne as printed",
       [](Case& c) { reversible(c, ReversibleTerm::printed); }},
      {"mixture_walls", "both phases on a slope and under a lid; water slips and rubs",
       [](Case& c) {
         pour(c, {.drag = Drag::printed, .c_E = c.setup.dim > 2 ? 300.0 : 20.0, .water_friction = 0.2});
         stand(c);
         need_both(c);
         need_bodies(c, "contacts with", 10, 20);
       }},
      {"mixture_walls_as_given", "water that meets bodies as sand does, moved by what collisions leave",
       [](Case& c) {
         pour(c, {.motion = ParticleMotion::before_friction, .water_contact = WaterContact::as_given});
         stand(c);
         need_both(c);
         need_bodies(c, "contacts with", 10, 20);
       }},
      {"mixture_threshold", "cohesion that falls late, rims that do not wet, and water that runs off",
       [](Case& c) {
         const double cell = std::pow(0.05, c.setup.dim);
         pour(c, {.softening = Softening::beyond_two_fifths, .wet_mass = 100.0 * cell});
         need_both(c);
         run_off(c);
       }},
      {"mixture_unilateral", "an energy that ends at the tip of each grain's own cone",
       [](Case& c) {
         pour(c,
              {.energy = Energy::unilateral, .drag = Drag::printed, .c_E = c.setup.dim > 2 ? 300.0 : 20.0});
         c.scene.materials[0].unilateral = Unilateral{.a = -3e-3, .b = 0.0, .c0 = 0.01};
         need_both(c);
         for (const char* region : {"region A", "region B", "region C"}) c.needs.push_back({region, 30});
       }},
      // Semi-implicit steps, last: what a scenario is run in follows from its number.
      {"mixture_solved", "both phases, drag and the reversible term in one semi-implicit step", solved},
      {"mixture_solved_stiff", "drag that joins the phases in one semi-implicit step, and Hencky's energy",
       [](Case& c) {
         solve_both(c, {.drag = Drag::mesh_consistent, .kappa = stiff_kappa(3e-3)});
         c.needs.push_back({"stiff drag", 15});
       },
       true},
      {"mixture_solved_walls", "walls that hold both phases in semi-implicit steps; water slips and rubs",
       [](Case& c) {
         solve_both(c, {.energy = Energy::unilateral,
                        .drag = Drag::mesh_consistent,
                        .kappa = stiff_kappa(3e-3),
                        .water_friction = 0.2});
         stand(c);
         c.steps = 2;
         need_bodies(c, "nodes held by", 10, 20);
         c.needs.push_back({"stiff drag", 30});
       },
       true},
      {"mixture_solved_as_given", "water that bodies hold as they do sand, moved by what the solve leaves",
       [](Case& c) {
         solve_both(c, {.energy = Energy::unilateral,
                        .motion = ParticleMotion::before_friction,
                        .drag = Drag::printed,
                        .c_E = c.setup.dim > 2 ? 300.0 : 20.0,
                        .reversible = ReversibleTerm::printed,
                        .water_contact = WaterContact::as_given});
         stand(c);
         need_bodies(c, "nodes held by", 5, 10);
       },
       true},
      {"mixture_solved_apart", "semi-implicit steps of phases that share no node",
       [](Case& c) {
         solve_both(c, {.energy = Energy::unilateral, .drag = Drag::printed, .c_E = 30.0}, 0.225);
       },
       true},
      {"mixture_scattered", "grains in the same cell of many blocks, wet and dry by turns",
       [](Case& c) {
         pour(c, {.drag = Drag::mesh_consistent, .kappa = 1e4});
         scatter(c);
       }},
      {"mixture_solved_kept", "both phases after one iteration of a solve that needs more, kept as they are",
       [](Case& c) {
         solved(c);
         mixture_options(c.scene).implicit.newton_iterations = 1;
         mixture_options(c.scene).implicit.unconverged = Unconverged::keep;
         c.needs = {{"newton iterations", 1}, {"solves kept", 1}, {"candidate's solves kept", 1}};
       }},
  };
  return all;
}

Case busy_mixture(const Setup& setup) {
  Case c = make_case("mixture_walls", setup);
  mixture_options(c.scene).reversible = ReversibleTerm::volume;
  return c;
}

const std::vector<BitClaim>& no_exact_claims() {
  static const std::vector<BitClaim> none;
  return none;
}

}  // namespace

const MethodCases& mixture_cases() {
  static const MethodCases cases{.levels = mpm_cases().levels,
                                 .scenarios = mixture_scenarios,
                                 .busy = busy_mixture,
                                 .exact = no_exact_claims};
  return cases;
}

}  // namespace repose::crosscheck
