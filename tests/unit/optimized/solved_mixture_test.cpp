// Semi-implicit steps of the mixture by the fast solver. Stage by stage they are judged in lock-step.
#include "optimized/implicit/kernels.h"
#include "optimized/mixture/coupled_weights.h"
#include "optimized/mixture/mixture_solver.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mixture_probes.h"
#include "reference/mixture/mixture_solver.h"
#include "tests/unit/mixture/scenes.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace data = boost::unit_test::data;

namespace repose::test {
namespace {

using optimized_tests::require_equal;

constexpr double dt = 2e-3;
double steady(double) { return dt; }
constexpr Precision precisions[] = {Precision::single_, Precision::double_};

/// What is varied together. Stiff: rΔt is some hundred.
struct Way {
  Kernel kernel;
  Transfer transfer;
  Drag drag;
  ReversibleTerm reversible;
  Energy energy;
  bool stiff;
};
std::ostream& operator<<(std::ostream& out, const Way& way) {
  return out << way.kernel << ' ' << way.transfer << " drag " << static_cast<int>(way.drag) << " term "
             << static_cast<int>(way.reversible) << (way.stiff ? " stiff" : "");
}
constexpr Way ways[] = {
    {Kernel::quadratic, Transfer::apic, Drag::printed, ReversibleTerm::volume, Energy::unilateral, true},
    {Kernel::cubic, Transfer::flip_pic, Drag::mesh_consistent, ReversibleTerm::mass, Energy::unilateral,
     true},
    {Kernel::cubic, Transfer::apic, Drag::mesh_consistent, ReversibleTerm::printed, Energy::hencky, false},
    {Kernel::quadratic, Transfer::apic, Drag::none, ReversibleTerm::none, Energy::unilateral, false}};

/// Sand and water on a floor that holds them each in its own way.
Scene bed(int dim, const Way& way, double tolerance = 1e-4) {
  MixtureOptions options{.kernel = way.kernel,
                         .transfer = way.transfer,
                         .flip_share = 0.9,
                         .integrator = Integrator::semi_implicit,
                         .energy = way.energy,
                         .drag = way.drag,
                         .reversible = way.reversible};
  const double h = 0.1;
  options.kappa = (way.stiff ? 1e8 : 1e6);
  options.c_E = (way.stiff ? 1e5 : 1e3) / std::pow(h, dim - 2);
  options.implicit = {.newton_tolerance = tolerance,
                      .newton_iterations = 80,
                      .gmres_iterations = 200,
                      .gmres_tolerance = std::min(1e-3, tolerance)};
  Scene scene = mixed_box(dim, options, h);
  scene.materials[0].unilateral = Unilateral{.a = -0.01, .b = 0.0, .c0 = 0.1};
  scene.gravity = Point(0.3, -9.81, 0.0);
  Collider floor;
  floor.shape = HalfSpace{Point(0.0, 0.5, 0.0), Point(0.0, 1.0, 0.0)};
  floor.friction = 0.4;
  scene.colliders = {floor};
  return scene;
}

Snapshot poured(const Scene& scene, std::size_t count = 300) {
  const auto laid = [&]<int d>() {
    Snapshot s = mixed_start<d>(slurry<d>(scene, count), scene);
    std::mt19937_64 random(5);
    for (double& c_C : s.get(field::c_C).value) c_C *= draw(random, 0.2, 1.0);
    return s;
  };
  return scene.dim() == 2 ? laid.operator()<2>() : laid.operator()<3>();
}

std::unique_ptr<Solver> fast(const Scene& scene, Precision precision, int threads = 1) {
  return optimized::make_mixture_solver(scene,
                                        {.precision = precision, .threads = threads, .all_threads = true});
}

double largest_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}
/// Furthest that two lists are from each other, over the largest number of the first.
double apart(const std::vector<double>& a, const std::vector<double>& b) {
  BOOST_REQUIRE(a.size() == b.size());
  double off = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) off = std::max(off, std::abs(a[k] - b[k]));
  return off == 0.0 ? 0.0 : off / largest_of(a);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(solved_mixture)

BOOST_DATA_TEST_CASE(a_solve_of_both_phases_gives_the_same_bits_for_any_number_of_threads,
                     data::make({2, 3}) * data::make(ways) * data::make(precisions), dim, way, precision) {
  const Scene scene = bed(dim, way, 1e-3);
  const Snapshot start = poured(scene);
  const auto after = [&](int threads) {
    const auto solver = fast(scene, precision, threads);
    solver->load(start);
    for (int step = 0; step < 2; ++step) solver->advance(steady);
    return solver->save(boundary::plasticity, true);
  };
  const Snapshot one = after(1);
  for (const int threads : {2, 3}) require_equal(one, after(threads));
}

/// Stopped at each boundary, and loaded there into another solver from its own storage.
BOOST_DATA_TEST_CASE(stopping_between_the_stages_of_a_solved_step_changes_no_bit,
                     data::make({2, 3}) * data::make(ways) * data::make(precisions), dim, way, precision) {
  const Scene scene = bed(dim, way, 1e-3);
  const auto whole = fast(scene, precision);
  const auto stepwise = fast(scene, precision);
  auto resumed = fast(scene, precision);
  for (Solver* solver : {whole.get(), stepwise.get(), resumed.get()}) solver->load(poured(scene));
  const StepReport fused = whole->advance(steady);
  BOOST_REQUIRE(fused.dt == dt);  // premise: it was not cut
  Counts seen;
  const auto stops = stepwise->boundaries();
  BOOST_TEST(std::count(stops.begin(), stops.end(), boundary::drag) == 0);
  for (std::size_t k = 0; k + 1 < stops.size(); ++k) {
    const StepReport part = stepwise->run(stops[k], stops[k + 1], dt);
    for (std::size_t row = counter::inside; row <= counter::dragged_nodes; ++row)
      seen[row] += part.counts[row];
    resumed->run(stops[k], stops[k + 1], dt);
    const Snapshot kept = stepwise->save(stops[k + 1], true);
    require_equal(kept, resumed->save(stops[k + 1], true));
    resumed = fast(scene, precision);
    resumed->load(kept);
    require_equal(kept, resumed->save(stops[k + 1], true));
  }
  require_equal(whole->save(boundary::plasticity, true), stepwise->save(boundary::plasticity, true));
  for (std::size_t row = counter::inside; row <= counter::dragged_nodes; ++row)
    BOOST_TEST(seen[row] == fused.counts[row], "counter " << row);
  BOOST_TEST(fused.counts[counter::newton_iterations] > 0U);
  BOOST_TEST((fused.counts[counter::dragged_nodes] > 0U) == (way.drag != Drag::none));
}

/// Tolerances are tight, so that what is left of them is small beside what the solve changes.
BOOST_DATA_TEST_CASE(a_solve_of_both_phases_ends_where_the_readable_solvers_does,
                     data::make({2, 3}) * data::make(ways), dim, way) {
  const Scene scene = bed(dim, way, 1e-8);
  const Snapshot start = poured(scene, 200);
  const auto readable = make_mixture_solver(scene);
  const auto quick = fast(scene, Precision::double_);
  for (Solver* solver : {readable.get(), quick.get()}) {
    solver->load(start);
    solver->run(boundary::step_start, boundary::friction, dt);
  }
  const Snapshot expected = readable->save(boundary::friction, false);
  const Snapshot got = quick->save(boundary::friction, false);
  for (const Field& field : expected.fields) {
    if (field.place != Place::node) continue;
    const double off = apart(field.value, got.get(field.name).value);
    BOOST_TEST(off <= 1e-5, field.name << " is " << off << " apart");
  }
  // Premise: the solve did more than rounding.
  BOOST_TEST(apart(expected.get(field::p_bar).value, expected.get(field::p_i).value) > 0.01);
}

BOOST_DATA_TEST_CASE(what_acts_on_each_phase_is_what_the_readable_solver_says,
                     data::make({2, 3}) * data::make(ways), dim, way) {
  const Scene scene = bed(dim, way);
  const auto readable = make_mixture_solver(scene);
  const auto quick = fast(scene, Precision::double_);
  for (Solver* solver : {readable.get(), quick.get()}) {
    solver->load(poured(scene));
    solver->run(boundary::step_start, boundary::p2g, dt);
  }
  const std::size_t count =
      readable->save(boundary::p2g, false).count(Place::node) * static_cast<std::size_t>(dim);
  std::vector<double> v[4];
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t n = 0; n < 4; ++n)
      v[n].push_back((n < 2 ? 0.1 : 1.0) * std::sin(static_cast<double>((2 * n + 1) * k + n)));
  const PhaseVelocities at{v[0], v[1]}, by{v[2], v[3]};
  const PhaseImpulses one = impulses_at(*readable, dim, at, dt), other = impulses_at(*quick, dim, at, dt);
  BOOST_TEST(apart(one.sand.impulse, other.sand.impulse) <= 1e-11);
  BOOST_TEST(apart(one.water.impulse, other.water.impulse) <= 1e-11);
  BOOST_TEST(apart(one.sand.magnitude, other.sand.magnitude) <= 1e-11);
  BOOST_TEST(apart(one.water.magnitude, other.water.magnitude) <= 1e-11);
  const PhaseChanges change = impulse_change(*readable, dim, at, by, dt);
  const PhaseChanges other_change = impulse_change(*quick, dim, at, by, dt);
  BOOST_TEST(apart(change.sand, other_change.sand) <= 1e-10);
  BOOST_TEST(apart(change.water, other_change.water) <= 1e-10);
  const auto drag = drag_impulse(*readable, dim, at, dt);
  BOOST_TEST(apart(drag, drag_impulse(*quick, dim, at, dt)) <= 1e-12);
  BOOST_TEST((largest_of(drag) > 0.0) == (way.drag != Drag::none));
  const auto reversible = reversible_impulse(*readable, dt);
  BOOST_TEST(apart(reversible, reversible_impulse(*quick, dt)) <= 1e-10);
  BOOST_TEST((largest_of(reversible) > 0.0) == (way.reversible != ReversibleTerm::none));
}

/// Drag ten thousand times as stiff takes no more products: it is solved in closed form.
BOOST_AUTO_TEST_CASE(stiff_drag_takes_no_more_products) {
  std::uint64_t products[2] = {};
  for (const int stiff : {0, 1}) {
    Scene scene = bed(2, ways[1]);
    mixture_options(scene).kappa = stiff != 0 ? 1e10 : 1e6;
    const auto solver = fast(scene, Precision::double_);
    solver->load(poured(scene));
    const StepReport report = solver->run(boundary::step_start, boundary::collisions, dt);
    products[stiff] = report.counts[counter::gmres_iterations];
  }
  BOOST_TEST(products[0] > 0U);
  BOOST_TEST(products[1] <= 2 * products[0]);
}

/// A solve that cannot succeed is tried with half of Δt, as often as the scene allows.
BOOST_AUTO_TEST_CASE(a_solve_that_fails_is_cut_and_counted_or_kept) {
  Scene scene = bed(2, ways[0]);
  mixture_options(scene).implicit.newton_tolerance = 1e-13;
  mixture_options(scene).implicit.newton_iterations = 1;
  mixture_options(scene).implicit.step_cuts = 2;
  const auto solver = fast(scene, Precision::double_);
  solver->load(poured(scene));
  BOOST_CHECK_EXCEPTION(solver->advance(steady), SimulationError, [](const SimulationError& error) {
    return std::string(error.what()).find("after 2 cuts") != std::string::npos;
  });
  mixture_options(scene).implicit.unconverged = Unconverged::keep;
  const auto kept = fast(scene, Precision::double_);
  kept->load(poured(scene));
  const StepReport report = kept->advance(steady);
  BOOST_TEST(report.counts[counter::unconverged] == 1U);
  BOOST_TEST(report.counts[counter::newton_iterations] == 1U);
  BOOST_TEST((report.counts[counter::step_cuts] == 0U && report.dt == dt));
}

namespace {

/// Mass and drag of some nodes, without stress: what CoupledWeights knows in closed form.
struct Stressless {
  static constexpr int dimension = 3;
  struct Part {
    std::size_t count = 0;
    std::size_t nodes() const { return count; }
  };
  Part of_sand;
  std::vector<double> m, D;
  std::vector<std::size_t> water_at;
  optimized::NodeAlgebra norms;

  const Part& sand() const { return of_sand; }
  std::size_t nodes() const { return m.size(); }
  double mass(std::size_t k) const { return m[k]; }
  double drag(std::size_t k) const { return D[k]; }
  std::size_t partner(std::size_t k) const { return water_at[k]; }
  const optimized::NodeAlgebra& algebra() const { return norms; }
  template <class N, class Velocity, class Take>
  void stress_change(Velocity&&, Take&& take) const {
    for (std::size_t k = 0; k < nodes(); ++k) take(k, Vec<3>::Zero());
  }
};

}  // namespace

/// Floors hold sand and water each in its own way: both, one, along different normals, or none; drag up to 10¹⁰ times the mass.
BOOST_AUTO_TEST_CASE(mass_and_drag_are_the_unit_matrix_in_the_variables_of_the_solve) {
  using namespace optimized;
  constexpr std::size_t pairs = 6, single = 2;
  Scene sand_scene = optimized_tests::empty_scene(3, Kernel::quadratic, Transfer::apic);
  Scene water_scene = sand_scene;
  // A floor slips under sand, and two walls under water; each node stands in some of them.
  for (Scene* scene : {&sand_scene, &water_scene}) {
    for (const Point& n : {Point(0, 1, 0), Point(1, 0, 0), Point(0.6, 0.8, 0)}) {
      Collider body;
      body.shape = HalfSpace{0.3 * n, n};
      body.contact = Contact::slipping;
      scene->colliders.push_back(body);
    }
  }
  for (const std::size_t body : {1U, 2U}) sand_scene.colliders[body].contact = Contact::separating;
  for (const std::size_t body : {0U}) water_scene.colliders[body].contact = Contact::separating;
  const std::vector<Point> at{Point(0.9, 0.9, 0.5), Point(0.9, 0.1, 0.5),  Point(0.1, 0.9, 0.5),
                              Point(0.1, 0.1, 0.5), Point(0.35, 0.1, 0.5), Point(0.9, 0.9, 0.1)};
  HeldNodes of_sand{.scene = &sand_scene, .x = at}, of_water{.scene = &water_scene, .x = at};
  of_sand.x.push_back(Point(0.5, 0.1, 0.5));
  of_water.x.push_back(Point(0.1, 0.5, 0.5));
  const std::size_t n_s = pairs + single / 2, n = 2 * pairs + single;
  const Team team(1);
  Holds<3> holds({of_sand, of_water}, 0.0, 1e-3, team);
  NodeVector v(3 * n, 0.0), residual(3 * n, 0.0);
  const ImplicitKernels<3>& kernels = implicit_kernels<3>("");
  Stressless system{
      .of_sand = {n_s}, .m = {}, .D = {}, .water_at = {}, .norms = {3 * n, team, kernels.dots, kernels.add}};
  std::mt19937_64 random(4);
  for (std::size_t k = 0; k < n; ++k) system.m.push_back(draw(random, 0.5, 2.0));
  for (std::size_t k = 0; k < n_s; ++k) {
    const bool paired = k < pairs;
    system.D.push_back(paired && k != 5 ? std::pow(10.0, draw(random, -2.0, 10.0)) : 0.0);
    system.water_at.push_back(paired ? n_s + k : static_cast<std::size_t>(-2));
  }
  holds.guess(v, residual, system.m);
  std::size_t unlike = 0;
  for (std::size_t k = 0; k < pairs; ++k)
    unlike += holds.at(k).rank > 0 && holds.at(k).bodies != holds.at(n_s + k).bodies ? 1U : 0U;
  BOOST_TEST(unlike >= 1U);  // premise
  CoupledWeights<Stressless> weights(system, holds, team);
  weights.prepare();

  for (int round = 0; round < 5; ++round) {
    NodeVector y(3 * n), w(3 * n), out(3 * n);
    for (std::size_t k = 0; k < 3 * n; ++k) {
      y[k] = draw(random, -1.0, 1.0);
      w[k] = draw(random, -1.0, 1.0);
    }
    NodeVector velocity = y, weighed = w;
    weights.spread(velocity);
    weights.weigh(weighed);
    double one = 0.0, two = 0.0, size = 0.0, kept = 0.0, energy = 0.0;
    for (std::size_t k = 0; k < 3 * n; ++k) {
      one += w[k] * velocity[k];
      two += weighed[k] * y[k];
      size += std::abs(w[k] * velocity[k]);
    }
    BOOST_TEST(std::abs(one - two) <= 1e-13 * size);  // weigh() is the transposed of spread()
    std::vector<double> lengths(n);
    for (std::size_t k = 0; k < n; ++k) {
      const auto v_k = of_node<3>(velocity, k);
      BOOST_TEST((v_k - holds.free_part(k, v_k)).norm() <= 1e-14 * v_k.norm());
      lengths[k] = of_node<3>(w, k).norm();
      kept += holds.free_part(k, of_node<3>(y, k)).squaredNorm();
      energy += system.m[k] * v_k.squaredNorm();
      if (k < pairs) energy += system.D[k] * (v_k - of_node<3>(velocity, n_s + k)).squaredNorm();
    }
    BOOST_TEST(std::abs(energy - kept) <= 1e-5 * kept);  // 10¹⁰ times what rounding leaves of a difference
    BOOST_TEST(weights.rounding(lengths) >= system.algebra().norm(weighed));
    weights.multiply(y, out);
    double product = 0.0;
    for (std::size_t k = 0; k < 3 * n; ++k) product += out[k] * y[k];
    BOOST_TEST(std::abs(product - kept) <= 1e-13 * kept);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::test
