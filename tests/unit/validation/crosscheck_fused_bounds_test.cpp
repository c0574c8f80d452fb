/// A candidate that leaves boundaries out: errors of the stages it fuses are carried on.
#include "reference/interface/methods/mpm.h"
#include "tests/unit/validation/crosscheck_disturbed.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>

namespace {

using namespace repose;
using namespace repose::crosscheck;

/// The bound of one value, as a stretch judges it: a value that is no number fails in front of all others.
double bound_of(const Case& c, const Judged& judged, const Snapshot& from, Boundary to,
                const std::vector<Boundary>& boundaries, std::string_view name, std::size_t index) {
  const Lockstep lockstep = judge(c, judged, from, [&](Wrapper& w) {
    w.listed = boundaries;
    w.on_save = [&](Snapshot& state) {
      if (w.last == Wrapper::Last::run && state.at == to)
        state.get(name).value[index] = std::numeric_limits<double>::quiet_NaN();
    };
  });
  BOOST_REQUIRE(lockstep.divergence.has_value());
  BOOST_TEST(lockstep.divergence->stage == to);
  BOOST_TEST(lockstep.divergence->field.field == name);
  return lockstep.divergence->field.worst.bound.total();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_fused_bounds)

BOOST_DATA_TEST_CASE(the_bound_behind_two_fused_stages_is_that_of_the_second_and_the_errors_of_the_first,
                     boost::unit_test::data::make(all_judged), judged) {
  const Case c = busy_case(judged);
  const auto states = states_of_a_step(c);
  const std::vector<Boundary> all{boundary::step_start, boundary::p2g, boundary::forces,
                                  boundary::plasticity};
  const std::vector<Boundary> fused{boundary::step_start, boundary::forces, boundary::plasticity};
  const auto d = static_cast<std::size_t>(judged.dim);
  for (std::size_t n = 0; n < states[1].count(Place::node); n += 7) {
    double momentum = 0.0;
    for (std::size_t a = 0; a < d; ++a) {
      const double error = bound_of(c, judged, states[0], boundary::p2g, all, field::p_i, d * n + a);
      momentum += error * error;
    }
    const double mass = bound_of(c, judged, states[0], boundary::p2g, all, field::m_i, n);
    const double carried = std::sqrt(momentum) + mass * c.scene.gravity.norm() * c.dt;
    for (std::size_t a = 0; a < d; ++a) {
      const double single = bound_of(c, judged, states[1], boundary::forces, all, field::p_star, d * n + a);
      const double both = bound_of(c, judged, states[0], boundary::forces, fused, field::p_star, d * n + a);
      BOOST_TEST(carried > 1e-8 * single);  // premise: it shows
      BOOST_TEST(std::abs(both - (single + carried)) <= 1e-2 * carried);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
