#include "reference/interface/methods/mpm.h"
#include "validation/crosscheck/compare.h"
#include "validation/crosscheck/report.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace repose;
using namespace repose::crosscheck;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

Scene plane_scene() {
  Scene scene;
  scene.grid.dim = 2;
  scene.grid.h = 0.5;
  scene.grid.cells = {4, 4, 1};
  return scene;
}

Snapshot particle_state(std::string_view name, int components, std::vector<double> values) {
  Snapshot state;
  state.method = method::mpm.name;
  const std::size_t count = values.size() / static_cast<std::size_t>(components);
  state.set({std::string(field::mass), "kg", Place::particle, 1, std::vector<double>(count, 1.0)});
  state.set({std::string(field::x), "m", Place::particle, 2, std::vector<double>(2 * count, 0.25)});
  state.set({std::string(name), "-", Place::particle, components, std::move(values)});
  return state;
}

Snapshot node_state(std::vector<std::int64_t> nodes, std::vector<double> masses) {
  Snapshot state;
  state.method = method::mpm.name;
  state.at = boundary::p2g;
  state.ids(Place::node) = std::move(nodes);
  state.set({std::string(field::m_i), "kg", Place::node, 1, std::move(masses)});
  return state;
}

FieldBound uniform(std::string_view name, std::size_t count, double bound) {
  FieldBound result{.field = std::string(name), .bound = std::vector<Bound>(count)};
  for (Bound& one : result.bound) one.rounding = bound;
  return result;
}

std::vector<Bound> no_absent_bound(std::int64_t, std::string_view) { return {Bound{}}; }

FieldResult compare_scalars(std::vector<double> expected, std::vector<double> got, double bound) {
  const std::size_t count = expected.size();
  return compare_field(plane_scene(), particle_state("q", 1, std::move(expected)),
                       particle_state("q", 1, std::move(got)), uniform("q", count, bound), no_absent_bound);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_compare)

BOOST_AUTO_TEST_CASE(just_below_the_bound_passes_and_just_above_fails) {
  // Dyadic values: the difference is exact.
  BOOST_TEST(compare_scalars({1.0, 2.0}, {1.0, 2.25}, 0.25).passes());
  const FieldResult above = compare_scalars({1.0, 2.0}, {1.0, 2.25}, std::nextafter(0.25, 0.0));
  BOOST_TEST(!above.passes());
  BOOST_TEST(above.failing == 1U);
  BOOST_TEST(above.worst.id == 1);
  BOOST_TEST(above.worst.ratio > 1.0);
}

BOOST_AUTO_TEST_CASE(the_parts_of_a_bound_add_up) {
  FieldBound bound{
      .field = "q",
      .bound = {{.rounding = 1.0, .position = 2.0, .underflow = 4.0, .carried = 8.0, .tie = 16.0}}};
  const auto differ_by = [&](double difference) {
    return compare_field(plane_scene(), particle_state("q", 1, {0.0}), particle_state("q", 1, {difference}),
                         bound, no_absent_bound);
  };
  BOOST_TEST(differ_by(31.0).passes());
  BOOST_TEST(!differ_by(31.5).passes());
}

BOOST_AUTO_TEST_CASE(a_negative_reference_value_is_judged_like_a_positive_one) {
  BOOST_TEST(!compare_scalars({-1.0}, {-1.5}, 0.25).passes());
  BOOST_TEST(!compare_scalars({-1.0}, {1.0}, 0.25).passes());
  BOOST_TEST(compare_scalars({-1.0}, {-1.125}, 0.25).passes());
}

BOOST_AUTO_TEST_CASE(a_value_that_is_not_finite_always_fails) {
  for (const double bad : {nan_value, infinite, -infinite}) {
    BOOST_TEST(!compare_scalars({1.0}, {bad}, 1e300).passes());
    BOOST_TEST(!compare_scalars({bad}, {1.0}, 1e300).passes());
    BOOST_TEST(!compare_scalars({bad}, {bad}, 1e300).passes());
  }
}

BOOST_AUTO_TEST_CASE(a_bound_that_is_not_finite_or_negative_judges_nothing_and_fails) {
  for (const double bad : {nan_value, infinite, -1.0})
    BOOST_TEST(!compare_scalars({1.0}, {1.0}, bad).passes());
}

BOOST_AUTO_TEST_CASE(a_zero_bound_demands_equality) {
  BOOST_TEST(compare_scalars({1.0}, {1.0}, 0.0).passes());
  BOOST_TEST(!compare_scalars({1.0}, {std::nextafter(1.0, 2.0)}, 0.0).passes());
}

BOOST_AUTO_TEST_CASE(a_missing_field_fails_and_says_whose) {
  const FieldResult result =
      compare_field(plane_scene(), particle_state("q", 1, {1.0}), particle_state("other", 1, {1.0}),
                    uniform("q", 1, 1.0), no_absent_bound);
  BOOST_TEST(!result.passes());
  BOOST_TEST(result.note == "the candidate does not have this field");
}

BOOST_AUTO_TEST_CASE(a_field_of_another_length_or_shape_fails) {
  const Snapshot one = particle_state("q", 1, {1.0, 1.0});
  Snapshot cut = one;
  cut.get("q").value.pop_back();
  BOOST_TEST(!compare_field(plane_scene(), one, cut, uniform("q", 2, 1.0), no_absent_bound).passes());
  BOOST_TEST(!compare_field(plane_scene(), one, particle_state("q", 2, {1.0, 1.0}), uniform("q", 2, 1.0),
                            no_absent_bound)
                  .passes());
  BOOST_TEST(!compare_field(plane_scene(), one, one, uniform("q", 1, 1.0), no_absent_bound).passes());
}

BOOST_AUTO_TEST_CASE(a_node_active_on_one_side_passes_only_inside_its_bound) {
  const FieldBound bound = uniform("m_i", 2, 0.25);
  const auto absent = [](std::int64_t, std::string_view) { return std::vector<Bound>{{.position = 0.125}}; };
  const Snapshot expected = node_state({3, 8}, {1.0, 0.25});
  // Missing at the candidate: judged by the reference's own bound.
  BOOST_TEST(compare_field(plane_scene(), expected, node_state({3}, {1.0}), bound, absent).passes());
  BOOST_TEST(!compare_field(plane_scene(), expected, node_state({8}, {0.25}), bound, absent).passes());
  // Active at the candidate alone: judged by the bound of an absent node.
  BOOST_TEST(compare_field(plane_scene(), expected, node_state({3, 5, 8}, {1.0, 0.125, 0.25}), bound, absent)
                 .passes());
  const FieldResult extra =
      compare_field(plane_scene(), expected, node_state({3, 5, 8}, {1.0, 0.25, 0.25}), bound, absent);
  BOOST_TEST(!extra.passes());
  BOOST_TEST(extra.worst.id == 5);
  BOOST_TEST(extra.worst.expected == 0.0);
}

BOOST_AUTO_TEST_CASE(deformation_is_compared_as_strain_whatever_its_rotation) {
  const double c = std::cos(0.7);
  const double s = std::sin(0.7);
  const Snapshot stretched = particle_state("F", 4, {1.25, 0.0, 0.0, 0.5});
  // F R: the same b, to a rounding of each product.
  const Snapshot turned = particle_state("F", 4, {1.25 * c, -1.25 * s, 0.5 * s, 0.5 * c});
  const Snapshot more = particle_state("F", 4, {1.25 * 1.001, 0.0, 0.0, 0.5});
  BOOST_TEST(
      compare_field(plane_scene(), stretched, turned, uniform("F", 4, 1e-14), no_absent_bound).passes());
  BOOST_TEST(
      !compare_field(plane_scene(), stretched, more, uniform("F", 4, 0.9e-3), no_absent_bound).passes());
  BOOST_TEST(
      compare_field(plane_scene(), stretched, more, uniform("F", 4, 1.1e-3), no_absent_bound).passes());
}

BOOST_AUTO_TEST_CASE(a_failure_names_its_neighbours) {
  const FieldResult result = compare_scalars({0, 0, 0, 0, 0, 0}, {0, 0, 9, 0, 0, 0}, 1.0);
  BOOST_TEST(result.neighbours.size() == 4U);
  for (const Value& near : result.neighbours) BOOST_TEST(near.id != result.worst.id);
}

BOOST_AUTO_TEST_CASE(gamma_grows_faster_than_its_roundings_and_ends_in_infinity) {
  BOOST_TEST(gamma(0.0, 0x1p-53) == 0.0);
  BOOST_TEST(gamma(100.0, 0x1p-53) > 100.0 * 0x1p-53);
  BOOST_TEST(std::isinf(gamma(1.0, 1.0)));
}

BOOST_AUTO_TEST_CASE(exit_codes_tell_difference_from_lack_of_judgement) {
  const auto with = [](Verdict verdict) {
    CaseReport report;
    report.verdict = verdict;
    return report;
  };
  BOOST_TEST(exit_code({with(Verdict::pass)}) == 0);
  BOOST_TEST(exit_code({with(Verdict::pass), with(Verdict::mistrusted)}) == 3);
  BOOST_TEST(exit_code({with(Verdict::refused)}) == 3);
  BOOST_TEST(exit_code({with(Verdict::refused), with(Verdict::differs)}) == 1);
  BOOST_TEST(exit_code({}) == 3);
}

/// A particle on one side alone is a difference, but where rounding decides whether it is there.
BOOST_AUTO_TEST_CASE(sets_of_particles_differ_by_decided_elements_alone) {
  Snapshot expected = particle_state("q", 1, {1.0, 2.0, 3.0});
  expected.ids(Place::particle) = {0, 4, 7};
  expected.next_id = 9;
  Snapshot got = particle_state("q", 1, {1.0, 3.0, 5.0});
  got.ids(Place::particle) = {0, 7, 9};
  got.next_id = 10;
  const auto first = unequal_elements(expected, got, true);
  BOOST_TEST_REQUIRE(first.has_value());
  BOOST_TEST(first->field == "particles");
  BOOST_TEST(first->worst.id == 4);
  BOOST_TEST(first->worst.expected == 1.0);
  BOOST_TEST(first->worst.got == 0.0);
  Undecided undecided;
  undecided.add(Place::particle, 4);
  const auto second = unequal_elements(expected, got, true, undecided);
  BOOST_TEST_REQUIRE(second.has_value());
  BOOST_TEST(second->worst.id == 9);
  BOOST_TEST(second->worst.got == 1.0);
  undecided.particles_from = 9;
  BOOST_TEST(!unequal_elements(expected, got, true, undecided).has_value());
  // Elements are compared by id: the third value of one is the second of the other.
  const FieldResult same =
      compare_field(plane_scene(), expected, got, uniform("q", 3, 0.0), no_absent_bound, undecided);
  BOOST_TEST(same.passes());
  BOOST_TEST(same.values == 2U);
  got.get("q").value[1] = 3.5;
  const FieldResult other =
      compare_field(plane_scene(), expected, got, uniform("q", 3, 0.25), no_absent_bound, undecided);
  BOOST_TEST(other.failing == 1U);
  BOOST_TEST(other.worst.id == 7);
}

BOOST_AUTO_TEST_CASE(the_next_id_is_compared_where_all_particles_are_decided) {
  Snapshot expected = particle_state("q", 1, {1.0, 2.0});
  Snapshot got = expected;
  BOOST_TEST(!unequal_elements(expected, got, true).has_value());
  got.next_id = 5;
  const auto found = unequal_elements(expected, got, true);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->field == "next_id");
  Undecided undecided;
  undecided.add(Place::particle, 1);
  BOOST_TEST(!unequal_elements(expected, got, true, undecided).has_value());
}

BOOST_AUTO_TEST_CASE(places_of_the_grid_are_judged_by_value_only_where_a_method_can) {
  const Snapshot expected = node_state({1, 5}, {2.0, 3.0});
  const Snapshot got = node_state({1, 5, 8}, {2.0, 3.0, 0.5});
  BOOST_TEST(!unequal_elements(expected, got, true).has_value());
  const auto found = unequal_elements(expected, got, false);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->field == "nodes");
  BOOST_TEST(found->worst.id == 8);
}

BOOST_AUTO_TEST_SUITE_END()
