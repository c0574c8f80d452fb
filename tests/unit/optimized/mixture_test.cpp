// The fast solver of the mixture: the same bits however it is run, each phase as alone, whole steps as the readable solver takes
// them. Stage by stage it is judged in lock-step.
#include "optimized/mixture/mixture_solver.h"
#include "reference/interface/base/error.h"
#include "reference/interface/methods/mixture_parts.h"
#include "reference/mixture/mixture_solver.h"
#include "tests/unit/mixture/scenes.h"
#include "tests/unit/optimized/states.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ostream>

namespace data = boost::unit_test::data;

namespace repose {
// In test names.
inline std::ostream& operator<<(std::ostream& out, Drag drag) {
  return out << "drag " << static_cast<int>(drag);
}
}  // namespace repose

namespace repose::test {
namespace {

using optimized_tests::require_equal;

constexpr double dt = 2e-4;
double steady(double) { return dt; }

constexpr Precision precisions[] = {Precision::single_, Precision::double_};
constexpr Drag drags[] = {Drag::none, Drag::printed, Drag::mesh_consistent};

/// What is varied together.
struct Way {
  Kernel kernel;
  Transfer transfer;
  ReversibleTerm reversible;
  bool periodic;
};
std::ostream& operator<<(std::ostream& out, const Way& way) {
  return out << way.kernel << ' ' << way.transfer << " term " << static_cast<int>(way.reversible)
             << (way.periodic ? " periodic" : "");
}
constexpr Way ways[] = {{Kernel::quadratic, Transfer::apic, ReversibleTerm::volume, false},
                        {Kernel::cubic, Transfer::flip_pic, ReversibleTerm::mass, false},
                        {Kernel::cubic, Transfer::apic, ReversibleTerm::none, true},
                        {Kernel::quadratic, Transfer::apic, ReversibleTerm::none, true}};

/// Sand with the unilateral energy and water, on a rough floor; along a periodic axis they lie across its seam.
Scene slope(int dim, const Way& way) {
  Scene scene = mixed_box(dim, {.kernel = way.kernel,
                                .transfer = way.transfer,
                                .flip_share = 0.9,
                                .energy = Energy::unilateral,
                                .drag = Drag::printed,
                                .c_E = 50.0,
                                .reversible = way.reversible});
  scene.materials[0].unilateral = Unilateral{.a = -0.4, .b = 0.1, .c0 = 0.5, .strain_unit = 0.01};
  scene.materials[0].friction.h1 = 9 * degree;
  scene.materials[0].friction.h2 = 0.2;
  scene.materials[0].volume_correction = true;
  scene.gravity = Point(0.3, -9.81, 0.0);
  Collider floor;
  floor.shape = HalfSpace{Point(0.0, 0.5, 0.0), Point(0.0, 1.0, 0.0)};
  floor.friction = 0.4;
  scene.colliders = {floor};
  scene.grid.periodic[0] = way.periodic;
  return scene;
}

Snapshot poured(const Scene& scene, std::size_t count = 400) {
  const auto laid = [&]<int d>() {
    std::vector<Particle<d>> all = slurry<d>(scene, count);
    const double length = scene.grid.h * static_cast<double>(scene.grid.cells[0]);
    if (scene.grid.periodic[0])
      for (Particle<d>& p : all) p.x[0] = std::fmod(p.x[0] + 0.5 * length, length);
    Snapshot s = mixed_start<d>(all, scene);
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

}  // namespace

BOOST_AUTO_TEST_SUITE(mixture_steps)

BOOST_DATA_TEST_CASE(any_number_of_threads_gives_the_same_bits,
                     data::make({2, 3}) * data::make(ways) * data::make(precisions), dim, way, precision) {
  const Scene scene = slope(dim, way);
  const Snapshot start = poured(scene);
  const auto after = [&](int threads) {
    const auto solver = fast(scene, precision, threads);
    solver->load(start);
    for (int step = 0; step < 4; ++step) solver->advance(steady);
    return solver->save(boundary::plasticity, true);
  };
  const Snapshot one = after(1);
  for (const int threads : {2, 3, 8}) require_equal(one, after(threads));
}

/// Stopped at each boundary, and loaded there into another solver from its own storage.
BOOST_DATA_TEST_CASE(stopping_between_stages_changes_no_bit,
                     data::make({2, 3}) * data::make(ways) * data::make(precisions), dim, way, precision) {
  const Scene scene = slope(dim, way);
  const auto whole = fast(scene, precision);
  const auto stepwise = fast(scene, precision);
  auto resumed = fast(scene, precision);
  for (Solver* solver : {whole.get(), stepwise.get(), resumed.get()}) solver->load(poured(scene));
  std::uint64_t wet = 0, dragged = 0, softer = 0;
  for (int step = 0; step < 3; ++step) {
    const StepReport fused = whole->advance(steady);
    Counts seen;
    const auto stops = stepwise->boundaries();
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
    const Snapshot end = whole->save(boundary::plasticity, true);
    require_equal(end, stepwise->save(boundary::plasticity, true));
    for (std::size_t row = counter::inside; row <= counter::dragged_nodes; ++row)
      BOOST_TEST(seen[row] == fused.counts[row], "counter " << row);
    wet += fused.counts[counter::wet_nodes];
    dragged += fused.counts[counter::dragged_nodes];
    for (const double phi : end.get(field::phi_p).value) softer += phi > 0.0 && phi < 1.0 ? 1U : 0U;
  }
  BOOST_TEST(wet > 0U);
  BOOST_TEST(dragged > 0U);
  BOOST_TEST(softer > 0U);
}

/// Without drag, or with one of coefficient zero. Of cohesion that is untouched too: a grain that has its material's c_C keeps
/// every bit, also in float.
BOOST_DATA_TEST_CASE(phases_that_nothing_couples_step_as_each_does_alone,
                     data::make({2, 3}) * data::make(ways) * data::make(precisions) * data::make(drags), dim,
                     way, precision, drag) {
  Scene scene = slope(dim, way);
  MixtureOptions& options = mixture_options(scene);
  options.drag = drag;
  options.c_E = options.kappa = 0.0;
  options.reversible = ReversibleTerm::none;
  options.softening = Softening::none;
  Snapshot start = poured(scene);
  for (std::size_t p = 0; p < start.particles(); ++p)
    start.get(field::c_C).value[p] =
        scene.materials[static_cast<std::size_t>(start.get(field::material).value[p])].cohesion;
  const auto both = fast(scene, precision);
  both->load(start);
  for (int step = 0; step < 3; ++step) {
    const StepReport report = both->advance(steady);
    BOOST_TEST(report.counts[counter::wet_nodes] > 10U);  // premise: nodes of both phases
    BOOST_TEST(report.counts[counter::dragged_nodes] == 0U);
  }
  const Snapshot mixed = both->save(boundary::plasticity, false);
  for (const mixture::Phase phase : mixture::phases) {
    const mixture::Members own = mixture::members(start, scene, phase);
    const Scene alone_in = mixture::scene_of_part(scene, phase);
    const auto alone = make_optimized_solver(alone_in, {.precision = precision});
    alone->load(mixture::part_of(start, own, phase));
    for (int step = 0; step < 3; ++step) alone->advance(steady);
    require_equal(alone->save(boundary::plasticity, false), mixture::part_of(mixed, own, phase));
    BOOST_TEST(own.particles.size() > 10U);
  }
}

/// Whole steps, whose saturation is found block by block in front of the particles' stages. In double, where a hundred
/// roundings of numbers of their size are far below what is asked for.
BOOST_DATA_TEST_CASE(whole_steps_are_those_of_the_readable_solver, data::make({2, 3}) * data::make(ways), dim,
                     way) {
  const Scene scene = slope(dim, way);
  const Snapshot start = poured(scene);
  const auto readable = make_mixture_solver(scene);
  const auto quick = fast(scene, Precision::double_);
  for (Solver* solver : {readable.get(), quick.get()}) {
    solver->load(start);
    for (int step = 0; step < 2; ++step) solver->advance(steady);
  }
  const Snapshot expected = readable->save(boundary::plasticity, false);
  const Snapshot got = quick->save(boundary::plasticity, false);
  for (const std::string_view name :
       {field::x, field::v, field::J, field::q, field::v_c, field::phi_p, field::c_C}) {
    const auto& a = expected.get(name).value;
    const auto& b = got.get(name).value;
    double apart = 0.0, size = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      apart = std::max(apart, std::abs(a[i] - b[i]));
      size = std::max(size, std::abs(a[i]));
    }
    BOOST_TEST(size > 0.0, name);
    BOOST_TEST(apart <= 1e-10 * size, name << " apart by " << apart << " of " << size);
  }
}

/// A particle that comes later has the next id whatever its phase, and wetness goes where its grain goes.
BOOST_DATA_TEST_CASE(particles_added_are_as_if_they_had_been_loaded_with_the_others,
                     data::make({2, 3}) * data::make(precisions), dim, precision) {
  const Scene scene = slope(dim, ways[0]);
  const auto grown = fast(scene, precision);
  const auto whole = fast(scene, precision);
  grown->load(poured(scene, 200));
  grown->advance(steady);
  const Snapshot before = grown->save(boundary::step_start, true);
  Snapshot more = poured(scene, 50);
  for (double& x : more.get(field::x).value) x += 0.05 * scene.grid.h;
  grown->append(more);
  BOOST_TEST(grown->particles() == before.particles() + 50U);

  const Snapshot joined = grown->save(boundary::step_start, true);
  BOOST_TEST(joined.next_particle() == static_cast<std::int64_t>(joined.particles()));
  for (const Field& field : before.fields) {
    const auto& all = joined.get(field.name).value;
    BOOST_TEST(std::equal(field.value.begin(), field.value.end(), all.begin()), field.name);
  }
  const auto& c_C = joined.get(field::c_C).value;
  for (std::size_t p = 0; p < 50; ++p)
    BOOST_TEST(c_C[before.particles() + p] ==
               (precision == Precision::single_
                    ? static_cast<double>(static_cast<float>(more.get(field::c_C).value[p]))
                    : more.get(field::c_C).value[p]));
  whole->load(joined);
  whole->advance(steady);
  grown->advance(steady);
  require_equal(whole->save(boundary::plasticity, true), grown->save(boundary::plasticity, true));
}

/// Records are put in order once their particles have left eight cells each on average: here all leave twenty.
BOOST_DATA_TEST_CASE(a_cohesion_stays_with_its_grain_wherever_records_go,
                     data::make({2, 3}) * data::make(precisions), dim, precision) {
  Scene scene = slope(dim, ways[2]);
  mixture_options(scene).softening = Softening::none;
  scene.gravity.setZero();
  scene.colliders.clear();
  Snapshot start = poured(scene);
  const Snapshot still = [&] {
    Snapshot s = start;
    s.fields = method::state_at_rest(method::mixture, dim, start.particles());
    for (const std::string_view name : {field::mass, field::volume, field::material, field::x, field::c_C})
      s.get(name) = start.get(name);
    for (std::size_t p = 0; p < s.particles(); ++p)
      s.get(field::v).value[p * static_cast<std::size_t>(dim)] = 0.5 * scene.grid.h / dt;
    return s;
  }();
  const auto solver = fast(scene, precision);
  solver->load(still);
  const Snapshot before = solver->save(boundary::step_start, false);
  for (int step = 0; step < 40; ++step) solver->advance(steady);
  const Snapshot after = solver->save(boundary::plasticity, false);
  BOOST_TEST(after.get(field::c_C).value == before.get(field::c_C).value, boost::test_tools::per_element());
  const auto& c_C = before.get(field::c_C).value;
  const bool differ = std::adjacent_find(c_C.begin(), c_C.end(), [](double one, double other) {
                        return one > 0.0 && other > 0.0 && one != other;
                      }) != c_C.end();
  BOOST_TEST(differ);
}

/// An error names a particle by its id among all, not by its place in its phase.
BOOST_AUTO_TEST_CASE(an_error_names_the_particle_by_its_id) {
  const Scene scene = slope(2, ways[0]);
  Snapshot start = poured(scene);
  std::size_t drop = start.particles() - 1;
  while (start.get(field::material).value[drop] != 1.0) --drop;
  // Away from all others, so that it alone is fast.
  for (const std::size_t a : {0U, 1U}) {
    start.get(field::x).value[2 * drop + a] = 10.5 * scene.grid.h;
    start.get(field::v).value[2 * drop + a] = 1e5;
  }
  const auto solver = fast(scene, Precision::double_);
  solver->load(start);
  BOOST_CHECK_EXCEPTION(solver->advance(steady), SimulationError, [&](const SimulationError& error) {
    return error.particle == static_cast<std::int64_t>(drop) && error.boundary == boundary::update;
  });
}

/// A scene may lack a phase, and a state its particles.
BOOST_AUTO_TEST_CASE(a_phase_may_be_missing) {
  const Scene scene = slope(2, ways[0]);
  const Snapshot start = poured(scene);
  for (const mixture::Phase phase : mixture::phases) {
    const mixture::Members own = mixture::members(start, scene, phase);
    Snapshot some = start;
    for (Field& field : some.fields)
      field.value = mixture::picked(field.value, field.components, own.particles);
    const auto solver = fast(scene, Precision::single_);
    solver->load(some);
    const StepReport report = solver->advance(steady);
    BOOST_TEST(report.particles == own.particles.size());
    BOOST_TEST(report.counts[counter::active_nodes] > 0U);
    BOOST_TEST(report.counts[counter::wet_nodes] == 0U);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::test
