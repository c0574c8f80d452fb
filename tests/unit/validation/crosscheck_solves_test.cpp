#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/methods/mpm_probes.h"
#include "tests/unit/validation/crosscheck_wrapper.h"
#include "tests/unit/validation/implicit_solves.h"
#include "validation/crosscheck/mpm/setup.h"

#include <fmt/format.h>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace data = boost::unit_test::data;

namespace implicit_solves {

using namespace repose;
using namespace repose::crosscheck;

namespace {

/// A case's history, to be spoiled, and what the judge says of it.
struct Judged {
  FirstSolve solve;
  ImplicitOptions options;  ///< that the judge believes

  explicit Judged(std::string_view scenario, std::string_view solver = "reference")
      : solve(solver, scenario, plain_setup()), options(mpm_options(solve.c.scene).implicit) {}

  std::string fault() const {
    Scene believed = solve.c.scene;
    mpm_options(believed).implicit = options;
    return named_fault(solve, believed);
  }
};

struct Spoiled {
  std::string what, scenario, named;
  std::function<void(Judged&)> spoil;
};
std::ostream& operator<<(std::ostream& out, const Spoiled& one) { return out << one.what; }

NewtonIteration& iteration(Judged& j, std::size_t k) { return j.solve.history.iterations.at(k); }

std::size_t free_node(Judged& j) {
  std::size_t n = 0;
  while (!iteration(j, 0).holds[n].bodies.empty() || iteration(j, 0).holds[n].prescribed) ++n;
  return n;
}
std::size_t held_node(Judged& j, std::size_t k) {
  std::size_t n = 0;
  while (iteration(j, k).holds.at(n).bodies.empty()) ++n;
  return n;
}

const std::vector<Spoiled> spoiled{
    {"a tolerance ten times as tight as the solver's", "implicit_corner", "newton_error",
     [](Judged& j) { j.options.newton_tolerance = 0.5 * j.solve.history.error; }},
    {"a tolerance looser than the solver's", "implicit_corner", "newton_error",
     [](Judged& j) { j.options.newton_tolerance = 1.5 * j.solve.history.iterations.back().error; }},
    {"a residual said to be smaller", "implicit_mixed_states", "newton_error",
     [](Judged& j) { iteration(j, 1).error *= 0.999; }},
    {"a residual said to be larger", "implicit_mixed_states", "newton_error",
     [](Judged& j) { iteration(j, 1).error *= 1.001; }},
    {"an iteration left out", "implicit_mixed_states", "newton_move",
     [](Judged& j) { j.solve.history.iterations.erase(j.solve.history.iterations.begin() + 1); }},
    {"more iterations than may be", "implicit_corner", "newton_error",
     [](Judged& j) {
       j.options.newton_iterations = static_cast<int>(j.solve.history.iterations.size()) - 1;
     }},
    {"a solve kept with an iteration to spare", "implicit_kept", "newton_error",
     [](Judged& j) { ++j.options.newton_iterations; }},
    {"a solve kept where it has failed", "implicit_kept", "newton_error",
     [](Judged& j) { j.options.unconverged = Unconverged::cut; }},
    {"a start from elsewhere", "implicit_mixed_states", "newton_start",
     [](Judged& j) { iteration(j, 0).tested[2 * free_node(j)] += 1e-9; }},
    {"a free node moved onto nothing", "implicit_squeeze", "newton_closed",
     [](Judged& j) { iteration(j, 0).closed[2 * free_node(j)] += 1e-9; }},
    {"a held node not on its body", "implicit_squeeze", "newton_closed",
     [](Judged& j) { iteration(j, 1).tested[2 * held_node(j, 0)] += 1e-9; }},
    {"a node that a sticky body does not hold", "implicit_sticky", "newton_closed",
     [](Judged& j) {
       auto& holds = iteration(j, 0).holds;
       std::find_if(holds.begin(), holds.end(), [](const NodeHold& h) { return h.prescribed; })->prescribed =
           false;
     }},
    {"a dv that is a thousandth off", "implicit_mixed_states", "gmres_residual",
     [](Judged& j) {
       for (double& value : iteration(j, 1).dv) value *= 1.001;
     }},
    {"a linear residual said to be smaller", "implicit_mixed_states", "gmres_residual",
     [](Judged& j) { iteration(j, 1).linear_residual *= 0.99; }},
    {"a linear system left above its tolerance", "implicit_mixed_states", "gmres_residual",
     [](Judged& j) { j.options.gmres_tolerance = 0.5 * iteration(j, 0).linear_residual; }},
    {"more products than may be", "implicit_mixed_states", "gmres_residual",
     [](Judged& j) { j.options.gmres_iterations = iteration(j, 0).gmres_iterations - 1; }},
    {"a way said to be halved", "implicit_mixed_states", "newton_move",
     [](Judged& j) { ++iteration(j, 0).halvings; }},
    {"nodes missing", "implicit_mixed_states", "newton_error",
     [](Judged& j) { iteration(j, 0).dv.pop_back(); }},
};

/// A wrapper of a solver that takes implicit steps.
class ImplicitWrapper final : public Wrapper {
 public:
  using Wrapper::Wrapper;

  std::vector<Field> probe(std::string_view asked, std::span<const Field> fields, double dt) const override {
    return inner().probe(asked, fields, dt);
  }
  SolveHistory solve_history(double dt) const override { return inner().solve_history(dt); }
  Sums sums(std::string_view field) const override { return inner().sums(field); }
};

/// Field that a case names where the optimized solver, or the readable one, is spoiled.
std::string named(const std::function<void(ImplicitWrapper&)>& spoil, bool readable) {
  const auto plain = [](std::string_view name) {
    return [name](const Scene& scene, const SolverOptions& options) {
      return make_solver(std::string(name), scene, options);
    };
  };
  const auto wrapped = [&](std::string_view name) {
    return [&spoil, name](const Scene& scene, const SolverOptions& options) {
      auto wrapper = std::make_unique<ImplicitWrapper>(make_solver(std::string(name), scene, options));
      spoil(*wrapper);
      return std::unique_ptr<Solver>(std::move(wrapper));
    };
  };
  Case c = make_case("implicit_corner", plain_setup());
  c.steps = 1;
  const CaseReport report = readable ? run_case(c, plain("optimized"), wrapped("reference"))
                                     : run_case(c, wrapped("optimized"), plain("reference"));
  if (!report.lockstep.divergence) return std::string(name_of(report.verdict));
  return report.lockstep.divergence->stage + " " + report.lockstep.divergence->field.field;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_solves)

/// What is judged of a solve is worth nothing if another one is run: of either solver.
BOOST_DATA_TEST_CASE(a_solve_that_is_run_otherwise_than_told_is_named, data::make({false, true}), readable) {
  BOOST_TEST(named([](ImplicitWrapper&) {}, readable) == "pass");
  const auto slip = [](ImplicitWrapper& solver) {
    solver.on_save = [](Snapshot& state) {
      if (state.at != boundary::collisions) return;
      for (double& value : state.get(field::p_bar).value) value *= 1.0 + 1e-12;
    };
  };
  BOOST_TEST(named(slip, readable) == "collisions p_bar");
  const auto miscount = [](ImplicitWrapper& solver) {
    solver.on_report = [](Boundary to, StepReport& report) {
      if (to == boundary::collisions) ++report.counts[counter::newton_iterations];
    };
  };
  BOOST_TEST(named(miscount, readable) == "collisions report newton_iterations");
  const auto doubt = [](ImplicitWrapper& solver) {
    solver.on_report = [](Boundary to, StepReport& report) {
      if (to == boundary::collisions) ++report.counts[counter::unconverged];
    };
  };
  BOOST_TEST(named(doubt, readable) == "collisions report unconverged");
}

/// Counts of advance() are held against the solver's own stages, those of contacts against the other solver's too.
BOOST_DATA_TEST_CASE(an_implicit_step_in_one_piece_must_report_what_its_stages_do, data::make({false, true}),
                     readable) {
  const struct {
    std::string_view name;
    std::size_t row;
  } counts[] = {{"newton_iterations", counter::newton_iterations},
                {"gmres_iterations", counter::gmres_iterations},
                {"step_cuts", counter::step_cuts},
                {"unconverged", counter::unconverged},
                {"contacts", counter::contacts},
                {"active_nodes", counter::active_nodes}};
  for (const auto& one : counts) {
    const auto miscount = [&](ImplicitWrapper& solver) {
      solver.on_advance = [&one](Solver&, StepReport& report) { ++report.counts[one.row]; };
    };
    BOOST_TEST(named(miscount, readable) == fmt::format("advance report {}", one.name));
  }
}

BOOST_AUTO_TEST_CASE(what_a_solve_has_no_business_with_must_come_out_of_it_as_it_went_in) {
  for (const std::string_view name : {field::mass, field::volume, field::material, field::x, field::v,
                                      field::C, field::F, field::q, field::v_c, field::m_i, field::p_i}) {
    const auto touch = [&](ImplicitWrapper& solver) {
      solver.on_save = [name](Snapshot& state) {
        if (state.at == boundary::collisions) state.get(name).value.back() += 1e-3;
      };
    };
    // Momenta are velocities times this mass: a solve of other velocities.
    const std::string expected = name == field::m_i ? "collisions p_bar" : fmt::format("collisions {}", name);
    BOOST_TEST(named(touch, false) == expected);
  }
}

BOOST_DATA_TEST_CASE(what_a_solver_says_wrong_of_its_solve_is_named, data::make(spoiled), one) {
  Judged judged(one.scenario);
  BOOST_TEST_REQUIRE(judged.fault() == "none");
  BOOST_TEST_REQUIRE(judged.solve.history.iterations.size() >= 3U);
  one.spoil(judged);
  BOOST_TEST(judged.fault() == one.named);
}

/// Where nothing yields, impulses of stress are −∂/∂v of the elastic energy at the end of the step: for changes of v by 10⁻⁴
/// h/Δt central differences err by 10⁻⁸ of the third derivative and by u/10⁻⁴ of the energy's own terms.
BOOST_DATA_TEST_CASE(plain_impulses_are_the_gradient_of_the_energy, data::make({2, 3}), dim) {
  Case c = make_case("implicit_hardening", MpmSetup{.dim = dim,
                                                    .kernel = Kernel::quadratic,
                                                    .transfer = Transfer::apic,
                                                    .precision = Precision::double_,
                                                    .threads = 1});
  for (Material& m : c.scene.materials) m.kind = MaterialKind::elastic;
  c.scene.gravity.setZero();
  const auto solver = make_solver("reference", c.scene);
  solver->load(c.start);
  solver->run(boundary::step_start, boundary::p2g, c.dt);
  const Snapshot state = solver->save(boundary::p2g, false);
  const PlainBalance balance(c.scene, state, c.dt);
  std::vector<double> v = state.get(field::p_i).value;
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] /= state.get(field::m_i).value[i / static_cast<std::size_t>(dim)];
  const auto impulses = balance.impulses(v);
  BOOST_TEST_REQUIRE(impulses.has_value());
  const double largest = *std::max_element(impulses->magnitude.begin(), impulses->magnitude.end());
  const double dv = 1e-4 * c.scene.grid.h / c.dt;
  for (std::size_t i = 0; i < v.size(); i += 7) {
    std::vector<double> up = v, down = v;
    up[i] += dv;
    down[i] -= dv;
    const double slope = (balance.energy(up).elastic - balance.energy(down).elastic) / (2.0 * dv);
    BOOST_TEST(std::abs(impulses->impulse[i] + slope) <= 1e-6 * largest);
  }
}

/// The judge's quotient is linear in dv, and it is the derivative of the judge's own impulses.
BOOST_AUTO_TEST_CASE(plain_changes_are_differences_of_plain_impulses) {
  Judged j("implicit_mixed_states");
  const std::vector<double> v = j.solve.history.v_bar;
  std::vector<double> dv(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) dv[i] = std::sin(static_cast<double>(i));
  const PlainBalance balance(j.solve.c.scene, j.solve.state, j.solve.c.dt);
  const PlainBalance::Change change = balance.change(v, dv);
  std::vector<double> up = v, down = v;
  for (std::size_t i = 0; i < v.size(); ++i) {
    up[i] += 1e-7 * dv[i];
    down[i] -= 1e-7 * dv[i];
  }
  const auto high = balance.impulses(up), low = balance.impulses(down);
  BOOST_TEST_REQUIRE((high && low));
  double largest = 0.0, apart = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    largest = std::max(largest, std::abs(change.impulse[i]));
    apart = std::max(apart, std::abs((high->impulse[i] - low->impulse[i]) / 2e-7 - change.impulse[i]));
    BOOST_TEST(change.error[i / 2] <= 1e-9 * largest + 1e-9);
  }
  BOOST_TEST(largest > 0.0);
  BOOST_TEST(apart <= 1e-5 * largest);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace implicit_solves
