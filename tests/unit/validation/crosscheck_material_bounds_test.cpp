/// Bounds in scenes of several materials.
#include "reference/interface/methods/mpm.h"
#include "tests/unit/validation/crosscheck_bounds.h"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

using namespace repose;
using namespace repose::crosscheck;

BOOST_AUTO_TEST_SUITE(crosscheck_material_bounds)

/// A hundred times as stiff, steeper, and with a volume correction.
BOOST_DATA_TEST_CASE(bounds_are_those_of_the_particles_own_material, boost::unit_test::data::make(candidates),
                     c) {
  Material own = sand(45.0);
  own.youngs_modulus *= 100.0;
  own.volume_correction = true;
  const auto grain_of = [&](const std::vector<Material>& materials, double index) {
    Grain grain;
    grain.c.scene.materials = materials;
    grain.c.start.get(field::material).value = {index};
    grain.c.start.get(field::F).value = {1.02, 0.03, 0.01, 0.94};
    grain.c.start.get(field::v_c).value = {0.004};
    grain.c.start.get(field::v).value = {3.0, -1.0};
    return grain;
  };
  const Grain alone = grain_of({own}, 0.0);
  const Grain among = grain_of({sand(20.0), own}, 1.0);
  const Grain other = grain_of({sand(20.0), own}, 0.0);
  const struct {
    Boundary from, to;
    std::string_view name;
  } stages[] = {{boundary::p2g, boundary::forces, field::p_star},
                {boundary::update, boundary::plasticity, field::F},
                {boundary::update, boundary::plasticity, field::q},
                {boundary::update, boundary::plasticity, field::v_c}};
  for (const auto& stage : stages) {
    const auto total = [&](const Grain& grain) {
      const Ran ran(grain, state_at(grain, stage.from), stage.to, c);
      double sum = 0.0;
      const std::size_t values = ran.after.get(stage.name).value.size();
      for (std::size_t i = 0; i < values; ++i) sum += ran.bound(stage.name, i).total();
      return sum;
    };
    BOOST_TEST(total(among) == total(alone), stage.name);
    BOOST_TEST(total(other) != total(alone), stage.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
