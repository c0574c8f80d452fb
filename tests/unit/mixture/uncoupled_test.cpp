// Two phases that nothing couples: each takes the step that it takes alone in mpm, to the last bit.
#include "reference/mixture/mixture_solver.h"
#include "reference/mpm/reference_solver.h"
#include "tests/unit/mixture/scenes.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>

namespace repose::test {
namespace {

constexpr double dt = 2e-4;

/// Both phases fall on a rough floor and along a wall.
Scene falling(int dim, MixtureOptions options) {
  options.softening = Softening::none;
  Scene scene = mixed_box(dim, options);
  scene.gravity = Point(0.3, -9.81, 0.0);
  Collider floor;
  floor.shape = HalfSpace{Point(0.0, 0.5, 0.0), Point(0.0, 1.0, 0.0)};
  floor.friction = 0.4;
  Collider wall;
  wall.shape = HalfSpace{Point(0.52, 0.0, 0.0), Point(1.0, 0.0, 0.0)};
  wall.contact = Contact::sticky;
  scene.colliders = {floor, wall};
  return scene;
}

/// The scene of one phase, made by hand: its material alone, in water bodies along which it slips.
Scene alone(const Scene& mixed, bool water) {
  const MixtureOptions& options = mixture_options(mixed);
  Scene scene = mixed;
  scene.scheme = MpmOptions{.kernel = options.kernel,
                            .transfer = options.transfer,
                            .flip_share = options.flip_share,
                            .motion = options.motion};
  scene.materials = {mixed.materials[water ? 1 : 0]};
  for (Collider& body : scene.colliders)
    if (water && options.water_contact == WaterContact::slipping) {
      body.contact = Contact::slipping;
      body.friction = options.water_friction;
    }
  return scene;
}

template <int d>
struct Runs {
  explicit Runs(const MixtureOptions& options)
      : scene(falling(d, options)),
        all(slurry<d>(scene)),
        mixture(make_mixture_solver(scene)),
        single{make_reference_solver(alone(scene, false)), make_reference_solver(alone(scene, true))} {
    mixture->load(mixed_start<d>(all, scene));
    for (const int phase : {0, 1}) {
      std::vector<Particle<d>> own;
      for (std::size_t n = 0; n < all.size(); ++n)
        if (all[n].material == phase) {
          places[phase].push_back(n);
          own.push_back(all[n]);
          own.back().material = 0;
        }
      single[phase]->load(start<d>(scene, own));
    }
  }

  Scene scene;
  std::vector<Particle<d>> all;
  std::unique_ptr<Solver> mixture;
  std::unique_ptr<Solver> single[2];
  std::vector<std::size_t> places[2];
};

/// Every field of a lone phase's state against that of the mixture: particles at their places, nodes by their ids.
template <int d>
void require_same_bits(const Snapshot& mixed, const Snapshot& lone, const std::vector<std::size_t>& places,
                       bool water) {
  std::map<std::int64_t, std::size_t> nodes;
  for (std::size_t n = 0; n < mixed.count(Place::node); ++n) nodes[mixed.ids(Place::node)[n]] = n;
  for (const Field& field : lone.fields) {
    if (field.name == field::material) continue;
    std::string name = field.name;
    if (water && field.place == Place::node) name += "_w";
    std::size_t unequal = 0;
    const std::size_t count = lone.count(field.place);
    for (std::size_t e = 0; e < count; ++e) {
      const std::size_t there =
          field.place == Place::node ? nodes.at(lone.ids(Place::node)[e]) : places.at(e);
      if (numbers(lone, field.name, e) != numbers(mixed, name, there)) ++unequal;
    }
    BOOST_TEST(unequal == 0U, name << " of " << (water ? "water" : "sand") << " at " << mixed.at);
    BOOST_TEST(count > 0U);
  }
}

template <int d>
void steps_as_alone(const MixtureOptions& options) {
  Runs<d> runs(options);
  std::size_t shared = 0;
  for (int step = 0; step < 3; ++step) {
    const auto stops = runs.mixture->boundaries();
    std::uint64_t contacts[3] = {};
    for (std::size_t n = 0; n + 1 < stops.size(); ++n) {
      const Boundary to = stops[n + 1];
      const StepReport report = runs.mixture->run(stops[n], to, dt);
      if (to == boundary::drag || to == boundary::saturation) continue;  // neither is a stage of mpm
      const Snapshot mixed = runs.mixture->save(to, false);
      for (std::size_t e = 0; to == boundary::p2g && e < mixed.count(Place::node); ++e)
        if (mixed.get(field::m_i).value[e] > 0.0 && mixed.get(field::m_i_w).value[e] > 0.0) ++shared;
      contacts[2] += report.counts[counter::contacts];
      for (const int phase : {0, 1}) {
        const auto own = runs.single[phase]->boundaries();
        const auto at = std::find(own.begin(), own.end(), to);
        contacts[phase] += runs.single[phase]->run(*(at - 1), to, dt).counts[counter::contacts];
        require_same_bits<d>(mixed, runs.single[phase]->save(to, false), runs.places[phase], phase == 1);
      }
    }
    BOOST_TEST(contacts[0] > 0U);
    BOOST_TEST(contacts[1] > 0U);
    BOOST_TEST(contacts[2] == contacts[0] + contacts[1]);
  }
  BOOST_TEST(shared > 0U);
}

BOOST_AUTO_TEST_SUITE(uncoupled)

BOOST_AUTO_TEST_CASE_TEMPLATE(phases_that_nothing_couples_step_as_each_does_alone, D, Dims) {
  for (const Kernel kernel : {Kernel::quadratic, Kernel::cubic})
    for (const Transfer transfer : {Transfer::apic, Transfer::flip_pic})
      steps_as_alone<D::d>({.kernel = kernel, .transfer = transfer, .flip_share = 0.9});
}

/// A drag that is asked for with nothing behind it is none.
BOOST_AUTO_TEST_CASE(a_drag_of_coefficient_zero_changes_no_bit) {
  steps_as_alone<2>({.drag = Drag::printed, .c_E = 0.0});
  steps_as_alone<2>({.drag = Drag::mesh_consistent, .kappa = 0.0});
}

BOOST_AUTO_TEST_CASE(water_may_meet_bodies_as_sand_does) {
  steps_as_alone<2>({.motion = ParticleMotion::before_friction, .water_contact = WaterContact::as_given});
  steps_as_alone<2>({.water_friction = 0.3});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
