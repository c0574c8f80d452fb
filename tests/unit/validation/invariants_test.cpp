#include "validation/invariants/invariants.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/junit.h"
#include "validation/crosscheck/report.h"
#include "validation/invariants/plain.h"
#include "validation/invariants/scene_draw.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <set>

namespace {

using namespace repose;
using namespace repose::invariants;
using crosscheck::CaseReport;
using crosscheck::Verdict;

CaseReport report_of(const Ledger& ledger) {
  CaseReport report;
  report.suite = "invariants";
  report.name = "some/2d";
  ledger.write(report);
  return report;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(invariants_suite)

BOOST_AUTO_TEST_CASE(a_value_up_to_its_bound_passes_and_beyond_differs) {
  Ledger good("shapes");
  good.near("phi", 1.5, 1.0, 0.5);
  BOOST_TEST(static_cast<int>(report_of(good).verdict) == static_cast<int>(Verdict::pass));
  Ledger bad("shapes");
  bad.near("phi", 1.25, 1.0, 0.5);
  bad.near("normal", Point(0, 0, 1), Point(0, 0, 1.5), 0.25, Point(1, 2, 3));
  const CaseReport report = report_of(bad);
  BOOST_TEST(static_cast<int>(report.verdict) == static_cast<int>(Verdict::differs));
  BOOST_TEST(report.lockstep.divergence->stage == "shapes");
  BOOST_TEST(report.lockstep.divergence->field.field == "normal");
  BOOST_TEST(report.lockstep.divergence->field.worst.ratio == 2.0);
  BOOST_TEST(report.lockstep.divergence->field.worst.position == Point(1, 2, 3));
  const std::string text = crosscheck::explain(report, "");
  for (const char* part : {"what solvers share", "shapes", "normal", "second way", "shared code", "ratio 2"})
    BOOST_TEST(text.find(part) != std::string::npos, part << " in\n" << text);
}

/// What a case in lock-step says is said of its own place, before all else.
BOOST_AUTO_TEST_CASE(a_case_in_lock_step_that_differs_is_named_at_its_boundary) {
  CaseReport differs;
  crosscheck::Divergence divergence;
  divergence.stage = "g2p";
  divergence.field.field = "C";
  divergence.message = "worst";
  differs.lockstep.divergence = divergence;
  differs.verdict = Verdict::differs;
  Ledger ledger("x");
  ledger.holds("y", false);
  ledger.include(differs, "first");
  ledger.include(differs, "second");
  const CaseReport report = report_of(ledger);
  BOOST_REQUIRE(report.lockstep.divergence.has_value());
  BOOST_TEST(report.lockstep.divergence->stage == "g2p");
  BOOST_TEST(report.lockstep.divergence->field.field == "C");
  BOOST_TEST(report.lockstep.divergence->message == "worst; first");
  for (const Verdict verdict : {Verdict::pass, Verdict::mistrusted, Verdict::refused}) {
    CaseReport one;
    one.verdict = verdict;
    if (verdict == Verdict::mistrusted) one.shortfalls = {"tip: 0 of at least 1"};
    Ledger other("x");
    other.include(one, "case");
    const CaseReport whole = report_of(other);
    BOOST_TEST((whole.verdict == (verdict == Verdict::pass ? Verdict::pass : Verdict::differs)));
    if (verdict == Verdict::mistrusted)
      BOOST_TEST(whole.lockstep.divergence->field.field == "case: tip: 0 of at least 1");
  }
}

BOOST_AUTO_TEST_CASE(both_ends_of_a_range_and_the_sign_of_a_difference_count) {
  for (const auto& [value, is_fine] : {std::pair{1.0, true}, {2.0, true}, {0.99, false}, {2.01, false}}) {
    Ledger ledger("x");
    ledger.within("y", value, 1.0, 2.0);
    BOOST_TEST((report_of(ledger).verdict == Verdict::pass) == is_fine, value);
  }
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Ledger ledger("x");
    ledger.near("y", wrong, wrong, 1.0);
    BOOST_TEST((report_of(ledger).verdict == Verdict::differs));
  }
}

BOOST_AUTO_TEST_CASE(what_was_not_exercised_is_mistrusted_and_so_is_nothing_at_all) {
  Ledger ledger("x");
  ledger.holds("y", true);
  ledger.needs("ties", 2);
  ledger.saw("ties");
  const CaseReport report = report_of(ledger);
  BOOST_TEST((report.verdict == Verdict::mistrusted));
  BOOST_TEST(report.shortfalls.front() == "ties: 1 of at least 2");
  ledger.saw("ties");
  BOOST_TEST((report_of(ledger).verdict == Verdict::pass));
  BOOST_TEST((report_of(Ledger("x")).verdict == Verdict::mistrusted));
}

BOOST_AUTO_TEST_CASE(an_unknown_invariant_is_refused_and_names_are_unique) {
  BOOST_CHECK_THROW(run_invariant({"no/2d", "no", 2}), BadInput);
  std::set<std::string> names;
  for (const InvariantCase& one : invariant_cases()) BOOST_TEST(names.insert(one.name).second, one.name);
  BOOST_TEST(names.size() >= 40U);
}

BOOST_AUTO_TEST_CASE(reports_hold_an_invariant_without_a_setup_that_it_does_not_have) {
  const CaseReport report = run_invariant({"nodes_on_a_surface", "nodes_on_a_surface", 0});
  BOOST_TEST((report.verdict == Verdict::pass));
  const nlohmann::json one = crosscheck::to_json({report})["cases"][0];
  BOOST_TEST(one["suite"] == "invariants");
  for (const char* key : {"method", "variant", "dim", "precision", "threads"})
    BOOST_TEST(one[key].is_null(), key);
  BOOST_TEST(one["worst_ratio_to_bound"].get<double>() == 0.0);
  BOOST_TEST(crosscheck::to_junit({report}).find(
                 "<testsuite name=\"invariants\" tests=\"1\" failures=\"0\"") != std::string::npos);
}

/// The judge's search against distances known on paper: a 3-4-5 triangle beside a box, a ball, a standing cylinder.
BOOST_AUTO_TEST_CASE(the_search_finds_distances_that_are_known_on_paper) {
  const auto search = [](const Shape& shape, const Point& x, int dim) {
    return searched_distance(surface_of(shape, dim), x, dim);
  };
  const Box box{.min = {0, 0, 0}, .max = {1, 2, 3}};
  const Cylinder can{.centre = {0, 0, 0}, .axis = {0, 0, 1}, .radius = 2, .half_length = 1};
  const auto close = boost::test_tools::tolerance(1e-9);
  BOOST_TEST(search(box, {4, 6, 0}, 2) == 5.0, close);
  BOOST_TEST(search(box, {-2, -3, 9}, 3) == 7.0, close);
  BOOST_TEST(search(box, {0.5, 1, 1}, 3) == 0.5, close);
  BOOST_TEST(search(Sphere{.centre = {1, 0, 0}, .radius = 2}, {4, 4, 0}, 2) == 3.0, close);
  BOOST_TEST(search(Sphere{.centre = {1, 0, 0}, .radius = 2}, {1, 0, 0.5}, 3) == 1.5, close);
  BOOST_TEST(search(can, {5, 0, 5}, 3) == 5.0, close);
  BOOST_TEST(search(can, {0, 1.5, 0.2}, 3) == 0.5, close);
  BOOST_TEST(search(can, {0.25, 0, -0.9}, 3) == 0.1, close);
}

BOOST_AUTO_TEST_CASE(the_surface_integral_gives_a_sphere_and_a_box_their_volume) {
  const auto volume = [](const Shape& shape, int dim) {
    const Surface s = surface_of(shape, dim);
    return surface_integral(s, dim, 32,
                            [&](const Point& y, const Point& n) { return (y - s.centre).dot(n); }) /
           dim;
  };
  const auto close = boost::test_tools::tolerance(1e-3);
  BOOST_TEST(volume(Sphere{.centre = {1, 2, 3}, .radius = 0.5}, 3) == std::numbers::pi / 6, close);
  BOOST_TEST(volume(Sphere{.centre = {1, 2, 0}, .radius = 0.5}, 2) == std::numbers::pi / 4, close);
  BOOST_TEST(volume(Box{.min = {1, 2, 3}, .max = {2, 4, 6}}, 3) == 6.0, close);
}

BOOST_AUTO_TEST_CASE(quaternions_turn_a_quarter_about_each_axis) {
  const double quarter = 0.5 * std::numbers::pi;
  BOOST_TEST((turned_by_quaternion({0, 0, 2}, 0.5 * quarter, {1, 0, 5}) - Point(0, 1, 5)).norm() < 1e-15);
  BOOST_TEST((turned_by_quaternion({1, 0, 0}, quarter, {5, 1, 0}) - Point(5, 0, 1)).norm() < 1e-15);
  BOOST_TEST((turned_by_quaternion({0, 1, 0}, -quarter, {0, 5, 1}) - Point(-1, 5, 0)).norm() < 1e-15);
  BOOST_TEST((turned_by_quaternion({0, 0, 0}, 3, {1, 2, 3}) - Point(1, 2, 3)).norm() == 0.0);
}

BOOST_AUTO_TEST_CASE(chi_squared_tells_even_counts_from_uneven_ones) {
  BOOST_TEST(std::abs(chi_squared_excess({100, 110, 90, 105, 95})) < 2.0);
  BOOST_TEST(chi_squared_excess({100, 160, 40, 105, 95}) > chi_squared_limit);
}

/// A comparison of scenes that forgets a member would let a reader that does pass.
BOOST_AUTO_TEST_CASE(every_changed_member_of_a_scene_is_noticed) {
  const Scene scene = drawn_scene(3, 3);
  std::vector<std::function<void(Scene&)>> changes{
      [](Scene& s) { s.title += "!"; },
      [](Scene& s) { s.grid.h = std::nextafter(s.grid.h, 1); },
      [](Scene& s) { s.grid.domain_min.z() += 1e-15; },
      [](Scene& s) { s.grid.cells[2] += 1; },
      [](Scene& s) {
        mpm_options(s).kernel = mpm_options(s).kernel == Kernel::cubic ? Kernel::quadratic : Kernel::cubic;
      },
      [](Scene& s) { mpm_options(s).transfer = Transfer::apic; },
      [](Scene& s) { mpm_options(s).flip_share += 1e-16; },
      [](Scene& s) { mpm_options(s).motion = ParticleMotion::after_friction; },
      [](Scene& s) { s.gravity.x() = -s.gravity.x(); },
      [](Scene& s) { s.frame_rate += 1; },
      [](Scene& s) { s.duration += 1; },
      [](Scene& s) { s.step.max_dt *= 2; },
      [](Scene& s) { s.step.cfl *= 2; },
      [](Scene& s) { mpm_options(s).elastic_bound *= 2; },
      [](Scene& s) { mpm_options(s).integrator = Integrator::explicit_; },
      [](Scene& s) { mpm_options(s).energy = Energy::unilateral; },
      [](Scene& s) { mpm_options(s).implicit.newton_tolerance *= 2; },
      [](Scene& s) { ++mpm_options(s).implicit.newton_iterations; },
      [](Scene& s) {
        Unconverged& what = mpm_options(s).implicit.unconverged;
        what = what == Unconverged::cut ? Unconverged::keep : Unconverged::cut;
      },
      [](Scene& s) { ++mpm_options(s).implicit.gmres_restart; },
      [](Scene& s) { ++mpm_options(s).implicit.gmres_iterations; },
      [](Scene& s) { mpm_options(s).implicit.gmres_tolerance *= 2; },
      [](Scene& s) { ++mpm_options(s).implicit.step_cuts; },
      [](Scene& s) { s.materials.pop_back(); },
      [](Scene& s) { s.materials[1].name += "!"; },
      [](Scene& s) { s.materials[1].kind = MaterialKind::elastic; },
      [](Scene& s) { s.materials[1].density += 1; },
      [](Scene& s) { s.materials[1].youngs_modulus += 1; },
      [](Scene& s) { s.materials[1].poisson_ratio += 0.01; },
      [](Scene& s) { s.materials[1].friction.h0 += 1e-15; },
      [](Scene& s) { s.materials[1].friction.h1 += 1e-15; },
      [](Scene& s) { s.materials[1].friction.h2 += 1e-15; },
      [](Scene& s) { s.materials[1].friction.h3 += 1e-15; },
      [](Scene& s) { s.materials[1].volume_correction = false; },
      [](Scene& s) { s.materials[1].cohesion *= 2; },
      [](Scene& s) { s.materials[1].von_mises = true; },
      [](Scene& s) { s.materials[1].hardening_apart = HardeningApart::opening; },
      [](Scene& s) { s.materials[1].unilateral.reset(); },
      [](Scene& s) { s.materials[1].unilateral->a *= 2; },
      [](Scene& s) { s.materials[1].unilateral->b *= 2; },
      [](Scene& s) { s.materials[1].unilateral->c0 *= 2; },
      [](Scene& s) { s.materials[1].unilateral->s_C.reset(); },
      [](Scene& s) { s.materials[1].unilateral->strain_unit *= 2; },
      [](Scene& s) { s.seeds[1].name += "!"; },
      [](Scene& s) { s.seeds[1].material = (s.seeds[1].material + 1) % 3; },
      [](Scene& s) { s.seeds[1].sampling = Sampling::poisson_disk; },
      [](Scene& s) { s.seeds[1].particles_per_cell += 1; },
      [](Scene& s) { ++s.seeds[1].seed; },
      [](Scene& s) { s.seeds[1].velocity.z() += 1; },
      [](Scene& s) { s.seeds[1].spin.y() += 1; },
      [](Scene& s) { std::get<Box>(s.seeds[0].shape).min.z() += 0.01; },
      [](Scene& s) { std::get<Sphere>(s.seeds[1].shape).radius += 0.01; },
      [](Scene& s) { std::get<Cylinder>(s.seeds[2].shape).half_length += 0.01; },
      [](Scene& s) { std::get<Cylinder>(s.seeds[2].shape).axis = Point::UnitX(); },
      [](Scene& s) { s.emitters[1].name += "!"; },
      [](Scene& s) { s.emitters[1].material = (s.emitters[1].material + 1) % 3; },
      [](Scene& s) { s.emitters[1].velocity.z() += 1; },
      [](Scene& s) { s.emitters[1].rate *= 2; },
      [](Scene& s) { s.emitters[1].start += 1e-9; },
      [](Scene& s) { s.emitters[1].stop += 1e-9; },
      [](Scene& s) { s.emitters[1].particles_per_cell += 1; },
      [](Scene& s) { ++s.emitters[1].seed; },
      [](Scene& s) { s.emitters[1].shape = s.emitters[0].shape; },
      [](Scene& s) { std::swap(s.colliders[0], s.colliders[1]); },
      [](Scene& s) { s.colliders[5].hollow = false; },
      [](Scene& s) { s.colliders[1].contact = Contact::separating; },
      [](Scene& s) { s.colliders[1].friction += 1e-15; },
      [](Scene& s) { s.colliders[0].friction_from_push_only = false; },
      [](Scene& s) { s.colliders[1].velocity.z() += 1; },
      [](Scene& s) { s.colliders[1].spin.x() += 1; },
      [](Scene& s) { std::get<HalfSpace>(s.colliders[3].shape).normal = Point::UnitY(); }};
  const auto passes = [&](const Scene& other, const Scene& expected) {
    Ledger ledger("scene files");
    judge_equal(other, expected, ledger);
    return report_of(ledger).verdict == Verdict::pass;
  };
  BOOST_TEST(passes(scene, scene));
  BOOST_TEST((mpm_options(scene).transfer == Transfer::flip_pic &&
              mpm_options(scene).integrator == Integrator::implicit_));  // else no change
  for (std::size_t k = 0; k < changes.size(); ++k) {
    Scene changed = scene;
    changes[k](changed);
    BOOST_TEST(!passes(changed, scene), "change " << k);
  }
  const Scene water = drawn_scene(6, 3);
  BOOST_TEST(passes(water, water));
  const std::vector<std::function<void(Scene&)>> of_water{
      [](Scene& s) { s.materials[1].water_stiffness *= 2; },
      [](Scene& s) { s.materials[1].water_gamma += 1e-15; },
      [](Scene& s) { s.materials[1].water_tension = true; },
      [](Scene& s) { s.materials[2].water_tension = false; }};
  for (std::size_t k = 0; k < of_water.size(); ++k) {
    Scene changed = water;
    of_water[k](changed);
    BOOST_TEST(!passes(changed, water), "change " << k << " of water");
  }
}

BOOST_AUTO_TEST_SUITE_END()
