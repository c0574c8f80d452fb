#include "reference/mpm/sums.h"
#include "reference/interface/methods/mpm.h"

#include "reference/mpm/plasticity.h"
#include "reference/mpm/reference_solver.h"
#include "reference/physics/hencky.h"
#include "tests/unit/mpm/scenes.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace repose::test {
namespace {

constexpr double dt = 1e-3;

/// A cloud of strained sand on a frictional floor.
Scene floor_scene(int dim, Transfer transfer = Transfer::apic) {
  Scene scene = empty_box(dim, Kernel::cubic, transfer);
  scene.gravity = Point(0.3, -9.81, 0.0);
  Collider floor;
  floor.shape = HalfSpace{Point(0.0, 0.5, 0.0), Point(0.0, 1.0, 0.0)};
  floor.friction = 0.3;
  scene.colliders.push_back(floor);
  return scene;
}

template <int d>
std::vector<Particle<d>> strained(const Scene& scene) {
  auto particles = cloud<d>(scene, 60, 51, 0.5, 1.0);
  std::mt19937_64 random(52);
  for (auto& p : particles) p.F += draw_matrix<d>(random, -0.01, 0.005);
  return particles;
}

/// Runs from the start to a boundary; the field there and its sums.
template <int d>
std::pair<std::vector<double>, Sums> field_and_sums(const Scene& scene,
                                                    const std::vector<Particle<d>>& particles, Boundary to,
                                                    std::string_view field) {
  const auto solver = make_reference_solver(scene);
  solver->load(start<d>(scene, particles));
  solver->run(boundary::step_start, to, dt);
  return {solver->save(to, true).get(field).value, solver->sums(field)};
}

double gamma_of(std::uint32_t terms) { return (terms + 20) * u / (1.0 - (terms + 20) * u); }

constexpr std::array<std::pair<Boundary, std::string_view>, 3> scattered{
    {{boundary::p2g, field::m_i}, {boundary::p2g, field::p_i}, {boundary::forces, field::p_star}}};

BOOST_AUTO_TEST_SUITE(sums)

BOOST_AUTO_TEST_CASE_TEMPLATE(any_order_of_particles_stays_inside_the_bound, D, Dims) {
  constexpr int d = D::d;
  const Scene scene = floor_scene(d);
  const auto particles = strained<d>(scene);
  auto reversed = particles;
  std::reverse(reversed.begin(), reversed.end());
  for (const auto& [to, name] : scattered) {
    const auto [forward, sums] = field_and_sums<d>(scene, particles, to, name);
    const auto backward = field_and_sums<d>(scene, reversed, to, name).first;
    BOOST_REQUIRE(forward.size() == sums.magnitude.size());
    BOOST_REQUIRE(forward.size() == sums.slope.size());
    const std::size_t k = forward.size() / sums.terms.size();
    bool differs = false;
    for (std::size_t n = 0; n < forward.size(); ++n) {
      BOOST_TEST(std::abs(forward[n] - backward[n]) <= 2 * gamma_of(sums.terms[n / k]) * sums.magnitude[n]);
      BOOST_TEST(std::abs(forward[n]) <= sums.magnitude[n] * (1.0 + 1e-12));
      differs = differs || forward[n] != backward[n];
    }
    BOOST_TEST(differs);  // premise: the order matters to the last bits
  }
}

/// The bound must notice what is not rounding: one particle lighter by 10⁻¹² of its mass.
BOOST_AUTO_TEST_CASE(the_bound_is_tight_enough_to_see_a_part_in_1e12) {
  const Scene scene = floor_scene(2);
  auto particles = strained<2>(scene);
  for (const auto& [to, name] : scattered) {
    const auto [before, sums] = field_and_sums<2>(scene, particles, to, name);
    auto lighter = particles;
    for (auto& p : lighter) p.m *= 1.0 - 1e-12;
    const auto after = field_and_sums<2>(scene, lighter, to, name).first;
    const std::size_t k = before.size() / sums.terms.size();
    std::size_t seen = 0;
    for (std::size_t n = 0; n < before.size(); ++n) {
      const double bound = 2 * gamma_of(sums.terms[n / k]) * sums.magnitude[n];
      seen += std::abs(before[n] - after[n]) > bound ? 1U : 0U;
    }
    if (name != field::p_star) BOOST_TEST(seen > before.size() / 10);  // p_star is dominated by the modulus
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(slopes_bound_the_effect_of_moved_particles, D, Dims) {
  constexpr int d = D::d;
  const Scene scene = floor_scene(d);
  const auto particles = strained<d>(scene);
  const double way = 1e-7;
  auto moved = particles;
  std::mt19937_64 random(53);
  for (auto& p : moved) p.x += draw_vector<d>(random, -way, way);
  for (const auto& [to, name] : scattered) {
    const auto [before, sums] = field_and_sums<d>(scene, particles, to, name);
    const auto after = field_and_sums<d>(scene, moved, to, name).first;
    BOOST_REQUIRE(before.size() == after.size());  // premise: the same nodes are active
    double most = 0.0;
    for (std::size_t n = 0; n < before.size(); ++n) {
      const double change = std::abs(before[n] - after[n]);
      // Second order: way² times second derivatives, at most some 10/h times the slope's terms.
      BOOST_TEST(change <= way * sums.slope[n] * (1.0 + 1e-3) + 1e-12 * sums.magnitude[n]);
      if (sums.slope[n] > 0.0) most = std::max(most, change / (way * sums.slope[n]));
    }
    BOOST_TEST(most > 0.05);  // and it is not ten times too large
  }
}

/// A particle on a node, v = 0: the node's momentum is 0 and moves only through C, by w m C δx.
BOOST_AUTO_TEST_CASE(the_slope_of_momentum_knows_the_affine_velocity) {
  const Scene scene = empty_box(2, Kernel::cubic, Transfer::apic, 0.125);
  Particle<2> p = particle_at<2>(Vec<2>(0.75, 0.75));
  p.C << 1.0, -2.0, 0.5, 3.0;
  const auto [before, sums] = field_and_sums<2>(scene, {p}, boundary::p2g, field::p_i);
  const std::size_t node = 4;  // the middle one of 3 × 3
  BOOST_TEST(before[2 * node] == 0.0);
  const double w_m = 4.0 / 9.0;  // (2/3)² of 1 kg
  BOOST_TEST(std::abs(sums.slope[2 * node] - w_m * 3.0) < 10 * u);
  BOOST_TEST(std::abs(sums.slope[2 * node + 1] - w_m * 3.5) < 10 * u);
}

/// Gathered fields: recomputed in another order of nodes.
BOOST_AUTO_TEST_CASE_TEMPLATE(gathered_fields_stay_inside_the_bound, D, Dims) {
  constexpr int d = D::d;
  for (const Transfer transfer : {Transfer::apic, Transfer::flip}) {
    const Scene scene = floor_scene(d, transfer);
    const auto solver = make_reference_solver(scene);
    solver->load(start<d>(scene, strained<d>(scene)));
    solver->run(boundary::step_start, boundary::friction, dt);
    const State<d> nodes = load_state<d>(solver->save(boundary::friction, true), scene);
    solver->run(boundary::friction, boundary::g2p, dt);
    const State<d> after = load_state<d>(solver->save(boundary::g2p, true), scene);
    const Sums v = solver->sums(field::v), v_bar = solver->sums(field::v_bar),
               grad = solver->sums(field::grad_v);
    const Sums C = solver->sums(field::C);
    for (std::size_t n = 0; n < after.particles.size(); ++n) {
      const Particle<d>& old = nodes.particles[n];
      const Stencil<d> stencil(scene.grid, mpm_options(scene).kernel, old.x);
      const std::vector<StencilNode<d>> forward(stencil.begin(), stencil.end());
      Vec<d> sum = transfer == Transfer::flip ? old.v : Vec<d>::Zero();
      Vec<d> sum_bar = Vec<d>::Zero();
      Mat<d> sum_grad = Mat<d>::Zero();
      std::uint32_t terms = transfer == Transfer::flip ? 1 : 0;
      for (auto i = forward.rbegin(); i != forward.rend(); ++i) {
        const Node<d>* node = nodes.nodes.find(i->id);
        if (node == nullptr) continue;
        const Vec<d> start_v = transfer == Transfer::flip ? Vec<d>(node->p / node->m) : Vec<d>::Zero();
        sum += i->w * (node->p_tilde / node->m - start_v);
        sum_bar += i->w * node->p_bar / node->m;
        sum_grad += node->p_bar / node->m * i->grad_w.transpose();
        ++terms;
      }
      BOOST_TEST(v.terms[n] == terms);
      for (int a = 0; a < d; ++a) {
        const auto at = n * d + static_cast<std::size_t>(a);
        BOOST_TEST(std::abs(after.particles[n].v[a] - sum[a]) <= 2 * gamma_of(terms) * v.magnitude[at]);
        BOOST_TEST(std::abs(after.particles[n].v_bar[a] - sum_bar[a]) <=
                   2 * gamma_of(terms) * v_bar.magnitude[at]);
        BOOST_TEST(std::abs(sum[a]) <= v.magnitude[at] * (1.0 + 1e-12));
        for (int b = 0; b < d; ++b) {
          const auto ab = at * d + static_cast<std::size_t>(b);
          BOOST_TEST(std::abs(after.particles[n].grad_v(a, b) - sum_grad(a, b)) <=
                     2 * gamma_of(terms) * grad.magnitude[ab]);
          BOOST_TEST(std::abs(after.particles[n].C(a, b)) <= C.magnitude[ab] * (1.0 + 1e-12));
        }
      }
    }
  }
}

/// Noise of 10⁻⁸ in F̂, as storage in single precision would add, moves the strains by less than the bound at
/// u = 10⁻⁸.
BOOST_AUTO_TEST_CASE_TEMPLATE(the_strain_after_plasticity_stays_inside_its_bound, D, Dims) {
  constexpr int d = D::d;
  const Scene scene = floor_scene(d);
  const auto particles = strained<d>(scene);
  auto noisy = particles;
  std::mt19937_64 random(54);
  const double noise = 1e-8;
  for (auto& p : noisy) p.F += draw_matrix<d>(random, -noise, noise);
  const auto strains = [&](const std::vector<Particle<d>>& from) {
    State<d> state(scene.grid);
    state.particles = from;
    StepReport report;
    apply_plasticity<d>(state, {scene, 0.0, dt}, report);
    return state.particles;
  };
  State<d> before(scene.grid);
  before.particles = particles;
  const Sums F = field_sums<d>(before, {scene, 0.0, dt}, field::F);
  const Sums q = field_sums<d>(before, {scene, 0.0, dt}, field::q);
  const auto clean_after = strains(particles), noisy_after = strains(noisy);
  double most = 0.0;
  for (std::size_t n = 0; n < particles.size(); ++n) {
    const auto strain = [](const Mat<d>& G) {
      const Svd<d> svd = decompose<d>(G);
      return Mat<d>(svd.U * hencky_strain<d>(svd).asDiagonal() * svd.U.transpose());
    };
    const double change = (strain(clean_after[n].F) - strain(noisy_after[n].F)).cwiseAbs().maxCoeff();
    BOOST_TEST(change <= 22 * noise * F.magnitude[n * d * d]);
    BOOST_TEST(std::abs(clean_after[n].q - noisy_after[n].q) <= 22 * noise * q.magnitude[n]);
    most = std::max(most, change / (22 * noise * F.magnitude[n * d * d]));
  }
  BOOST_TEST(most > 1e-3);
}

BOOST_AUTO_TEST_CASE(without_bodies_contacts_add_nothing_to_the_magnitude) {
  Scene scene = floor_scene(2);
  scene.colliders.clear();
  const auto solver = make_reference_solver(scene);
  solver->load(start<2>(scene, strained<2>(scene)));
  solver->run(boundary::step_start, boundary::friction, dt);
  const Snapshot at = solver->save(boundary::friction, true);
  for (const std::string_view name : {field::p_bar, field::p_tilde}) {
    const Sums sums = solver->sums(name);
    for (std::size_t n = 0; n < at.count(Place::node); ++n) {
      const double size =
          std::hypot(at.get(field::p_star).value[2 * n], at.get(field::p_star).value[2 * n + 1]);
      BOOST_TEST(std::abs(sums.magnitude[2 * n] - size) <= 10 * u * size);
      BOOST_TEST(sums.slope[2 * n] == 0.0);
      BOOST_TEST(sums.terms[n] == 1U);
    }
  }
}

/// The formulas of sums.h with the distances of a plane, on a floor that rises and slides.
BOOST_AUTO_TEST_CASE(magnitudes_of_contacts_are_those_of_a_plane_by_hand) {
  Scene scene = floor_scene(2);
  Collider& floor = scene.colliders.front();
  floor.velocity = Point(0.2, 0.5, 0.0);
  const double mu = floor.friction, v_b = std::hypot(0.2, 0.5), near = 0x1p-20 * scene.grid.h;
  const auto solver = make_reference_solver(scene);
  solver->load(start<2>(scene, strained<2>(scene)));
  solver->run(boundary::step_start, boundary::friction, dt);
  const Snapshot at = solver->save(boundary::friction, true);
  const auto momentum = [&](std::string_view name, std::size_t n) {
    const auto& value = at.get(name).value;
    return Vec<2>(value[2 * n], value[2 * n + 1]);
  };
  const Sums bar = solver->sums(field::p_bar), tilde = solver->sums(field::p_tilde);
  std::size_t met = 0, stopped = 0;
  for (std::size_t n = 0; n < at.count(Place::node); ++n) {
    const double m = at.get(field::m_i).value[n];
    const Vec<2> v_star = momentum(field::p_star, n) / m, v_bar = momentum(field::p_bar, n) / m;
    const double phi_n = scene.grid.node_position(at.ids(Place::node)[n]).y() - 0.5;
    const double phi_bar = phi_n + dt * (v_star.y() - 0.5);
    double of_bar = v_star.norm(), of_tilde = of_bar;
    if (phi_bar < std::min(phi_n, 0.0) + near) {
      of_bar += (std::abs(phi_n) + std::abs(phi_bar)) / dt + v_b;
      of_tilde = of_bar * (1.0 + 2.0 * mu) + 3.0 * v_b + v_bar.norm() + mu * (v_bar - v_star).norm();
      ++met;
      if ((v_bar - v_star).norm() > 1e-3) ++stopped;
    }
    for (std::size_t a = 0; a < 2; ++a) {
      BOOST_TEST(std::abs(bar.magnitude[2 * n + a] / (m * of_bar) - 1.0) < 1e-9);
      BOOST_TEST(std::abs(tilde.magnitude[2 * n + a] / (m * of_tilde) - 1.0) < 1e-9);
    }
  }
  BOOST_TEST(met >= 5U);  // premises
  BOOST_TEST(stopped >= 5U);
  BOOST_TEST(met < at.count(Place::node));
}

BOOST_AUTO_TEST_CASE(a_long_run_gives_the_same_sums_as_single_stages) {
  const Scene scene = floor_scene(2);
  const auto single = make_reference_solver(scene);
  const auto whole = make_reference_solver(scene);
  single->load(start<2>(scene, strained<2>(scene)));
  whole->load(start<2>(scene, strained<2>(scene)));
  whole->run(boundary::step_start, boundary::plasticity, dt);
  const std::span<const Boundary> boundaries = single->boundaries();
  for (std::size_t n = 1; n < boundaries.size(); ++n) {
    single->run(boundaries[n - 1], boundaries[n], dt);
    for (const std::string_view name :
         {field::m_i, field::p_i, field::p_star, field::p_bar, field::p_tilde, field::v, field::C,
          field::v_bar, field::grad_v, field::x, field::F_trial, field::J, field::F, field::q, field::v_c}) {
      if (boundary_of(name) != boundaries[n]) {
        BOOST_CHECK_THROW(single->sums(name), std::logic_error);
        continue;
      }
      const Sums a = single->sums(name), b = whole->sums(name);
      BOOST_TEST(!a.magnitude.empty());
      BOOST_TEST((a.magnitude == b.magnitude));
      BOOST_TEST((a.slope == b.slope));
      BOOST_TEST((a.terms == b.terms));
      for (const double magnitude : a.magnitude) BOOST_TEST(magnitude >= 0.0);
    }
  }
}

BOOST_AUTO_TEST_CASE(sums_are_refused_where_there_are_none) {
  const Scene scene = floor_scene(2);
  const auto solver = make_reference_solver(scene);
  solver->load(start<2>(scene, strained<2>(scene)));
  BOOST_CHECK_THROW(solver->sums(field::m_i), std::logic_error);
  solver->advance([](double) { return dt; });
  BOOST_CHECK_THROW(solver->sums(field::v), std::logic_error);
  solver->run(boundary::step_start, boundary::plasticity, dt);
  BOOST_CHECK_NO_THROW(solver->sums(field::v));
  BOOST_CHECK_THROW(solver->sums(field::plastic_case), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
