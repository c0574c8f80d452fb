#include "reference/interface/particles/sampling.h"
#include "reference/interface/methods/mpm.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/random.h"
#include "tests/unit/interface/bodies.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace data = boost::unit_test::data;

namespace repose {
namespace {

constexpr double spacing = 0.125;
constexpr Sampling samplings[] = {Sampling::poisson_disk, Sampling::jittered, Sampling::regular};

BOOST_AUTO_TEST_SUITE(sampling_test)

BOOST_AUTO_TEST_CASE(numbers_are_the_same_under_every_compiler) {
  // The standard fixes the 10000th draw of a default-seeded std::mt19937_64: 9981545732273789042. Its upper 53 bits:
  Random random(5489);
  for (int i = 1; i < 10000; ++i) random.unit();
  BOOST_TEST(random.unit() == static_cast<double>(9981545732273789042ULL >> 11U) / 9007199254740992.0);
}

BOOST_AUTO_TEST_CASE(volumes_are_those_of_geometry) {
  using std::numbers::pi;
  const Box box{.min = {1, 1, 1}, .max = {2, 3, 5}};
  BOOST_TEST(volume(box, 3) == 8.0);
  BOOST_TEST(volume(box, 2) == 2.0);
  const Sphere ball{.centre = {0, 0, 0}, .radius = 2};
  BOOST_TEST(volume(ball, 3) == 32.0 / 3.0 * pi, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(volume(ball, 2) == 4.0 * pi);
  const Cylinder rod{.centre = {0, 0, 0}, .axis = {0, 0, 1}, .radius = 2, .half_length = 3};
  BOOST_TEST(volume(rod, 3) == 24.0 * pi);
  BOOST_TEST(volume(rod, 2) == 4.0 * pi);
  BOOST_CHECK_THROW(volume(HalfSpace{}, 3), std::invalid_argument);
  BOOST_CHECK_THROW(volume(Wedge{}, 3), std::invalid_argument);
}

BOOST_DATA_TEST_CASE(wanted_density_is_met, data::make({2, 3}) * data::xrange(3) * data::xrange(3), dim,
                     which, kind) {
  const Sampling sampling = samplings[kind];
  const Shape shape = test::bodies(dim)[static_cast<std::size_t>(which)];
  for (const double per_cell : {1.0, 4.0, 8.0, 10.5}) {
    const double wanted = per_cell * volume(shape, dim) / std::pow(spacing, dim);
    const auto points = sample_shape(shape, sampling, per_cell, spacing, 5, dim);
    const auto count = static_cast<double>(points.size());
    if (sampling == Sampling::poisson_disk) {
      BOOST_TEST(std::abs(count - wanted) <= std::max(1.0, 0.01 * wanted));
    } else {
      // A lattice meets it up to the cells that the border cuts: half a cell on each of two sides, per axis.
      const double per_axis = std::pow(wanted, 1.0 / dim);
      BOOST_TEST(std::abs(count / wanted - 1.0) <= 1.5 * dim / per_axis);
    }
    for (const Point& x : points) {
      if (signed_distance(shape, x, dim).phi > 0.0) BOOST_ERROR("a point outside the shape");
      if (dim == 2 && x.z() != 0.0) BOOST_ERROR("a point outside the plane");
    }
  }
}

BOOST_DATA_TEST_CASE(equal_seeds_give_equal_points_and_others_do_not, data::make({2, 3}) * data::xrange(2),
                     dim, kind) {
  const Sampling sampling = samplings[kind];
  const Shape shape = test::bodies(dim)[1];
  const auto one = sample_shape(shape, sampling, 4, spacing, 5, dim);
  const auto same = sample_shape(shape, sampling, 4, spacing, 5, dim);
  const auto other = sample_shape(shape, sampling, 4, spacing, 6, dim);
  BOOST_TEST((one == same));
  BOOST_TEST((one != other));
}

/// A box of whole cells with k^d points per cell: points at odd multiples of h/2k, exact in binary.
BOOST_DATA_TEST_CASE(a_regular_lattice_is_dyadic, data::make({2, 3}), dim) {
  const Box box{.min = Point(0.25, -0.5, dim == 2 ? 0.0 : 1.0),
                .max = Point(0.75, 0.5, dim == 2 ? 0.0 : 1.25)};
  const double per_cell = dim == 2 ? 4 : 8;
  const auto points = sample_shape(box, Sampling::regular, per_cell, spacing, 0, dim);
  BOOST_TEST(points.size() == (dim == 2 ? 4U * 8U * 4U : 4U * 8U * 2U * 8U));
  for (const Point& x : points) {
    for (int axis = 0; axis < dim; ++axis) {
      const double in_quarters = 4.0 * x[axis] / spacing;
      if (in_quarters != std::floor(in_quarters) || std::fmod(in_quarters, 2.0) == 0.0) {
        BOOST_ERROR("not an odd multiple of h/4");
      }
    }
  }
}

Scene spinning_disk(Transfer transfer) {
  Scene s;
  s.grid = {.dim = 2, .h = spacing, .domain_min = {-2, -2, 0}, .cells = {32, 32, 1}};
  s.scheme = MpmOptions{.transfer = transfer};
  s.materials = {{.name = "sand", .density = 1600, .youngs_modulus = 1e5, .poisson_ratio = 0.3}};
  Seed seed;
  seed.name = "disk";
  seed.where = "disk.toml:7";
  seed.shape = Sphere{.centre = {0.5, 0, 0}, .radius = 0.7};
  seed.particles_per_cell = 4;
  seed.velocity = {1, 2, 0};
  seed.spin = {0, 0, 3};
  s.seeds = {seed};
  return s;
}

/// v = v_0 + ω × r and, in APIC, C = ∇v of it: v changes by C Δx between any two particles.
BOOST_AUTO_TEST_CASE(particles_start_in_rigid_motion) {
  const Snapshot apic = sample(spinning_disk(Transfer::apic));
  const auto& x = apic.get(field::x).value;
  const auto& v = apic.get(field::v).value;
  const auto& C = apic.get(field::C).value;
  BOOST_REQUIRE(apic.particles() > 300);
  for (std::size_t p = 0; p < apic.particles(); ++p) {
    BOOST_TEST(std::abs(v[2 * p] - (1 - 3 * x[2 * p + 1])) <= 1e-14);
    BOOST_TEST(std::abs(v[2 * p + 1] - (2 + 3 * (x[2 * p] - 0.5))) <= 1e-14);
    BOOST_TEST((C[4 * p] == 0 && C[4 * p + 1] == -3 && C[4 * p + 2] == 3 && C[4 * p + 3] == 0));
  }
  for (const Transfer other : {Transfer::pic, Transfer::flip, Transfer::flip_pic}) {
    const Snapshot state = sample(spinning_disk(other));
    BOOST_TEST(state.get(field::v).value == v);
    const auto& none = state.get(field::C).value;
    BOOST_TEST(std::all_of(none.begin(), none.end(), [](double c) { return c == 0.0; }));
  }
}

BOOST_AUTO_TEST_CASE(mass_and_volume_of_a_seed_are_those_of_its_shape) {
  const Snapshot state = sample(spinning_disk(Transfer::apic));
  double m = 0.0;
  double V = 0.0;
  for (const double one : state.get(field::mass).value) m += one;
  for (const double one : state.get(field::volume).value) V += one;
  const double disk = std::numbers::pi * 0.49;
  BOOST_TEST(V == disk, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(m == 1600 * disk, boost::test_tools::tolerance(1e-12));
  const auto& F = state.get(field::F).value;
  BOOST_TEST((F[0] == 1 && F[1] == 0 && F[2] == 0 && F[3] == 1));
  BOOST_TEST((state.get(field::J).value == std::vector<double>(state.particles(), 1.0)));
  for (const auto name : {field::x, field::v, field::C, field::F, field::q, field::v_c, field::material}) {
    const Field& f = state.get(name);
    BOOST_TEST(f.value.size() == state.particles() * static_cast<std::size_t>(f.components));
  }
  BOOST_TEST(state.at == boundary::step_start);
}

void check_refused(const Scene& scene, const std::string& part) {
  try {
    sample(scene);
    BOOST_ERROR("not refused: " + part);
  } catch (const BadInput& error) {
    const std::string message = error.what();
    BOOST_TEST(message.find("disk.toml:7") == 0U, message);
    BOOST_TEST(message.find(part) != std::string::npos, message);
    BOOST_TEST(message.find('\n') == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(particles_in_walls_or_outside_or_none_are_refused) {
  Scene in_wall = spinning_disk(Transfer::apic);
  Collider wall{.name = "floor", .shape = HalfSpace{.point = {0, -0.6, 0}, .normal = {0, 1, 0}}};
  in_wall.colliders = {wall};
  check_refused(in_wall, "inside the collider \"floor\"");

  std::get<HalfSpace>(in_wall.colliders[0].shape).point.y() = -0.7;  // now it only touches
  BOOST_TEST(sample(in_wall).particles() > 0U);

  Scene outside = spinning_disk(Transfer::apic);
  std::get<Sphere>(outside.seeds[0].shape).centre.x() = 1.5;
  check_refused(outside, "outside the domain");

  Scene none = spinning_disk(Transfer::apic);
  none.seeds[0].particles_per_cell = 1e-6;
  check_refused(none, "gives no particle");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose
