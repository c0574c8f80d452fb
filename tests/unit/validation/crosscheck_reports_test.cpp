// What lock-step sees besides fields: headers of states, step reports, steps taken in one piece.
#include "reference/interface/methods/mpm.h"
#include "tests/unit/validation/crosscheck_wrapper.h"
#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/crosscheck/run_case.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace {

using namespace repose;
using namespace repose::crosscheck;

/// All three plastic cases, contacts, sticking and sliding.
Case busy() {
  Case c = make_case("volume_correction", MpmSetup{.dim = 2,
                                                   .kernel = Kernel::quadratic,
                                                   .transfer = Transfer::apic,
                                                   .precision = Precision::double_,
                                                   .threads = 1});
  c.scene.colliders = make_case("room_corner", c.setup).scene.colliders;
  c.steps = 2;
  return c;
}

CaseReport run_spoiled(const std::function<void(Wrapper&)>& spoil) {
  const Factory candidate = [&](const Scene& scene, const SolverOptions& options) {
    auto wrapper = std::make_unique<Wrapper>(make_solver("reference", scene, options));
    spoil(*wrapper);
    return wrapper;
  };
  const Factory reference = [](const Scene& scene, const SolverOptions& options) {
    return make_solver("reference", scene, options);
  };
  return run_case(busy(), candidate, reference);
}

void must_name(const CaseReport& report, std::string_view stage, std::string_view field) {
  BOOST_TEST_CONTEXT(stage << " " << field) {
    BOOST_REQUIRE(report.lockstep.divergence.has_value());
    BOOST_TEST(report.lockstep.divergence->stage == stage);
    BOOST_TEST(report.lockstep.divergence->field.field == field);
  }
}

struct Counted {
  std::string_view name;
  std::size_t row;
  Boundary stage;
};

constexpr Counted counted[] = {
    {"contacts", counter::contacts, boundary::collisions},
    {"sticking", counter::sticking, boundary::friction},
    {"sliding", counter::sliding, boundary::friction},
    {"inside", counter::inside, boundary::plasticity},
    {"tip", counter::tip, boundary::plasticity},
    {"surface", counter::surface, boundary::plasticity},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_reports)

BOOST_AUTO_TEST_CASE(an_unspoiled_solver_passes_and_counts_everything_that_is_spoiled_here) {
  StepReport seen;
  const CaseReport report = run_spoiled([&](Wrapper& wrapper) {
    wrapper.on_report = [&](Boundary, StepReport& stage) {
      for (const Counted& count : counted) seen.counts[count.row] += stage.counts[count.row];
    };
  });
  BOOST_TEST(!report.lockstep.divergence.has_value());
  for (const Counted& count : counted) BOOST_TEST(seen.counts[count.row] > 0U, count.name);
}

BOOST_AUTO_TEST_CASE(a_state_with_another_time_step_or_step_size_is_named_where_it_is_handed_out) {
  must_name(run_spoiled([](Wrapper& w) {
              w.on_load = [](Snapshot& s) {
                s.time = 0.0;
                s.time += 1e-9;
              };
            }),
            "load step_start", "time");
  must_name(run_spoiled([](Wrapper& w) { w.on_load = [](Snapshot& s) { s.step += 1; }; }), "load step_start",
            "step");
  must_name(run_spoiled([](Wrapper& w) {
              w.on_save = [](Snapshot& s) {
                if (s.at == boundary::g2p) s.time = std::nextafter(s.time, 1.0);
              };
            }),
            "g2p", "time");
  must_name(run_spoiled([](Wrapper& w) {
              w.on_save = [](Snapshot& s) {
                if (s.at == boundary::update) s.dt *= 0.5;
              };
            }),
            "update", "dt");
  must_name(run_spoiled([](Wrapper& w) {
              w.on_save = [](Snapshot& s) {
                if (s.at == boundary::step_start && s.step == 1) s.time -= 1e-12;
              };
            }),
            "step_start", "time");
}

BOOST_AUTO_TEST_CASE(a_count_that_is_off_by_one_is_named_at_its_stage) {
  for (const Counted& count : counted)
    for (const bool more : {true, false})
      must_name(run_spoiled([&](Wrapper& w) {
                  w.on_report = [&, more](Boundary to, StepReport& report) {
                    if (to == count.stage) report.counts[count.row] += more ? 1U : std::uint64_t(-1);
                  };
                }),
                count.stage, std::string("report ").append(count.name));
}

BOOST_AUTO_TEST_CASE(a_number_of_particles_that_is_off_by_one_is_named) {
  must_name(run_spoiled([](Wrapper& w) {
              w.on_report = [](Boundary to, StepReport& report) {
                if (to == boundary::p2g) report.particles += 1;
              };
            }),
            "p2g", "report particles");
}

BOOST_AUTO_TEST_CASE(a_report_of_another_speed_or_step_size_is_named) {
  must_name(run_spoiled([](Wrapper& w) {
              w.on_report = [](Boundary, StepReport& report) { report.max_speed *= 1.0 + 1e-12; };
            }),
            "p2g", "report max_speed");
  must_name(run_spoiled([](Wrapper& w) {
              w.on_report = [](Boundary to, StepReport& report) {
                if (to == boundary::g2p) report.dt = std::nextafter(report.dt, 1.0);
              };
            }),
            "g2p", "report dt");
}

BOOST_AUTO_TEST_CASE(a_step_in_one_piece_that_differs_from_the_stages_by_a_bit_is_named) {
  must_name(run_spoiled([](Wrapper& w) {
              w.on_advance = [](Solver& solver, StepReport&) {
                Snapshot state = solver.save(boundary::step_start, true);
                double& value = state.get(field::q).value[7];
                value = std::nextafter(value, 1.0);
                solver.load(state);
              };
            }),
            "advance", "q");
  must_name(run_spoiled([](Wrapper& w) {
              w.on_advance = [](Solver& solver, StepReport&) {
                Snapshot state = solver.save(boundary::step_start, true);
                state.time = std::nextafter(state.time, 1.0);
                solver.load(state);
              };
            }),
            "advance", "time");
  must_name(run_spoiled([](Wrapper& w) {
              w.on_advance = [](Solver&, StepReport& report) { report.counts[counter::tip] += 1; };
            }),
            "advance", "report tip");
  must_name(run_spoiled([](Wrapper& w) {
              w.on_advance = [](Solver&, StepReport& report) { report.counts[counter::active_nodes] -= 1; };
            }),
            "advance", "report active_nodes");
}

/// Not the first step alone is taken in one piece.
BOOST_AUTO_TEST_CASE(a_later_step_in_one_piece_that_differs_is_named) {
  const CaseReport report = run_spoiled([](Wrapper& w) {
    w.on_advance = [](Solver& solver, StepReport& whole) {
      if (solver.steps() > 1) whole.counts[counter::tip] += 1;
    };
  });
  must_name(report, "advance", "report tip");
  BOOST_TEST(report.lockstep.divergence->step >= 1);
}

BOOST_AUTO_TEST_CASE(a_step_size_chosen_for_another_speed_is_named) {
  class Hasty final : public Wrapper {
   public:
    Hasty(std::unique_ptr<Solver> inner, double factor) : Wrapper(std::move(inner)), factor_(factor) {}
    StepReport advance(const std::function<double(double)>& next_dt) override {
      return Wrapper::advance([&](double speed) { return next_dt(factor_ * speed); });
    }

   private:
    double factor_;
  };
  const Factory reference = [](const Scene& scene, const SolverOptions& options) {
    return make_solver("reference", scene, options);
  };
  // A factor that rounding does not explain is far below a rounding of one second.
  for (const double factor : {100.0, 1.0 + 1e-12}) {
    const Factory candidate = [&](const Scene& scene, const SolverOptions& options) {
      return std::make_unique<Hasty>(make_solver("reference", scene, options), factor);
    };
    Case c = busy();
    c.scene.step.cfl = factor > 2.0 ? 0.5 : 1e-3;  // premise: speed decides, not the offered step
    must_name(run_case(c, candidate, reference), "advance", "dt chosen");
  }
}

BOOST_AUTO_TEST_CASE(a_reference_that_loses_what_it_was_loaded_with_is_named) {
  const Factory candidate = [](const Scene& scene, const SolverOptions& options) {
    return make_solver("reference", scene, options);
  };
  const Factory reference = [](const Scene& scene, const SolverOptions& options) {
    auto wrapper = std::make_unique<Wrapper>(make_solver("reference", scene, options));
    wrapper->on_load = [](Snapshot& s) {
      double& value = s.get(field::v_c).value[3];
      value = std::nextafter(value, 1.0);
    };
    return wrapper;
  };
  must_name(run_case(busy(), candidate, reference), "load step_start", "v_c");
}

BOOST_AUTO_TEST_SUITE_END()
