#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/validation/crosscheck_wrapper.h"
#include "validation/crosscheck/cases.h"
#include "validation/crosscheck/lockstep.h"
#include "validation/crosscheck/mpm/cases.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/crosscheck/report.h"
#include "validation/crosscheck/run_case.h"
#include "validation/solvers.h"
#include "validation/states/state_file.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

namespace {

using namespace repose;
using namespace repose::crosscheck;

Case small_case() {
  return make_case("room_corner", MpmSetup{.dim = 2,
                                           .kernel = Kernel::quadratic,
                                           .transfer = Transfer::apic,
                                           .precision = Precision::double_,
                                           .threads = 1});
}

/// Runs a case with a wrapped reference as the candidate.
CaseReport run_wrapped(const Case& c, const std::function<void(Wrapper&)>& spoil) {
  const Factory candidate = [&](const Scene& scene, const SolverOptions& options) {
    auto wrapper = std::make_unique<Wrapper>(make_solver("reference", scene, options));
    spoil(*wrapper);
    return wrapper;
  };
  const Factory reference = [](const Scene& scene, const SolverOptions& options) {
    return make_solver("reference", scene, options);
  };
  return run_case(c, candidate, reference);
}

void demand_difference(const CaseReport& report, std::string_view stage, std::string_view name) {
  BOOST_TEST(name_of(report.verdict) == "differs");
  BOOST_REQUIRE(report.lockstep.divergence.has_value());
  BOOST_TEST(report.lockstep.divergence->stage == stage);
  BOOST_TEST(report.lockstep.divergence->field.field == name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_lockstep)

BOOST_AUTO_TEST_CASE(a_solver_equals_itself_exactly) {
  const CaseReport report = run_wrapped(small_case(), [](Wrapper&) {});
  BOOST_TEST(name_of(report.verdict) == "pass");
  BOOST_REQUIRE(report.lockstep.closest() != nullptr);
  BOOST_TEST(report.lockstep.closest()->field.worst.ratio == 0.0);
}

/// What loading rounds is a third of its bound in every case, and a ratio of choices no measure.
BOOST_AUTO_TEST_CASE(closest_to_its_bound_is_a_measured_field_of_a_stage_and_none_of_loading) {
  const auto row = [](std::string_view stage, std::string_view name, double ratio) {
    Worst one{std::string(stage), {}};
    one.field.field = name;
    one.field.worst.ratio = ratio;
    return one;
  };
  Lockstep lockstep;
  BOOST_TEST((lockstep.closest() == nullptr));
  lockstep.worst = {row("load p2g", "m_i", 0.9),    row("p2g", "m_i", 0.2),
                    row("forces", "p_star", 0.5),   row("load plasticity", "F", 0.8),
                    row("plasticity", "case", 2.0), row("plasticity", "F", 0.4)};
  lockstep.worst[4].field.measured = false;
  BOOST_REQUIRE((lockstep.closest() != nullptr));
  BOOST_TEST(lockstep.closest()->stage == "forces");
  lockstep.worst = {row("load p2g", "m_i", 0.9)};
  BOOST_TEST((lockstep.closest() == nullptr));
}

BOOST_AUTO_TEST_CASE(every_boundary_and_every_field_of_the_contract_is_compared) {
  const CaseReport report = run_wrapped(small_case(), [](Wrapper&) {});
  const auto compared = [&](std::string_view stage, std::string_view name) {
    return std::any_of(report.lockstep.worst.begin(), report.lockstep.worst.end(), [&](const Worst& worst) {
      return worst.stage == stage && worst.field.field == name && worst.field.values > 0;
    });
  };
  for (const std::string_view stage :
       {"p2g", "forces", "collisions", "friction", "g2p", "update", "plasticity"})
    for (const std::string_view name : {"mass", "volume", "material", "x", "v", "C", "J", "q", "v_c"})
      BOOST_TEST(compared(stage, name), stage << " " << name);
  BOOST_TEST(compared("load step_start", "F"));
  BOOST_TEST(compared("p2g", "p_i"));
  BOOST_TEST(compared("forces", "p_star"));
  BOOST_TEST(compared("collisions", "p_bar"));
  BOOST_TEST(compared("friction", "p_tilde"));
  BOOST_TEST(compared("g2p", "grad_v"));
  BOOST_TEST(compared("g2p", "v_bar"));
  BOOST_TEST(compared("update", "F_trial"));
  BOOST_TEST(compared("plasticity", "F"));
  BOOST_TEST(compared("plasticity", "case"));
}

BOOST_AUTO_TEST_CASE(the_first_wrong_boundary_and_field_are_named) {
  const CaseReport report = run_wrapped(small_case(), [](Wrapper& wrapper) {
    wrapper.on_save = [](Snapshot& state) {
      if (state.at != boundary::collisions) return;
      for (double& value : state.get(field::p_bar).value) value *= 1.5;
    };
  });
  // What the candidate holds when it starts from collisions is wrong too, but the stage before is named first.
  demand_difference(report, "collisions", "p_bar");
}

BOOST_AUTO_TEST_CASE(of_several_wrong_fields_the_one_that_spoils_the_others_is_named) {
  const CaseReport report = run_wrapped(small_case(), [](Wrapper& wrapper) {
    wrapper.on_save = [](Snapshot& state) {
      if (state.at != boundary::p2g) return;
      for (double& value : state.get(field::p_i).value) value *= 3.0;
      for (double& value : state.get(field::m_i).value) value *= 1.5;
    };
  });
  demand_difference(report, "p2g", "m_i");
  BOOST_REQUIRE(report.lockstep.divergence->others.size() == 1U);
  BOOST_TEST(report.lockstep.divergence->others.front() == "p_i");
}

BOOST_AUTO_TEST_CASE(what_load_forgets_is_found) {
  Case c = make_case("volume_correction", small_case().setup);
  const CaseReport report = run_wrapped(c, [](Wrapper& wrapper) {
    wrapper.on_load = [](Snapshot& state) {
      for (double& value : state.get(field::v_c).value) value = 0.0;
    };
  });
  demand_difference(report, "load step_start", "v_c");
}

BOOST_AUTO_TEST_CASE(a_missing_field_differs) {
  const CaseReport report = run_wrapped(small_case(), [](Wrapper& wrapper) {
    wrapper.on_save = [](Snapshot& state) {
      if (state.at == boundary::g2p) state.erase(field::grad_v);
    };
  });
  demand_difference(report, "g2p", "grad_v");
}

BOOST_AUTO_TEST_CASE(nan_differs) {
  const CaseReport report = run_wrapped(small_case(), [](Wrapper& wrapper) {
    wrapper.on_save = [](Snapshot& state) {
      if (state.at == boundary::p2g)
        state.get(field::m_i).value.front() = std::numeric_limits<double>::quiet_NaN();
    };
  });
  demand_difference(report, "p2g", "m_i");
}

BOOST_AUTO_TEST_CASE(an_error_of_one_solver_alone_differs) {
  const CaseReport report = run_wrapped(small_case(), [](Wrapper& wrapper) {
    wrapper.on_run = [](Boundary to) {
      if (to == boundary::update) throw SimulationError("inverted particle", 3, 0, boundary::update);
    };
  });
  demand_difference(report, "update", "error");
}

BOOST_AUTO_TEST_CASE(an_expected_stop_passes_and_an_absent_one_does_not) {
  const Case c = make_case("inverted_particle", small_case().setup);
  BOOST_TEST(name_of(run_wrapped(c, [](Wrapper&) {}).verdict) == "pass");
  Case calm = small_case();
  calm.stops = true;
  BOOST_TEST(name_of(run_wrapped(calm, [](Wrapper&) {}).verdict) == "mistrusted");
}

BOOST_AUTO_TEST_CASE(a_pass_that_did_not_exercise_its_branch_is_mistrusted) {
  Case c = small_case();
  c.needs.push_back({"tip", 1e9});
  const CaseReport report = run_wrapped(c, [](Wrapper&) {});
  BOOST_TEST(name_of(report.verdict) == "mistrusted");
  BOOST_TEST(report.shortfalls.size() == 1U);
}

/// Grains of a strain that is on the cone itself, and grains at rest, whose strain is rounding alone.
BOOST_AUTO_TEST_CASE(a_case_that_leaves_more_than_a_fiftieth_to_rounding_is_mistrusted) {
  const auto with_undecided = [](std::size_t every, double size) {
    Case c = make_case("hydrostatic_compression", small_case().setup);
    const FrictionLaw& law = c.scene.materials[0].friction;
    const Lame l = lame(c.scene.materials[0]);
    const double sine = std::sin(law.h0);
    const double alpha = std::sqrt(2.0 / 3.0) * 2.0 * sine / (3.0 - sine);
    const double shear = (l.lambda + l.mu) / l.mu * alpha * 2.0 * size / std::sqrt(2.0);
    std::vector<double>& F = c.start.get(field::F).value;
    for (std::size_t p = 0; p < c.start.particles(); p += every) {
      F[4 * p] = std::exp(shear - size);
      F[4 * p + 1] = F[4 * p + 2] = 0.0;
      F[4 * p + 3] = std::exp(-shear - size);
    }
    c.needs.clear();
    c.steps = 1;
    return c;
  };
  const CaseReport many = run_wrapped(with_undecided(20, 0.01), [](Wrapper&) {});
  BOOST_TEST(name_of(many.verdict) == "mistrusted");
  BOOST_REQUIRE(many.shortfalls.size() == 1U);
  BOOST_TEST(many.shortfalls.front().rfind("plastic cases: rounding decides 15 of 300", 0) == 0U,
             many.shortfalls.front());
  BOOST_TEST(name_of(run_wrapped(with_undecided(100, 0.01), [](Wrapper&) {}).verdict) == "pass");
  BOOST_TEST(name_of(run_wrapped(with_undecided(20, 1e-15), [](Wrapper&) {}).verdict) == "pass");
}

BOOST_AUTO_TEST_CASE(a_candidate_with_fewer_boundaries_is_judged_at_those_it_has) {
  const auto fuse = [](Wrapper& wrapper) {
    wrapper.listed = {boundary::step_start, boundary::forces, boundary::friction, boundary::plasticity};
  };
  const CaseReport report = run_wrapped(small_case(), fuse);
  BOOST_TEST(name_of(report.verdict) == "pass");
  BOOST_TEST(report.lockstep.closest()->field.worst.ratio == 0.0);
  // Momentum and impulse in one sum: the run with Δt = 0 shows a wrong momentum.
  const CaseReport wrong = run_wrapped(small_case(), [&](Wrapper& wrapper) {
    fuse(wrapper);
    wrapper.on_save = [](Snapshot& state) {
      if (state.at != boundary::forces) return;
      state.erase(field::p_i);
      for (double& value : state.get(field::p_star).value) value *= 1.0 + 1e-9;
    };
  });
  demand_difference(wrong, "forces", "p_star");
  BOOST_TEST(wrong.lockstep.divergence->dt == 0.0);
}

BOOST_AUTO_TEST_CASE(a_failure_report_tells_place_values_bound_and_replay) {
  const CaseReport report = run_wrapped(small_case(), [](Wrapper& wrapper) {
    wrapper.on_save = [](Snapshot& state) {
      if (state.at == boundary::p2g) state.get(field::m_i).value.front() *= 2.0;
    };
  });
  const std::string text = explain(report, "repose verify --case NAME");
  for (const std::string_view part :
       {"step 0", "boundary p2g", "m_i [kg]", "node ", "reference ", "candidate ", "0x1.",
        "bound = rounding ", "near: ", "replay: repose verify --case NAME"})
    BOOST_TEST(text.find(part) != std::string::npos, "'" << part << "' is not in\n" << text);
}

/// Both solvers refuse the same particle: that is right where a case is about it, and no pass where it is not.
BOOST_AUTO_TEST_CASE(a_case_passes_by_stopping_only_if_it_is_to_stop) {
  const auto& all = mpm_scenarios();
  const auto found = std::find_if(all.begin(), all.end(), [](const Scenario& one) {
    return make_case(one.name, small_case().setup).stops;
  });
  BOOST_REQUIRE(found != all.end());
  Case c = make_case(found->name, small_case().setup);
  BOOST_TEST(name_of(run_wrapped(c, [](Wrapper&) {}).verdict) == "pass");
  c.stops = false;
  const CaseReport unmeant = run_wrapped(c, [](Wrapper&) {});
  BOOST_TEST(name_of(unmeant.verdict) == "refused");
  BOOST_TEST(unmeant.shortfalls.size() == 1U);
  Case goes_on = small_case();
  goes_on.stops = true;
  BOOST_TEST(name_of(run_wrapped(goes_on, [](Wrapper&) {}).verdict) == "mistrusted");
}

/// A check within a stage that fails where it should not is a mistake of that stage, not of the case.
BOOST_AUTO_TEST_CASE(an_exception_is_named_at_the_stage_that_threw_it) {
  const CaseReport report = run_wrapped(small_case(), [](Wrapper& wrapper) {
    wrapper.on_save = [](Snapshot& state) {
      if (state.at == boundary::g2p) throw std::invalid_argument("cone slope");
    };
  });
  demand_difference(report, "g2p", "exception");
  BOOST_TEST(report.lockstep.divergence->message == "cone slope");
}

BOOST_AUTO_TEST_CASE(json_has_the_promised_keys) {
  const nlohmann::json json = to_json({run_wrapped(small_case(), [](Wrapper&) {})});
  for (const char* key : {"pass", "differs", "mistrusted", "seconds"})
    BOOST_TEST(json["summary"].contains(key), key);
  for (const char* key : {"name", "suite", "method", "variant", "dim", "precision", "threads", "candidate",
                          "verdict", "stage", "field", "worst_ratio_to_bound"})
    BOOST_TEST(json["cases"][0].contains(key), key);
  BOOST_TEST(json["summary"]["pass"] == 1);
}

BOOST_AUTO_TEST_CASE(a_kept_state_is_read_back_bit_for_bit_and_replays_the_difference) {
  const Case c = small_case();
  const auto spoil = [](Wrapper& wrapper) {
    wrapper.on_save = [](Snapshot& state) {
      if (state.at == boundary::forces) state.get(field::p_star).value.front() += 1.0;
    };
  };
  const CaseReport report = run_wrapped(c, spoil);
  demand_difference(report, "forces", "p_star");
  const auto file = std::filesystem::temp_directory_path() / "repose_crosscheck_state.hdf";
  write_state(file, report.lockstep.divergence->state, c.scene,
              {.solver = "reference", .precision = "double"});
  const Snapshot state = read_state(file).snapshot;
  std::filesystem::remove(file);
  BOOST_TEST(state.at == boundary::p2g);
  for (const Field& field : report.lockstep.divergence->state.fields)
    BOOST_TEST((state.get(field.name).value == field.value), field.name);
  Wrapper candidate(make_solver("reference", c.scene));
  spoil(candidate);
  const auto reference = make_solver("reference", c.scene);
  const Lockstep again = LockstepDriver(c.scene, candidate, *reference).replay(state, c.dt);
  BOOST_REQUIRE(again.divergence.has_value());
  BOOST_TEST(again.divergence->field.worst.got == report.lockstep.divergence->field.worst.got);
}

BOOST_AUTO_TEST_SUITE_END()
