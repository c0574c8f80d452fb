// What drag and the reversible term give from one phase to the other.
#include "reference/mixture/mixture_solver.h"
#include "tests/unit/mixture/scenes.h"

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>

namespace repose::test {
namespace {

constexpr double dt = 2e-4;

template <int d>
struct Exchange {
  Snapshot forces, drag;
};

template <int d>
Exchange<d> exchange(const Scene& scene, const std::vector<Particle<d>>& particles, double step = dt) {
  const auto solver = make_mixture_solver(scene);
  solver->load(mixed_start<d>(particles, scene));
  Exchange<d> result;
  solver->run(boundary::step_start, boundary::forces, step);
  result.forces = solver->save(boundary::forces, false);
  solver->run(boundary::forces, boundary::drag, step);
  result.drag = solver->save(boundary::drag, false);
  return result;
}

/// How many nodes have sand, water or both.
struct Shares {
  int sand = 0, water = 0, both = 0;
};

Shares shares(const Snapshot& state) {
  Shares result;
  for (std::size_t n = 0; n < state.count(Place::node); ++n) {
    const bool s = state.get(field::m_i).value[n] > 0.0;
    const bool w = state.get(field::m_i_w).value[n] > 0.0;
    ++(s && w ? result.both : s ? result.sand : result.water);
  }
  return result;
}

/// One regular lattice of each phase that fills a box without ends, moving through each other, two particles per cell and axis.
template <int d>
std::vector<Particle<d>> lattices(Scene& scene, const Vec<d>& v_s, const Vec<d>& v_w) {
  scene.grid.cells = {4, 4, d == 3 ? 4 : 1};
  scene.grid.periodic = {true, true, d == 3};
  const double h = scene.grid.h;
  std::vector<Particle<d>> particles;
  for (int i = 0; i < (d == 2 ? 64 : 512); ++i)
    for (const int material : {0, 1}) {
      Vec<d> x;
      for (int a = 0, left = i; a < d; ++a, left /= 8) x[a] = (0.25 + 0.5 * (left % 8)) * h;
      Particle<d> p = particle_at<d>(x, material == 0 ? 2.0 : 1.0, std::pow(0.5 * h, d));
      p.material = material;
      p.v = material == 0 ? v_s : v_w;
      particles.push_back(p);
    }
  return particles;
}

/// Roundings of a sum over the particles of one phase about a node, two per cell and axis, with some 40 in a term.
template <int d>
double of_a_sum(Kernel kernel = Kernel::quadratic) {
  return std::pow(kernel == Kernel::cubic ? 8.0 : 6.0, d) + 40.0;
}

BOOST_AUTO_TEST_SUITE(exchange_of_momentum)

/// At every node what sand loses water gains, energy falls, and where one phase is alone no bit moves.
BOOST_AUTO_TEST_CASE_TEMPLATE(drag_keeps_momentum_and_loses_energy_at_every_node, D, Dims) {
  constexpr int d = D::d;
  for (const MixtureOptions& options : {MixtureOptions{.drag = Drag::printed, .c_E = 300.0},
                                        MixtureOptions{.drag = Drag::mesh_consistent, .kappa = 1e6}}) {
    Scene scene = mixed_box(d, options);
    scene.gravity = Point(0.0, -9.81, 0.0);
    const Exchange<d> step = exchange<d>(scene, slurry<d>(scene));
    const Shares there = shares(step.drag);
    BOOST_TEST(there.sand > 0);
    BOOST_TEST(there.water > 0);
    BOOST_TEST(there.both > 10);
    double lost = 0.0;
    for (std::size_t n = 0; n < step.drag.count(Place::node); ++n) {
      const double m_s = step.drag.get(field::m_i).value[n];
      const double m_w = step.drag.get(field::m_i_w).value[n];
      const Vec<d> s = vector_at<d>(step.drag, field::p_star, n);
      const Vec<d> w = vector_at<d>(step.drag, field::p_star_w, n);
      const Vec<d> s_after = vector_at<d>(step.drag, field::p_drag, n);
      const Vec<d> w_after = vector_at<d>(step.drag, field::p_drag_w, n);
      if (!(m_s > 0.0 && m_w > 0.0)) {
        BOOST_TEST((s == s_after && w == w_after));
        continue;
      }
      const Vec<d> j = s - s_after;
      BOOST_TEST((s_after + w_after - s - w).norm() <= 2 * u * (s.norm() + w.norm() + j.norm()));
      const double before = s.squaredNorm() / m_s + w.squaredNorm() / m_w;
      const double after = s_after.squaredNorm() / m_s + w_after.squaredNorm() / m_w;
      BOOST_TEST(after <= before * (1.0 + 8 * u));
      lost += 0.5 * (before - after);
    }
    BOOST_TEST(lost > 0.0);
  }
}

/// Lattices of half a cell give every node the same masses, to rounding: the difference of velocities falls by 1 + r Δt in
/// each step, with r = 200 (m_s + m_w) or κ h^d (1/m_s + 1/m_w), and no pressure, strain or grid is seen.
///
/// Of N steps each rounds a velocity in two sums over particles, one over up to 4^d nodes and some 60 roundings of transfers and
/// drag, by δ in all; ∇v by 2d δ/h, which strains, so that waves push by N² (c Δt/h)² 4d² δ. J rounds with ∇v and in its product.
BOOST_AUTO_TEST_CASE_TEMPLATE(phases_that_move_through_each_other_slow_down_by_the_rate_of_their_nodes, D,
                              Dims) {
  constexpr int d = D::d;
  const double m_s = 2.0 * (d == 2 ? 4 : 8);
  const double m_w = 0.5 * m_s;
  const std::vector<std::pair<MixtureOptions, double>> all{
      {{.drag = Drag::printed, .c_E = 200.0}, 200.0 * (m_s + m_w)},
      {{.kernel = Kernel::cubic, .drag = Drag::mesh_consistent, .kappa = 8e6},
       8e6 * std::pow(0.1, d) * (1.0 / m_s + 1.0 / m_w)}};
  for (const auto& [options, rate] : all) {
    Scene scene = mixed_box(d, options);
    Vec<d> v_s = Vec<d>::Constant(0.3);
    Vec<d> v_w = Vec<d>::Constant(-0.2);
    v_s[1] = -0.4;
    const auto particles = lattices<d>(scene, v_s, v_w);
    const auto solver = make_mixture_solver(scene);
    solver->load(mixed_start<d>(particles, scene));
    const double step = 5e-4;
    constexpr int steps = 5;
    for (int n = 0; n < steps; ++n) solver->advance([&](double) { return step; });
    const Snapshot state = solver->save(boundary::step_start, false);
    const Vec<d> mean = (2.0 * v_s + v_w) / 3.0;
    const Vec<d> w = (v_s - v_w) / std::pow(1.0 + rate * step, steps);
    BOOST_TEST(rate * step > 0.1);
    const double h = scene.grid.h;
    // c² of sand: λ + 2μ is 4.8·10⁵ Pa, a particle has 2 kg; of water γk is 1.5·10⁵ Pa, and 1 kg.
    const double courant = std::sqrt(2.4e5 * particles[0].V0) * step / h;
    const double once = (2.0 * of_a_sum<d>(options.kernel) + std::pow(4.0, d) + 60.0) * u * v_s.norm();
    const double bound = (steps + std::pow(steps * 2.0 * d * courant, 2)) * once;
    for (std::size_t p = 0; p < state.particles(); ++p) {
      const bool sand = state.get(field::material).value[p] == 0.0;
      const Vec<d> expected = sand ? Vec<d>(mean + w / 3.0) : Vec<d>(mean - 2.0 * w / 3.0);
      BOOST_TEST((vector_at<d>(state, field::v, p) - expected).norm() <= bound);
      BOOST_TEST(std::abs(state.get(field::J).value[p] - 1.0) <=
                 steps * (step * 2.0 * d / h * bound + 2.0 * u));
    }
  }
}

/// The term is the pressure force on water times the share, given from water to sand: with the whole of it off, no share moves.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_reversible_term_gives_a_share_of_the_pressure_force_to_sand, D, Dims) {
  constexpr int d = D::d;
  Scene scene = mixed_box(d);
  const auto particles = slurry<d>(scene);
  const Snapshot without = exchange<d>(scene, particles).forces;
  for (const double value : without.get(field::reversible).value) BOOST_TEST_REQUIRE(value == 0.0);
  for (const ReversibleTerm term : {ReversibleTerm::mass, ReversibleTerm::volume, ReversibleTerm::printed}) {
    mixture_options(scene).reversible = term;
    const Snapshot with = exchange<d>(scene, particles).forces;
    // Volumes at nodes once more, by their ids.
    std::map<std::int64_t, std::array<double, 2>> volumes;
    for (const Particle<d>& p : particles)
      for (const StencilNode<d>& i : Stencil<d>(scene.grid, Kernel::quadratic, p.x))
        volumes[i.id][p.material == 1 ? 1 : 0] += i.w * p.V0 * (p.material == 1 ? p.J : p.F.determinant());
    double largest = 0.0;
    int lone = 0;
    for (std::size_t n = 0; n < with.count(Place::node); ++n) {
      const double m_s = with.get(field::m_i).value[n];
      const double m_w = with.get(field::m_i_w).value[n];
      const auto& V = volumes.at(with.ids(Place::node)[n]);
      const double share = m_s == 0.0 || m_w == 0.0          ? 0.0
                           : term == ReversibleTerm::mass    ? m_s / (m_s + m_w)
                           : term == ReversibleTerm::printed ? m_w / (m_s + m_w)
                                                             : V[0] / (V[0] + V[1]);
      const Vec<d> f = vector_at<d>(without, field::p_star_w, n) - vector_at<d>(without, field::p_i_w, n);
      const Vec<d> R = vector_at<d>(with, field::reversible, n);
      const double bound = 64 * u * (f.norm() + vector_at<d>(without, field::p_i_w, n).norm() + 0.1);
      BOOST_TEST((R - share * f).norm() <= bound);
      largest = std::max(largest, R.norm() / bound);
      const Vec<d> to_sand =
          vector_at<d>(with, field::p_star, n) - vector_at<d>(without, field::p_star, n) - R;
      const Vec<d> from_water =
          vector_at<d>(with, field::p_star_w, n) - vector_at<d>(without, field::p_star_w, n) + R;
      BOOST_TEST(to_sand.norm() <= 4 * u * (vector_at<d>(with, field::p_star, n).norm() + R.norm()));
      BOOST_TEST(from_water.norm() <= 4 * u * (vector_at<d>(without, field::p_star_w, n).norm() + R.norm()));
      if (share == 0.0) {
        ++lone;
        BOOST_TEST((R == Vec<d>(Vec<d>::Zero())));
      }
    }
    BOOST_TEST(largest > 1e6);
    BOOST_TEST(lone > 0);
  }
}

/// Sand fills the left half of water under one pressure: no node but those at the water's ends feels a force, and there is
/// nothing to share [ERRATA T13]. The second term of [Tam17 Eq.13] as it is printed, p∇φ, would push where sand ends.
BOOST_AUTO_TEST_CASE_TEMPLATE(uniform_pressure_is_in_balance_with_the_term_and_without, D, Dims) {
  constexpr int d = D::d;
  for (const ReversibleTerm term : {ReversibleTerm::none, ReversibleTerm::mass}) {
    Scene scene = mixed_box(d, {.reversible = term});
    auto particles = lattices<d>(scene, Vec<d>::Zero(), Vec<d>::Zero());
    scene.grid.cells[0] = 8;
    scene.grid.periodic[0] = false;
    const double h = scene.grid.h;
    std::erase_if(particles, [&](const Particle<d>& p) { return p.material == 0 && p.x[0] > 2.0 * h; });
    double phi_slope = 0.0;
    for (Particle<d>& p : particles) {
      p.x[0] += 2.0 * h;
      if (p.material == 1) p.J = 0.9;
    }
    const Snapshot state = exchange<d>(scene, particles).forces;
    const Material& water = scene.materials[1];
    const double pressure = water.water_stiffness * (std::pow(0.9, -water.water_gamma) - 1.0);
    const double of_a_face = pressure * 0.9 * std::pow(h, d - 1) * dt;
    // Along an axis slopes of weights over a lattice of V = (h/2)^d add up to ±h^(d−1) at most, 2 in all.
    const double rounded = 2.0 * std::sqrt(d) * of_a_sum<d>() * u * of_a_face;
    int seen = 0;
    for (std::size_t n = 0; n < state.count(Place::node); ++n) {
      const double x = scene.grid.node_position(state.ids(Place::node)[n])[0];
      if (x < 3.6 * h || x > 4.4 * h) continue;  // the row of nodes at which sand ends
      ++seen;
      BOOST_TEST(state.get(field::m_i).value[n] > 0.0);
      BOOST_TEST(vector_at<d>(state, field::p_star_w, n).norm() <= rounded);
      BOOST_TEST(vector_at<d>(state, field::reversible, n).norm() <= rounded);
      BOOST_TEST(vector_at<d>(state, field::p_star, n).norm() <= rounded);
    }
    // φ = m_w/(m_s + m_w) rises from ⅓ to 1 across that row.
    for (const Particle<d>& p : particles)
      for (const StencilNode<d>& i : Stencil<d>(scene.grid, Kernel::quadratic, p.x))
        if (p.material == 1 && std::abs(p.x[0] - 4.0 * h) < h) {
          const double centre = scene.grid.node_position(i.id)[0];
          phi_slope += i.grad_w[0] * (centre < 4.0 * h ? 1.0 / 3.0 : 1.0) * p.V0;
        }
    BOOST_TEST(std::abs(phi_slope) * pressure * dt > 0.1 * of_a_face);
    BOOST_TEST(seen == (d == 2 ? 4 : 16));
  }
}

constexpr double g = 9.81;

/// Accelerations of sand and of water [m/s²].
struct Accelerations {
  double of_sand = 0.0, of_water = 0.0;
};

/// Lattices of half a cell, of densities ρ_w = 1000 kg/m³ and ρ_s, under a pressure that falls upwards by ρ_w g `steeper` times.
/// They add a linear pressure exactly: nodes far from the ends, which are told, see f = −h^d θ ∂p = m_w g `steeper`.
/// @param theta θ, the volume of water in a cell [-]
template <int d>
std::vector<Accelerations> accelerations(ReversibleTerm term, double theta, double rho_s, double steeper) {
  Scene scene = mixed_box(d, {.reversible = term});
  scene.gravity = Point(0.0, -g, 0.0);
  auto particles = lattices<d>(scene, Vec<d>::Zero(), Vec<d>::Zero());
  scene.grid.cells[1] = 8;
  scene.grid.periodic[1] = false;
  const double h = scene.grid.h;
  const double part = std::pow(0.5 * h, d);
  const double rho_w = 1000.0;
  for (Particle<d>& p : particles) {
    p.x[1] += 2.0 * h;
    p.V0 = part * (p.material == 1 ? theta : 1.0 - theta);
    p.m = p.V0 * (p.material == 1 ? rho_w : rho_s);
    if (p.material == 0) continue;
    const Material& water = scene.materials[1];
    const double pressure = rho_w * g * steeper * (1.0 - p.x[1]);
    p.J = std::pow(1.0 + pressure / water.water_stiffness, -1.0 / water.water_gamma);
    p.V0 /= p.J;
  }
  const Snapshot state = exchange<d>(scene, particles).forces;
  std::vector<Accelerations> result;
  for (std::size_t n = 0; n < state.count(Place::node); ++n) {
    const double y = scene.grid.node_position(state.ids(Place::node)[n])[1];
    if (std::abs(y - 4.0 * h) > 0.5 * h) continue;
    result.push_back({vector_at<d>(state, field::p_star, n)[1] / (dt * state.get(field::m_i).value[n]),
                      vector_at<d>(state, field::p_star_w, n)[1] / (dt * state.get(field::m_i_w).value[n])});
  }
  BOOST_TEST(result.size() == (d == 2 ? 4U : 16U));
  return result;
}

/// What rounding leaves of them [m/s²]: forces, up to 2/h θ p over a volume, round in their sum, and by γ (p + k) with what J rounds
/// to in its power, some 16 times; over the mass of water, that is an acceleration.
template <int d>
double rounded(double steeper) {
  const Scene scene = mixed_box(d, {});
  const Material& water = scene.materials[1];
  const double rho_w = 1000.0, pressure = rho_w * g * steeper;
  const double stiff = water.water_gamma * (pressure + water.water_stiffness);
  return 2.0 / scene.grid.h / rho_w * u * (of_a_sum<d>() * pressure + 16.0 * stiff);
}

/// Sand of twice the density of water in a pressure that bears the water (erratum T41): (1 − share) f = m_w g. Then sand hovers
/// by mass, and falls with g/2 by volume, as Archimedes has it. Without the term it falls freely.
BOOST_AUTO_TEST_CASE_TEMPLATE(grains_in_water_hover_by_mass_and_sink_by_volume, D, Dims) {
  const double theta = 0.6;
  const double m_s = (1.0 - theta) * 2.0, m_w = theta;  // in what a cell of water weighs
  for (const ReversibleTerm term : {ReversibleTerm::none, ReversibleTerm::mass, ReversibleTerm::volume}) {
    const double share = term == ReversibleTerm::none   ? 0.0
                         : term == ReversibleTerm::mass ? m_s / (m_s + m_w)
                                                        : 1.0 - theta;
    const double expected = term == ReversibleTerm::none ? -g : term == ReversibleTerm::mass ? 0.0 : -0.5 * g;
    const double steeper = 1.0 / (1.0 - share), bound = rounded<D::d>(steeper);
    for (const Accelerations& a : accelerations<D::d>(term, theta, 2000.0, steeper)) {
      BOOST_TEST(std::abs(a.of_water) <= bound);
      // A cell holds 4/3 times as much sand as water.
      BOOST_TEST(std::abs(a.of_sand - expected) <= bound);
    }
  }
}

/// Little sand of water's density in water at rest, m_s : m_w = .02 : .98, whose pressure bears the water alone, f = m_w g
/// (erratum T12). With φ = m_w/(m_s + m_w) the printed share leaves (1 − φ) f to the water and gives φ f to the sand:
///
///     a_w = (1 − φ) g − g = −.98 g,   a_s = φ m_w/m_s g − g = (.98 · 49 − 1) g = 47.02 g
///
/// By mass it is the other share, and both fall alike, by −.02 g: a_w = φ g − g, a_s = (1 − φ) m_w/m_s g − g.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_printed_share_drops_the_water_and_throws_what_little_sand_it_holds, D,
                              Dims) {
  const double phi = 0.98;
  for (const ReversibleTerm term : {ReversibleTerm::none, ReversibleTerm::mass, ReversibleTerm::printed}) {
    const bool printed = term == ReversibleTerm::printed;
    const double of_water = term == ReversibleTerm::none ? 0.0 : printed ? -0.98 * g : -0.02 * g;
    const double of_sand = term == ReversibleTerm::none ? -g : printed ? 47.02 * g : -0.02 * g;
    const double bound = rounded<D::d>(1.0);
    for (const Accelerations& a : accelerations<D::d>(term, phi, 1000.0, 1.0)) {
      BOOST_TEST(std::abs(a.of_water - of_water) <= bound);
      // A force weighs 49 times as much on sand.
      BOOST_TEST(std::abs(a.of_sand - of_sand) <= 49 * bound);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
