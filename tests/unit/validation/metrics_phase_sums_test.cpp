#include "reference/interface/methods/mixture.h"
#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/physics/hardening.h"
#include "reference/physics/unilateral.h"
#include "reference/physics/water.h"
#include "validation/crosscheck/cases.h"
#include "validation/methods.h"
#include "validation/metrics/elastic_state.h"
#include "validation/metrics/phase_sums.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace data = boost::unit_test::data;

namespace {

using namespace repose;
using namespace repose::metrics;

/// A start of the mixture's scenarios whose grains are strained into all regions of the unilateral energy, each with a cohesion
/// and a hardening of its own, and whose water is pressed, at rest or spread.
struct Strained {
  Scene scene;
  Snapshot state;
  std::vector<Eigen::Vector3d> eps;

  Strained(int dim, Energy energy) {
    crosscheck::Case c =
        crosscheck::make_case("mixture_reversible_volume", {.method = "mixture", .dim = dim});
    scene = c.scene;
    state = c.start;
    mixture_options(scene).energy = energy;
    for (Material& material : scene.materials)
      if (material.kind != MaterialKind::water) {
        material.kind = MaterialKind::sand;
        material.unilateral = Unilateral{.a = -0.02, .b = 0.0, .c0 = 0.3};
      }
    scene.gravity = Point(1.5, -9.0, dim == 3 ? 2.0 : 0.0);
    eps.resize(state.particles());
    const auto d = static_cast<std::size_t>(dim);
    auto& F = state.get(field::F).value;
    for (std::size_t p = 0; p < state.particles(); ++p) {
      if (is_water(p)) {
        state.get(field::J).value[p] = 0.9 + 0.05 * static_cast<double>(p % 4);
        continue;
      }
      const double mean = -0.04 + 0.005 * static_cast<double>(p % 10);
      eps[p] = Eigen::Vector3d(mean + 0.004, mean - 0.003, dim == 3 ? mean - 0.001 : 0.0);
      std::fill_n(F.begin() + static_cast<std::ptrdiff_t>(p * d * d), d * d, 0.0);
      for (std::size_t axis = 0; axis < d; ++axis)
        F[p * d * d + axis * (d + 1)] = std::exp(eps[p][static_cast<Eigen::Index>(axis)]);
      state.get(field::q).value[p] = 0.01 * static_cast<double>(p % 3);
      state.get(field::c_C).value[p] = 20.0 * static_cast<double>(p % 5);
    }
  }

  const Material& material(std::size_t p) const {
    return scene.materials[static_cast<std::size_t>(state.get(field::material).value[p])];
  }
  bool is_water(std::size_t p) const { return material(p).kind == MaterialKind::water; }
};

template <int d>
double grain_energy(const Strained& s, std::size_t p, std::set<int>& regions) {
  const Material& sand = s.material(p);
  const Vec<d> eps = s.eps[p].template head<d>();
  const double q = s.state.get(field::q).value[p];
  const Cone cone(cone_of(sand, q).alpha, s.state.get(field::c_C).value[p]);
  const double shift = multiplier_shift<d>(*sand.unilateral, lame(sand), cone);
  const double h = multiplier<d>(eps, *sand.unilateral, shift).value;
  regions.insert(h == 1.0 ? 0 : h == 0.0 ? 2 : 1);
  return mixture_options(s.scene).energy == Energy::unilateral
             ? unilateral_energy<d>(eps, lame(sand), *sand.unilateral, shift).value
             : unilateral_energy<d>(eps, lame(sand), Unilateral{.a = 1e3, .b = 1e4}, 0.0).value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(metrics_phase_sums)

BOOST_DATA_TEST_CASE(each_phase_holds_what_its_own_particles_do,
                     data::make({2, 3}) * data::make({false, true}), dim, unilateral) {
  const Strained s(dim, unilateral ? Energy::unilateral : Energy::hencky);
  const std::vector<PhaseSums> sums = judged("mixture").sums(s.state, s.scene);
  BOOST_TEST_REQUIRE(sums.size() == 2U);
  BOOST_TEST(sums[0].phase == "solid");
  BOOST_TEST(sums[1].phase == "water");
  const auto d = static_cast<std::size_t>(dim);
  std::set<int> regions;
  std::set<bool> spread;
  for (const bool water : {false, true}) {
    std::uint64_t particles = 0;
    double mass = 0.0, kinetic = 0.0, stored = 0.0, potential = 0.0;
    Point momentum = Point::Zero();
    for (std::size_t p = 0; p < s.state.particles(); ++p) {
      if (s.is_water(p) != water) continue;
      const double m = s.state.get(field::mass).value[p], V = s.state.get(field::volume).value[p];
      ++particles;
      mass += m;
      for (std::size_t axis = 0; axis < d; ++axis) {
        const auto a = static_cast<Eigen::Index>(axis);
        const double v = s.state.get(field::v).value[p * d + axis];
        momentum[a] += m * v;
        kinetic += 0.5 * m * v * v;
        potential -= m * s.scene.gravity[a] * s.state.get(field::x).value[p * d + axis];
      }
      if (water) spread.insert(s.state.get(field::J).value[p] > 1.0);
      stored += V * (water ? water_law(s.state.get(field::J).value[p], s.material(p)).energy
                           : (dim == 2 ? grain_energy<2>(s, p, regions) : grain_energy<3>(s, p, regions)));
    }
    const PhaseSums& of = sums[water ? 1 : 0];
    BOOST_TEST_CONTEXT(of.phase) {
      // Sums of some hundred numbers, those of energy once more from logarithms of F: 10⁻¹² of their size each.
      const auto near = [](double is, double should, double size) {
        BOOST_TEST(std::abs(is - should) <= 1e-12 * size);
      };
      BOOST_TEST_REQUIRE(particles > 0U);
      BOOST_TEST(of.particles == particles);
      near(of.motion.mass, mass, mass);
      near((of.motion.momentum - momentum).norm(), 0.0, std::sqrt(2.0 * mass * kinetic));
      near(of.motion.kinetic_energy, kinetic, kinetic);
      near(of.stored_energy, stored, 100.0 * stored);
      near(of.potential_energy, potential, 10.0 * mass * s.scene.gravity.norm());
      BOOST_TEST(stored > 0.0);
      BOOST_TEST(kinetic > 0.0);
    }
  }
  BOOST_TEST(regions.size() == 3U);
  BOOST_TEST(spread.size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_scene_of_mpm_has_the_phase_of_its_materials) {
  for (const char* name : {"one_particle", "mixed_waters"}) {
    const crosscheck::Case c = crosscheck::make_case(name, {.method = "mpm", .dim = 2});
    const std::vector<PhaseSums> sums = judged("mpm").sums(c.start, c.scene);
    BOOST_TEST_REQUIRE(sums.size() == 1U);
    BOOST_TEST(sums[0].phase == (is_water(c.scene) ? "water" : "solid"));
    BOOST_TEST(sums[0].particles == c.start.particles());
  }
}

BOOST_AUTO_TEST_SUITE_END()
