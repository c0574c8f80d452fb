/// Every number of every state that a candidate hands out is held to its own bound, and is named.
#include "tests/unit/validation/crosscheck_disturbed.h"
#include "reference/interface/methods/mpm.h"
#include "validation/mechanics/strain.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <Eigen/Eigenvalues>

#include <limits>
#include <map>

namespace {

using namespace repose;
using namespace repose::crosscheck;

bool is_deformation(std::string_view name) { return name == field::F || name == field::F_trial; }

/// exp of a symmetric d×d matrix.
Tensor exponential(const Tensor& symmetric, int dim) {
  Tensor result = Tensor::Zero();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(symmetric.topLeftCorner(dim, dim));
  const Eigen::VectorXd values = eigen.eigenvalues().array().exp();
  result.topLeftCorner(dim, dim) =
      eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
  return result;
}

/// Changes what is compared of one component by an amount: a value itself, or a strain.
void disturb(Field& field, std::size_t element, int component, double amount, int dim) {
  if (!is_deformation(field.name)) {
    field.value[element * static_cast<std::size_t>(field.components) + static_cast<std::size_t>(component)] +=
        amount;
    return;
  }
  const int a = component / dim;
  const int b = component % dim;
  Tensor eps = strain(tensor(field, element, dim), dim).log;
  eps(a, b) += amount;
  if (a != b) eps(b, a) += amount;
  const Tensor changed = exponential(eps, dim);
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j)
      field.value[element * static_cast<std::size_t>(dim * dim) + static_cast<std::size_t>(dim * i + j)] =
          changed(i, j);
}

/// One number of a state.
struct Spoiled {
  std::string field;
  std::size_t element;
  int component;
};

/// Some element of the field: another one for every field and component.
Spoiled some_place(const Field& field, int component) {
  const auto count = field.value.size() / static_cast<std::size_t>(field.components);
  std::size_t mix = 31 * static_cast<std::size_t>(component);
  for (const char letter : field.name) mix += 7 * static_cast<std::size_t>(letter);
  return {field.name, mix % count, component};
}

std::int64_t id_of(const Snapshot& state, const Spoiled& place) {
  const bool on_nodes = state.get(place.field).place == Place::node;
  return on_nodes ? state.ids(Place::node).at(place.element) : static_cast<std::int64_t>(place.element);
}

const FieldResult* result_of(const Lockstep& lockstep, std::string_view stage, std::string_view name) {
  for (const Worst& worst : lockstep.worst)
    if (worst.stage == stage && worst.field.field == name) return &worst.field;
  return nullptr;
}

/// The field is compared at this spot: load() keeps the plastic case for nobody.
bool compared(const Spot& spot, const Field& field) {
  return !(spot.loaded && field.name == field::plastic_case);
}

void must_name(const Lockstep& lockstep, const Spot& spot, const Spoiled& place, int dim) {
  BOOST_TEST_CONTEXT(spot.name() << " " << place.field << "[" << place.component << "] of "
                                 << place.element) {
    BOOST_REQUIRE(lockstep.divergence.has_value());
    const Divergence& d = *lockstep.divergence;
    BOOST_TEST(d.stage == spot.name());
    BOOST_TEST(d.field.field == place.field);
    BOOST_TEST(d.others.empty());
    BOOST_TEST(d.field.worst.id == id_of(*spot.handed, place));
    const int mirrored = place.component % dim * dim + place.component / dim;
    const bool symmetric = is_deformation(place.field);
    BOOST_TEST(
        (d.field.worst.component == place.component || (symmetric && d.field.worst.component == mirrored)));
    BOOST_TEST(d.field.failing == (symmetric && mirrored != place.component ? 2U : 1U));
  }
}

/// Bounds of one component of every field, of some element each, by field. A value that is no number fails in front of
/// all others, and shows its bound.
std::map<std::string, double> bounds_of(const Case& c, const Judged& judged, const Spot& spot,
                                        int component) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), infinite, -infinite};
  const Lockstep lockstep = judge_at(c, judged, spot, [&](Snapshot& state) {
    for (Field& field : state.fields) {
      if (component >= field.components) continue;
      const Spoiled place = some_place(field, component);
      field.value[place.element * static_cast<std::size_t>(field.components) +
                  static_cast<std::size_t>(component)] = bad[(component + state.step) % 3];
    }
  });
  BOOST_REQUIRE(lockstep.divergence.has_value());
  BOOST_TEST(lockstep.divergence->stage == spot.name());
  std::map<std::string, double> result;
  for (const Field& field : spot.handed->fields) {
    if (component >= field.components || !compared(spot, field)) continue;
    BOOST_TEST_CONTEXT("not a number: " << spot.name() << " " << field.name << "[" << component << "]") {
      const FieldResult* found = result_of(lockstep, spot.name(), field.name);
      BOOST_REQUIRE(found != nullptr);
      BOOST_TEST(std::isinf(found->worst.ratio));
      BOOST_TEST(found->worst.id == id_of(*spot.handed, some_place(field, component)));
      result[field.name] = found->worst.bound.total();
    }
  }
  return result;
}

/// Changes a value by three bounds; where it must be exact, by as little as changes it (of a deformation, its strain).
void disturb_too_much(Field& field, const Spoiled& place, double bound, int dim) {
  if (bound > 0.0) return disturb(field, place.element, place.component, 3.0 * bound, dim);
  if (is_deformation(field.name)) return disturb(field, place.element, place.component, 1e-14, dim);
  double& value = field.value[place.element * static_cast<std::size_t>(field.components) +
                              static_cast<std::size_t>(place.component)];
  value = std::nextafter(value, 10.0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_disturbed)

BOOST_DATA_TEST_CASE(a_number_three_bounds_off_is_named_and_one_a_third_of_its_bound_off_passes,
                     boost::unit_test::data::make(all_judged), judged) {
  const Case c = busy_case(judged);
  const auto states = states_of_a_step(c);
  std::size_t disturbed = 0;
  for (const Spot& spot : spots(states)) {
    for (int component = 0; component < judged.dim * judged.dim; ++component) {
      const auto bounds = bounds_of(c, judged, spot, component);
      const auto within = judge_at(c, judged, spot, [&](Snapshot& state) {
        for (Field& field : state.fields) {
          const auto bound = bounds.find(field.name);
          if (bound != bounds.end() && bound->second > 0.0)
            disturb(field, some_place(field, component).element, component, 0.3 * bound->second, judged.dim);
        }
      });
      // What was loaded may show a stage later: there the reference starts from what the candidate does not hold.
      const bool passes = !within.divergence || (spot.loaded && within.divergence->stage != spot.name());
      BOOST_TEST(passes, spot.name() << " component " << component);
      for (const auto& [name, bound] : bounds) {
        BOOST_TEST_CONTEXT(spot.name() << " " << name << "[" << component << "], bound " << bound) {
          const Field& field = spot.handed->get(name);
          const FieldResult* found = result_of(within, spot.name(), name);
          BOOST_REQUIRE(found != nullptr);
          if (bound > 0.0) {
            // The disturbance itself rounds, to whole units of the value.
            BOOST_TEST(found->worst.ratio > 0.05);
            BOOST_TEST(found->worst.ratio < 0.8);
          }
          const Spoiled place = some_place(field, component);
          must_name(judge_at(c, judged, spot,
                             [&, &name = name, &bound = bound](Snapshot& state) {
                               disturb_too_much(state.get(name), place, bound, judged.dim);
                             }),
                    spot, place, judged.dim);
          ++disturbed;
        }
      }
    }
  }
  // All of the table of mpm: constants and x v C J F q v_c at every spot, and what boundaries add.
  const auto d = static_cast<std::size_t>(judged.dim);
  const std::size_t everywhere = 6 + 2 * d + 2 * d * d;
  const std::size_t nodes = 2 * ((1 + d) + (1 + 2 * d) + (1 + 3 * d) + (1 + 4 * d));
  BOOST_TEST(disturbed == 14 * everywhere + nodes + 2 * (d + d * d) + 1);
}

BOOST_AUTO_TEST_SUITE_END()
