#include "reference/mpm/forces.h"
#include "reference/interface/methods/mpm.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/mpm/kernels.h"
#include "reference/mpm/stress.h"
#include "reference/mpm/transfer_to_grid.h"
#include "reference/physics/hencky.h"
#include "reference/physics/unilateral.h"
#include "tests/unit/mpm/scenes.h"
#include "tests/unit/physics/fifty_digits.h"

#include <Eigen/LU>
#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

namespace repose::test {
namespace {

template <int dimension, Kernel k>
struct Case {
  static constexpr int d = dimension;
  static constexpr Kernel kernel = k;
};
using Cases = boost::mpl::list<Case<2, Kernel::quadratic>, Case<2, Kernel::cubic>, Case<3, Kernel::quadratic>,
                               Case<3, Kernel::cubic>>;

/// Momentum and forces of a state at rest, with Δt = 1 s: p_star is the force.
template <int d>
State<d> with_forces(const Scene& scene, const std::vector<Particle<d>>& particles, StepReport& report) {
  State<d> state(scene.grid);
  state.particles = particles;
  const StepContext step{scene, 0.0, 1.0};
  transfer_to_grid<d>(state, step, report);
  apply_forces<d>(state, step, report);
  return state;
}

template <int d>
std::vector<Particle<d>> strained_cloud(const Scene& scene, std::size_t count) {
  auto particles = cloud<d>(scene, count, 17, 0.0, 0.0);
  std::mt19937_64 random(18);
  for (auto& p : particles) p.F += draw_matrix<d>(random, -0.1, 0.1);
  return particles;
}

template <int d>
using BigVec = std::array<Big, static_cast<std::size_t>(d)>;

/// The kernels once more, from their definition as box functions convolved, in fifty digits.
Big big_kernel(Kernel kernel, Big at) {
  at = abs(at);
  const auto power = [](const Big& base, int n) { return base > 0 ? Big(pow(base, n)) : Big(0); };
  if (kernel == Kernel::quadratic) return (power(Big(3) / 2 - at, 2) - 3 * power(Big(1) / 2 - at, 2)) / 2;
  return (power(2 - at, 3) - 4 * power(1 - at, 3)) / 6;
}

template <int d>
Big big_weight(const Scene& scene, const BigVec<d>& x, std::int64_t id) {
  Big w = 1;
  const Point x_i = scene.grid.node_position(id);
  for (std::size_t a = 0; a < d; ++a) {
    w *= big_kernel(mpm_options(scene).kernel, (x[a] - Big(x_i[static_cast<int>(a)])) / Big(scene.grid.h));
  }
  return w;
}

/// Ψ = Σ V⁰ ψ((1 + (x_i − x_iⁿ) ∇wᵀ) F) when node `id` moves along axis by `way` [Klar16 Eq.21, Eq.22].
template <int d>
Big energy_of_motion(const Scene& scene, const std::vector<Particle<d>>& particles, std::int64_t id, int axis,
                     const Big& way) {
  Big sum = 0;
  for (const Particle<d>& p : particles) {
    BigVec<d> x;
    for (std::size_t b = 0; b < d; ++b) x[b] = p.x[static_cast<int>(b)];
    auto motion = widen<d>(Mat<d>::Identity());
    for (std::size_t b = 0; b < d; ++b) {
      auto ahead = x, behind = x;
      ahead[b] += big_step;
      behind[b] -= big_step;
      const Big slope = (big_weight<d>(scene, ahead, id) - big_weight<d>(scene, behind, id)) / (2 * big_step);
      motion[static_cast<std::size_t>(axis)][b] += way * slope;
    }
    const Material& material = scene.materials[static_cast<std::size_t>(p.material)];
    const auto F = multiply(motion, widen<d>(p.F));
    sum += Big(p.V0) * (mpm_options(scene).energy == Energy::unilateral
                            ? unilateral_energy_of(F, lame(material), *material.unilateral, 0.0)
                            : energy_of(F, lame(material)));
  }
  return sum;
}

/// Forces on nodes within `roundings` of minus the slope of the energy.
template <int d>
void compare_with_slopes(const Scene& scene, const std::vector<Particle<d>>& particles, double roundings) {
  StepReport report;
  const State<d> state = with_forces<d>(scene, particles, report);
  std::size_t n = 0;
  int judged = 0;
  double largest = 0.0;
  for (const Node<d>& node : state.nodes) {
    if (n++ % (d == 2 ? 3 : 23) != 0) continue;
    for (int a = 0; a < d; ++a) {
      const Big slope = (energy_of_motion<d>(scene, particles, node.id, a, big_step) -
                         energy_of_motion<d>(scene, particles, node.id, a, -big_step)) /
                        (2 * big_step);
      const double exact = -static_cast<double>(slope);
      largest = std::max(largest, std::abs(exact));
      // Five particles, each V⁰ · 7·10⁵ Pa · |∇w| ≤ 10⁻³ · 7·10⁵ · 10 = 7·10³ N.
      BOOST_TEST(std::abs(node.p_star[a] - exact) < 5 * 7e3 * roundings * u);
      ++judged;
    }
  }
  BOOST_TEST(judged > 10);
  BOOST_TEST(largest > 1.0);  // premise: there are forces
}

BOOST_AUTO_TEST_SUITE(forces)

BOOST_AUTO_TEST_CASE_TEMPLATE(the_force_is_minus_the_slope_of_the_energy, C, Cases) {
  const Scene scene = empty_box(C::d, C::kernel);
  compare_with_slopes<C::d>(scene, strained_cloud<C::d>(scene, 5), 50);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(the_force_is_minus_the_slope_of_the_unilateral_energy, C, Cases) {
  constexpr int d = C::d;
  Scene scene = empty_box(d, C::kernel);
  mpm_options(scene).energy = Energy::unilateral;
  const Unilateral of{.a = -0.3, .b = 0.3, .c0 = 1.0};
  scene.materials[0].unilateral = of;
  const auto particles = strained_cloud<d>(scene, 5);
  int falling = 0;
  for (const Particle<d>& p : particles)
    falling += multiplier<d>(hencky_strain<d>(decompose<d>(p.F)), of, 0.0).slope.isZero(0.0) ? 0 : 1;
  BOOST_TEST(falling == 5);
  // The multiplier's number z is formed from a few more numbers of its size.
  compare_with_slopes<d>(scene, particles, 200);
}

BOOST_AUTO_TEST_CASE(elastic_bodies_keep_their_energy_beside_unilateral_sand) {
  Scene scene = empty_box(2);
  mpm_options(scene).energy = Energy::unilateral;
  scene.materials[0].unilateral = Unilateral{.a = -0.3, .b = 0.0, .c0 = 1.0};
  scene.materials.push_back(rubber());
  Particle<2> p;
  p.F *= 1.1;  // in tension: no stress is left to sand
  BOOST_TEST(elastic_stress<2>(p, scene).tau.norm() == 0.0);
  p.material = 1;
  BOOST_TEST((elastic_stress<2>(p, scene).tau == kirchhoff_stress<2>(p.F, lame(scene.materials[1]))));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(internal_forces_add_up_to_nothing_and_have_no_torque, C, Cases) {
  constexpr int d = C::d;
  const Scene scene = empty_box(d, C::kernel);
  StepReport report;
  const State<d> state = with_forces<d>(scene, strained_cloud<d>(scene, 50), report);
  Vec<d> sum = Vec<d>::Zero();
  Mat<d> torque = Mat<d>::Zero();
  double size = 0.0;
  for (const Node<d>& node : state.nodes) {
    sum += node.p_star;
    torque += wedge<d>(in_plane<d>(scene.grid.node_position(node.id)), node.p_star);
    size += node.p_star.norm();
  }
  BOOST_TEST(size > 1.0);
  // Sums over some 50 particles and 500 nodes; single terms exceed the node sums by less than ten.
  BOOST_TEST(sum.norm() < 10 * 550 * u * size);
  BOOST_TEST(torque.norm() < 2 * 10 * 550 * u * size);
}

BOOST_AUTO_TEST_CASE(gravity_pulls_every_node_by_its_mass) {
  Scene scene = empty_box(3);
  scene.gravity = Point(1.0, -9.81, 0.5);
  StepReport report;
  for (const Node<3>& node : with_forces<3>(scene, cloud<3>(scene, 20, 3, 0.0, 0.0), report).nodes) {
    BOOST_TEST((node.p_star - node.m * scene.gravity).norm() < 100 * u * node.m * 10.0);
  }
}

/// A node so far out that w m rounds to zero still has ∇w ≠ 0. Dividing that force by the mass would give
/// infinity.
BOOST_AUTO_TEST_CASE(a_force_on_a_massless_node_is_dropped_and_counted) {
  const Scene scene = empty_box(3, Kernel::cubic, Transfer::apic, 1.0);
  Particle<3> p = particle_at<3>(Vec<3>::Constant(6.0 + 1e-15), 1e-290);
  p.F = 0.99 * Mat<3>::Identity();
  StepReport report;
  const State<3> state = with_forces<3>(scene, {p}, report);
  std::size_t with_slope = 0, massless = 0;
  for (const StencilNode<3>& i : Stencil<3>(scene.grid, mpm_options(scene).kernel, p.x)) {
    with_slope += i.grad_w.norm() > 0.0 ? 1U : 0U;
    massless += i.grad_w.norm() > 0.0 && i.w * p.m == 0.0 ? 1U : 0U;
  }
  BOOST_TEST(massless > 0U);  // premise
  BOOST_TEST(report.counts[counter::massless] == massless);
  BOOST_TEST(state.nodes.size() == with_slope - massless);
  BOOST_TEST(report.counts[counter::active_nodes] == state.nodes.size());
  for (const Node<3>& node : state.nodes) BOOST_TEST(node.m > 0.0);

  // The same particle with an ordinary mass reaches all of them.
  p.m = 1.0;
  StepReport ordinary;
  with_forces<3>(scene, {p}, ordinary);
  BOOST_TEST(ordinary.counts[counter::massless] == 0U);
  BOOST_TEST(ordinary.counts[counter::active_nodes] == with_slope);
}

/// Why the step is bounded by particle speeds, not node speeds: the rim node's speed explodes, its share w v
/// does not.
BOOST_AUTO_TEST_CASE(rim_nodes_are_fast_and_do_not_matter) {
  const Scene scene = empty_box(2, Kernel::cubic, Transfer::apic, 1.0);
  Particle<2> p = particle_at<2>(Vec<2>(6.0 + 1e-6, 6.5));
  p.F = 0.999 * Mat<2>::Identity();
  StepReport report;
  const State<2> state = with_forces<2>(scene, {p}, report);
  double fastest = 0.0, ordinary = 0.0, share = 0.0;
  for (const StencilNode<2>& i : Stencil<2>(scene.grid, mpm_options(scene).kernel, p.x)) {
    const Node<2>* node = state.nodes.find(i.id);
    if (node == nullptr) continue;
    const double speed = node->p_star.norm() / node->m;
    fastest = std::max(fastest, speed);
    share = std::max(share, i.w * speed);
    if (i.w > 0.05) ordinary = std::max(ordinary, speed);
  }
  BOOST_TEST(fastest > 1e5 * ordinary);
  BOOST_TEST(share < 10.0 * ordinary);
}

BOOST_AUTO_TEST_CASE(each_particle_pushes_with_its_own_material) {
  Scene scene = empty_box(2);
  Material stiff = rubber();
  stiff.youngs_modulus *= 10.0;
  scene.materials.push_back(stiff);
  Particle<2> p = particle_at<2>(Vec<2>(0.6, 0.63));
  p.F *= 0.98;
  StepReport report;
  const State<2> soft_state = with_forces<2>(scene, {p}, report);
  p.material = 1;
  const State<2> stiff_state = with_forces<2>(scene, {p}, report);
  for (const Node<2>& node : soft_state.nodes) {
    const Vec<2> expected = 10.0 * node.p_star;
    BOOST_TEST((stiff_state.nodes.find(node.id)->p_star - expected).norm() < 100 * u * 7e6 * 1e-3 * 10);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
