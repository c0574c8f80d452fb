#include "reference/mpm/plasticity.h"
#include "reference/interface/methods/mpm.h"

#include "reference/physics/hardening.h"
#include "reference/physics/hencky.h"
#include "tests/unit/mpm/scenes.h"

#include <Eigen/LU>
#include <boost/test/unit_test.hpp>

namespace repose::test {
namespace {

template <int d>
Particle<d> after_plasticity(const Scene& scene, const Particle<d>& trial) {
  State<d> state(scene.grid);
  state.particles = {trial};
  StepReport report;
  apply_plasticity<d>(state, {scene, 0.0, 1e-3}, report);
  const auto part = state.particles[0].part;
  BOOST_TEST(report.counts[counter::inside] == (part == Part::inside ? 1U : 0U));
  BOOST_TEST(report.counts[counter::tip] == (part == Part::tip ? 1U : 0U));
  BOOST_TEST(report.counts[counter::surface] == (part == Part::surface ? 1U : 0U));
  return state.particles[0];
}

template <int d>
Vec<d> strain_of(const Mat<d>& F) {
  return hencky_strain<d>(decompose<d>(F));
}

/// Sheared under pressure: slides at 30°.
template <int d>
Particle<d> sheared() {
  Particle<d> p;
  p.F *= 0.99;
  p.F(0, 1) = 0.2;
  return p;
}

BOOST_AUTO_TEST_SUITE(plasticity)

BOOST_AUTO_TEST_CASE_TEMPLATE(the_return_keeps_the_rotations_and_the_volume, D, Dims) {
  constexpr int d = D::d;
  const Scene scene = empty_box(d);
  const Particle<d> trial = sheared<d>();
  const Particle<d> p = after_plasticity<d>(scene, trial);
  BOOST_TEST((p.part == Part::surface));
  BOOST_TEST(std::abs(p.F.determinant() - trial.F.determinant()) < 50 * u);
  // F = U exp(ε) Vᵀ: F F̂⁻¹ and F̂⁻¹ F are symmetric when U and V are kept.
  const Mat<d> left = p.F * trial.F.inverse();
  const Mat<d> right = trial.F.inverse() * p.F;
  BOOST_TEST((left - left.transpose()).norm() < 100 * u);
  BOOST_TEST((right - right.transpose()).norm() < 100 * u);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(strains_inside_the_cone_keep_F_bit_for_bit, D, Dims) {
  constexpr int d = D::d;
  Particle<d> trial;
  trial.F *= 0.97;
  trial.F(0, 1) = 1e-3;
  const Particle<d> p = after_plasticity<d>(empty_box(d), trial);
  BOOST_TEST((p.part == Part::inside));
  BOOST_TEST((p.F == trial.F));
  BOOST_TEST(p.q == 0.0);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(elastic_materials_are_never_returned, D, Dims) {
  constexpr int d = D::d;
  Scene scene = empty_box(d);
  scene.materials = {rubber()};
  Particle<d> trial = sheared<d>();
  trial.q = 0.3;
  for (const double stretch : {1.0, 1.5}) {
    trial.F *= stretch;
    const Particle<d> p = after_plasticity<d>(scene, trial);
    BOOST_TEST((p.part == Part::elastic));
    BOOST_TEST((p.F == trial.F));
    BOOST_TEST(p.q == 0.3);
    BOOST_TEST(p.v_c == 0.0);
  }
}

/// The cone of step n is that of qⁿ: δq is measured with α(qⁿ), only the next step sees q^{n+1}
/// [Klar16 Eq.17, Eq.29]. Returning with the hardened cone of the same step would leave more shear.
BOOST_AUTO_TEST_CASE_TEMPLATE(a_step_uses_the_cone_it_began_with, D, Dims) {
  constexpr int d = D::d;
  Scene scene = empty_box(d);
  scene.materials[0].friction = {35 * degree, 9 * degree, 0.2, 10 * degree};
  const FrictionLaw& law = scene.materials[0].friction;
  const Lame moduli = lame(scene.materials[0]);
  const auto returned = [&](const Vec<d>& eps, double q) {
    return return_to_cone<d>(eps, moduli, friction_to_slope(friction_angle(law, q)));
  };
  Particle<d> trial = sheared<d>();
  trial.q = 0.5;
  const Vec<d> eps = strain_of<d>(trial.F);
  const Particle<d> once = after_plasticity<d>(scene, trial);
  BOOST_TEST(once.q == 0.5 + returned(eps, 0.5).delta_gamma);
  BOOST_TEST((strain_of<d>(once.F) - returned(eps, 0.5).eps).norm() < 50 * u);

  const Vec<d> with_hardened_cone = returned(eps, once.q).eps;
  BOOST_TEST((strain_of<d>(once.F) - with_hardened_cone).norm() > 1e-5);

  // The next step sees the wider cone: the same state now lies inside.
  const Particle<d> twice = after_plasticity<d>(scene, once);
  BOOST_TEST((twice.part == Part::inside));
}

BOOST_AUTO_TEST_CASE(separation_gives_back_its_volume_through_whole_stages) {
  Scene scene = empty_box(3);
  scene.materials[0].volume_correction = true;
  Particle<3> p;
  for (int n = 0; n < 80; ++n) {
    p.F *= std::exp((n < 40 ? 0.05 : -0.08) / (40 * 3));
    p = after_plasticity<3>(scene, p);
    BOOST_TEST((p.part == Part::tip) == (p.v_c > 0.0));
  }
  BOOST_TEST(std::abs(-strain_of<3>(p.F).sum() - 0.0300) < 80 * 20 * u);
  BOOST_TEST(p.v_c == 0.0);
  // Hardened by the way out alone.
  BOOST_TEST(std::abs(p.q - 0.05 / std::sqrt(3.0)) < 80 * 20 * u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace repose::test
