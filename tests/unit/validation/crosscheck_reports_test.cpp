// What lock-step sees besides fields: headers of states, step reports, steps taken in one piece.
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/validation/crosscheck_wrapper.h"
#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/mpm/cases.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/crosscheck/run_case.h"
#include "validation/solvers.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
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

/// Agreeing that there is no step is not enough: it is the same particle that each stops for.
BOOST_AUTO_TEST_CASE(solvers_that_stop_for_different_particles_differ) {
  class Blaming final : public Wrapper {
   public:
    Blaming(std::unique_ptr<Solver> inner, std::int64_t further)
        : Wrapper(std::move(inner)), further_(further) {}
    StepReport run(Boundary from, Boundary to, double dt) override {
      try {
        return Wrapper::run(from, to, dt);
      } catch (const SimulationError& error) {
        throw SimulationError("stopped", error.particle + further_, error.step, error.boundary);
      }
    }

   private:
    std::int64_t further_;
  };
  const auto& all = mpm_scenarios();
  const auto found = std::find_if(all.begin(), all.end(), [](const Scenario& one) {
    const Case c = make_case(one.name, busy().setup);
    return c.stops && mpm_options(c.scene).integrator == Integrator::explicit_;
  });
  BOOST_REQUIRE(found != all.end());
  const Case c = make_case(found->name, busy().setup);
  for (const std::int64_t further : {0, 1}) {
    const Factory candidate = [&](const Scene& scene, const SolverOptions& options) {
      return std::make_unique<Blaming>(make_solver("reference", scene, options), further);
    };
    const Factory reference = [](const Scene& scene, const SolverOptions& options) {
      return make_solver("reference", scene, options);
    };
    const CaseReport report = run_case(c, candidate, reference);
    BOOST_TEST(name_of(report.verdict) == (further == 0 ? "pass" : "differs"));
    if (further != 0) BOOST_TEST(report.lockstep.divergence->field.field == "error");
  }
}

/// Strains that lie on the cone and do not change are ties in every step: a step is excused by its own alone.
BOOST_AUTO_TEST_CASE(ties_of_earlier_steps_excuse_no_count) {
  Case c = make_case("hydrostatic_compression", busy().setup);
  const Lame l = lame(c.scene.materials[0]);
  const double sine = std::sin(c.scene.materials[0].friction.h0);
  const double alpha = std::sqrt(2.0 / 3.0) * 2.0 * sine / (3.0 - sine);
  const double shear = (l.lambda + l.mu) / l.mu * alpha * 0.02 / std::sqrt(2.0);
  std::vector<double>& F = c.start.get(field::F).value;
  for (std::size_t p = 0; p < c.start.particles(); p += 100) {
    F[4 * p] = std::exp(shear - 0.01);
    F[4 * p + 1] = F[4 * p + 2] = 0.0;
    F[4 * p + 3] = std::exp(-shear - 0.01);
  }
  c.needs.clear();
  c.share_of_ties = 1.0;
  const Factory reference = [](const Scene& scene, const SolverOptions& options) {
    return make_solver("reference", scene, options);
  };
  const auto with_more = [&](std::uint64_t more) {
    const Factory candidate = [more](const Scene& scene, const SolverOptions& options) {
      auto wrapper = std::make_unique<Wrapper>(make_solver("reference", scene, options));
      wrapper->on_report = [more, solver = wrapper.get()](Boundary to, StepReport& report) {
        if (to == boundary::plasticity && solver->steps() == 2) report.counts[counter::inside] += more;
      };
      return wrapper;
    };
    return run_case(c, candidate, reference);
  };
  c.steps = 1;
  const double in_one = with_more(0).lockstep.counters["undecided plastic case"];
  c.steps = 2;
  const double in_both = with_more(0).lockstep.counters["undecided plastic case"];
  const auto in_second = static_cast<std::uint64_t>(in_both - in_one);
  BOOST_TEST_REQUIRE(in_one >= 2.0);  // premise: more than the one that is too many
  BOOST_TEST_REQUIRE(in_second >= 1U);
  must_name(with_more(in_second + 1), "plasticity", "report inside");
}

BOOST_AUTO_TEST_CASE(forces_on_nodes_without_mass_that_only_one_solver_meets_are_named) {
  must_name(run_spoiled([](Wrapper& w) {
              w.on_report = [](Boundary to, StepReport& report) {
                if (to == boundary::forces) report.counts[counter::massless] += 1;
              };
            }),
            "forces", "report massless");
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
