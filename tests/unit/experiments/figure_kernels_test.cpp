#include "experiments/klar2016/fig09_kernels/weights.h"
#include "reference/interface/methods/mpm.h"
#include "tests/unit/experiments/number_search.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>

using namespace repose;
using namespace repose::experiments;
using repose::test::demand;

namespace repose::experiments::klar2016 {

BOOST_AUTO_TEST_SUITE(figure_kernels)

/// Also where one place has too little and another as much too much, whose mean is right.
BOOST_AUTO_TEST_CASE(inertia_must_be_right_in_every_place) {
  for (const Kernel kernel : {Kernel::cubic, Kernel::quadratic}) {
    const std::string name = kernel == Kernel::cubic ? "inertia_over_h2_cubic" : "inertia_over_h2_quadratic";
    const double right = kernel == Kernel::cubic ? 1.0 / 3.0 : 0.25;
    const auto must_be = [&](double less, double more, Verdict verdict) {
      KernelErrors errors{.kernel = kernel, .solver = {}, .samples = {}};
      errors.solver.name = judging_solver(method::mpm.name);
      errors.places = 1;
      errors.least_inertia = right - less;
      errors.most_inertia = right + more;
      demand(judge(std::vector<KernelErrors>{errors}), name, verdict);
    };
    must_be(0.0, 0.0, Verdict::pass);
    must_be(5e-13, 5e-13, Verdict::pass);
    must_be(5e-12, 5e-12, Verdict::fail);
    must_be(5e-12, 0.0, Verdict::fail);
    must_be(0.0, 5e-12, Verdict::fail);
  }
}

/// No place is no evidence.
BOOST_AUTO_TEST_CASE(a_measure_above_one_fails_and_one_of_no_place_is_undecided) {
  KernelErrors errors{.kernel = Kernel::cubic, .solver = {}, .samples = {}};
  errors.solver.label = "x";
  const auto must_be = [&](Verdict verdict) {
    demand(judge(std::vector<KernelErrors>{errors}), "gradient_of_affine_field_cubic_x", verdict);
  };
  must_be(Verdict::undecided);
  errors.places = 1;
  errors.gradient = 1.0;
  must_be(Verdict::pass);
  errors.gradient = 1.01;
  must_be(Verdict::fail);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace repose::experiments::klar2016
