/// Every claim of equal bits, against a solver that breaks that claim alone.
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "tests/unit/validation/crosscheck_wrapper.h"
#include "validation/crosscheck/bits.h"
#include "validation/crosscheck/method_cases.h"
#include "validation/crosscheck/mpm/setup.h"
#include "validation/methods.h"
#include "validation/solvers.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

namespace {

using namespace repose;
using namespace repose::crosscheck;

/// Exact vectors need the quadratic kernel. One thread: a fault of two must not show in the other claims.
const Setup all_setups[] = {MpmSetup{.dim = 2,
                                     .kernel = Kernel::quadratic,
                                     .transfer = Transfer::apic,
                                     .precision = Precision::single_,
                                     .threads = 1},
                            MpmSetup{.dim = 3,
                                     .kernel = Kernel::quadratic,
                                     .transfer = Transfer::apic,
                                     .precision = Precision::double_,
                                     .threads = 1}};

using Spoil = std::function<void(Wrapper&, const SolverOptions&)>;

CaseReport judge(std::string_view claim, const Setup& setup, const Spoil& spoil) {
  const Factory candidate = [&](const Scene& scene, const SolverOptions& options) {
    auto wrapper = std::make_unique<Wrapper>(make_solver("optimized", scene, options));
    spoil(*wrapper, options);
    return wrapper;
  };
  const Factory reference = [](const Scene& scene, const SolverOptions& options) {
    return make_solver("reference", scene, options);
  };
  return run_bits({case_name(claim, setup), std::string(claim), setup}, candidate, reference, "");
}

void must_name(const Setup& setup, std::string_view claim, std::string_view stage, std::string_view name,
               const Spoil& spoil) {
  const CaseReport report = judge(claim, setup, spoil);
  BOOST_TEST_CONTEXT(report.name << " " << stage << " " << name) {
    BOOST_REQUIRE(report.lockstep.divergence.has_value());
    BOOST_TEST(name_of(report.verdict) == "differs");
    BOOST_TEST(report.lockstep.divergence->stage == stage);
    // Of a place in double, x itself may round the change away.
    const std::string& named = report.lockstep.divergence->field.field;
    BOOST_TEST((named == name || (name == field::x && named == "native.optimized.offset")), named);
  }
}

/// The same claim, of the scene of any case.
bool same_claim(std::string_view one, std::string_view other) {
  const auto& scenes = judged("mpm").cases.busy_too;
  return one == other || std::any_of(scenes.begin(), scenes.end(), [&](const BusyScene& scene) {
           return one == std::string(scene.prefix) + std::string(other);
         });
}

/// No other claim sees it.
void must_pass_all_but(const Setup& setup, std::string_view claim, const Spoil& spoil) {
  for (const BitClaim& other : bit_claims()) {
    if (same_claim(other.name, claim)) continue;
    const CaseReport report = judge(other.name, setup, spoil);
    BOOST_TEST(name_of(report.verdict) == "pass", report.name << " beside " << claim);
  }
}

/// A field as it is named, and where the fast solver's checkpoints keep it.
struct Kept {
  std::string_view field;
  std::string_view in;
};

constexpr Kept particle_fields[] = {
    {field::mass, field::mass}, {field::volume, field::volume}, {field::x, "native.optimized.offset"},
    {field::v, field::v},       {field::C, field::C},           {field::F, "native.optimized.strain"},
    {field::q, field::q},       {field::v_c, field::v_c}};

/// Changes the last number of a field by more than a rounding. An offset must stay with its place, whose own rounding is all
/// that may lie between: in 2D, run in float here, as in 3D, run in double.
void change_last(Snapshot& state, std::string_view name) {
  double& value = state.get(name).value.back();
  if (name == "native.optimized.offset") {
    const bool plane = state.get(field::x).components == 2;
    value -= std::copysign(plane ? 0x1p-24 : 0x1p-50, value);
    return;
  }
  value = std::abs(value) > 1e-6 ? value * (1.0 - 0x1p-20) : value + 0x1p-20;
}

/// The solver's own state, from now on.
void change_inside(Solver& solver, std::string_view name) {
  Snapshot state = solver.save(boundary::step_start, true);
  change_last(state, name);
  solver.load(state);
}

bool is_native(const Snapshot& state) { return state.find("native.optimized.strain") != nullptr; }

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_bits)

BOOST_DATA_TEST_CASE(an_unspoiled_solver_passes_every_claim, boost::unit_test::data::xrange(2), which) {
  must_pass_all_but(all_setups[which], "", [](Wrapper&, const SolverOptions&) {});
}

BOOST_DATA_TEST_CASE(one_bit_of_an_exact_sum_is_named, boost::unit_test::data::xrange(2), which) {
  const Setup& setup = all_setups[which];
  const auto spoiled = [](Boundary at, std::string_view name) {
    return [at, name](Wrapper& w, const SolverOptions&) {
      w.on_save = [&w, at, name](Snapshot& state) {
        if (w.last != Wrapper::Last::run || state.at != at || is_native(state)) return;
        double& value = state.get(name).value.back();
        value = std::nextafter(value, 10.0);
      };
    };
  };
  for (const std::string_view name : {field::m_i, field::p_i})
    must_name(setup, "exact_p2g", boundary::p2g, name, spoiled(boundary::p2g, name));
  must_pass_all_but(setup, "exact_p2g", spoiled(boundary::p2g, field::p_i));
  for (const std::string_view name : {field::v_bar, field::grad_v, field::v, field::C})
    must_name(setup, "exact_g2p", boundary::g2p, name, spoiled(boundary::g2p, name));
  must_pass_all_but(setup, "exact_g2p", spoiled(boundary::g2p, field::C));
}

BOOST_DATA_TEST_CASE(a_header_that_a_step_in_one_piece_writes_otherwise_is_named,
                     boost::unit_test::data::xrange(2), which) {
  const Setup& setup = all_setups[which];
  void (*const changes[])(Snapshot&) = {[](Snapshot& s) { s.time = std::nextafter(s.time, 1.0); },
                                        [](Snapshot& s) { ++s.step; }, [](Snapshot& s) { s.dt += 1e-9; },
                                        [](Snapshot& s) { s.at = boundary::p2g; }};
  for (const auto change : changes)
    must_name(setup, "stepwise_is_fused", boundary::step_start, "boundary, time, step or dt",
              [change](Wrapper& w, const SolverOptions&) {
                w.on_save = [&w, change](Snapshot& state) {
                  if (w.last == Wrapper::Last::advance) change(state);
                };
              });
}

/// A clock that stands still from the second step on, in whatever way steps are taken and checkpoints are made.
BOOST_DATA_TEST_CASE(a_time_that_stands_still_is_named, boost::unit_test::data::xrange(2), which) {
  const auto stands_still = [](Wrapper& w, const SolverOptions&) {
    w.on_save = [](Snapshot& state) { state.time = std::min(state.time, 0.25 + 1e-12); };
  };
  must_name(all_setups[which], "time_moves_on", boundary::step_start, "time or step", stands_still);
  const auto counts_twice = [](Wrapper& w, const SolverOptions&) {
    w.on_save = [](Snapshot& state) { state.step += state.step > 7 ? 1 : 0; };
  };
  must_name(all_setups[which], "time_moves_on", boundary::step_start, "time or step", counts_twice);
}

/// And of the reference, by which candidates are judged.
BOOST_AUTO_TEST_CASE(a_time_of_the_reference_that_stands_still_is_named) {
  const Factory candidate = [](const Scene& scene, const SolverOptions& options) {
    return make_solver("optimized", scene, options);
  };
  const Factory reference = [](const Scene& scene, const SolverOptions& options) {
    auto wrapper = std::make_unique<Wrapper>(make_solver("reference", scene, options));
    wrapper->on_save = [](Snapshot& state) { state.time = std::min(state.time, 0.25); };
    return wrapper;
  };
  const CaseReport report =
      run_bits({"time_moves_on", "time_moves_on", all_setups[0]}, candidate, reference, "");
  BOOST_TEST(name_of(report.verdict) == "differs");
}

BOOST_DATA_TEST_CASE(a_step_in_one_piece_that_differs_once_is_named, boost::unit_test::data::xrange(2),
                     which) {
  const Setup& setup = all_setups[which];
  const auto spoiled = [](std::string_view name, std::int64_t step) {
    return [name, step](Wrapper& w, const SolverOptions&) {
      w.on_advance = [name, step](Solver& solver, StepReport&) {
        if (solver.steps() == step) change_inside(solver, name);
      };
    };
  };
  for (const Kept& kept : particle_fields)
    for (const std::int64_t step : {1, 3})
      must_name(setup, "stepwise_is_fused", boundary::step_start, kept.field, spoiled(kept.in, step));
  must_pass_all_but(setup, "stepwise_is_fused", spoiled(field::v, 1));
  must_pass_all_but(setup, "stepwise_is_fused", spoiled(field::v, 3));
}

BOOST_DATA_TEST_CASE(threads_that_change_a_bit_are_named_whatever_their_number,
                     boost::unit_test::data::xrange(2), which) {
  const Setup& setup = all_setups[which];
  const auto spoiled = [](std::string_view name, int threads) {
    return [name, threads](Wrapper& w, const SolverOptions& options) {
      if (options.threads != threads) return;
      w.on_run = [&w, name](Boundary to) {
        if (to == boundary::plasticity && w.inner().steps() == 2) change_inside(w.inner(), name);
      };
    };
  };
  for (const int threads : {2, 3}) {
    for (const Kept& kept : particle_fields)
      must_name(setup, "threads_agree", boundary::step_start, kept.field, spoiled(kept.in, threads));
    must_pass_all_but(setup, "threads_agree", spoiled(field::v, threads));
  }
}

BOOST_DATA_TEST_CASE(a_second_run_that_differs_is_named, boost::unit_test::data::xrange(2), which) {
  const Setup& setup = all_setups[which];
  const auto spoiled = [](std::string_view name) {
    return [name](Wrapper& w, const SolverOptions&) {
      w.on_run = [&w, name, steps = 0](Boundary to) mutable {
        if (to == boundary::plasticity && ++steps == 4) change_inside(w.inner(), name);
      };
    };
  };
  for (const Kept& kept : particle_fields)
    must_name(setup, "twice_the_same", boundary::step_start, kept.field, spoiled(kept.in));
  must_pass_all_but(setup, "twice_the_same", spoiled(field::v));
}

BOOST_DATA_TEST_CASE(what_append_loses_of_the_last_particle_is_named, boost::unit_test::data::xrange(2),
                     which) {
  const Setup& setup = all_setups[which];
  const auto spoiled = [](std::string_view name) {
    return [name](Wrapper& w, const SolverOptions&) {
      w.on_append = [name](Snapshot& particles) {
        double& value = particles.get(name).value.back();
        value *= 1.0 - 0x1p-20;
      };
    };
  };
  for (const std::string_view name :
       {field::mass, field::volume, field::x, field::v, field::C, field::F, field::q, field::v_c})
    must_name(setup, "append_is_load", "append", name, spoiled(name));
  must_pass_all_but(setup, "append_is_load", spoiled(field::v));
}

/// As if the largest speed were that of the particles that were there before.
BOOST_DATA_TEST_CASE(a_speed_that_does_not_know_of_what_was_appended_is_named,
                     boost::unit_test::data::xrange(2), which) {
  const auto spoiled = [](Wrapper& w, const SolverOptions&) {
    w.on_speed = [&w](double speed) { return w.last == Wrapper::Last::append ? 0.5 * speed : speed; };
  };
  must_name(all_setups[which], "append_is_load", boundary::step_start, "largest speed", spoiled);
}

BOOST_DATA_TEST_CASE(what_a_checkpoint_loses_is_named_where_it_is_loaded, boost::unit_test::data::xrange(2),
                     which) {
  const Setup& setup = all_setups[which];
  const auto spoiled = [](Boundary at, std::string_view name) {
    return [at, name](Wrapper& w, const SolverOptions&) {
      w.on_load = [at, name](Snapshot& state) {
        if (is_native(state) && state.at == at) change_last(state, name);
      };
    };
  };
  const Kept node_fields[] = {{field::m_i, field::m_i},
                              {field::p_i, field::p_i},
                              {field::p_star, field::p_star},
                              {field::p_bar, "native.optimized.v_bar_i"},
                              {field::p_tilde, "native.optimized.v_tilde_i"}};
  const Boundary stops[] = {boundary::step_start, boundary::p2g, boundary::forces, boundary::collisions,
                            boundary::friction,   boundary::g2p, boundary::update};
  for (std::size_t i = 0; i < std::size(stops); ++i) {
    const std::string stage = std::string("load ").append(stops[i]);
    for (const Kept& kept : particle_fields) {
      const bool trial = kept.field == field::F && stops[i] == boundary::update;
      must_name(setup, "checkpoint_is_exact", stage, trial ? field::F_trial : kept.field,
                spoiled(stops[i], kept.in));
    }
    if (i >= 1 && i <= 4)
      for (std::size_t k = 0; k <= i; ++k)
        must_name(setup, "checkpoint_is_exact", stage, node_fields[k].field,
                  spoiled(stops[i], node_fields[k].in));
  }
  for (const std::string_view name : {field::v_bar, field::grad_v})
    must_name(setup, "checkpoint_is_exact", "load g2p", name, spoiled(boundary::g2p, name));
  must_pass_all_but(setup, "checkpoint_is_exact", spoiled(boundary::update, field::q));
}

BOOST_DATA_TEST_CASE(a_checkpoint_that_is_never_loaded_is_named, boost::unit_test::data::xrange(2), which) {
  class Deaf final : public Wrapper {
   public:
    using Wrapper::Wrapper;
    void load(const Snapshot& snapshot) override {
      if (!is_native(snapshot)) Wrapper::load(snapshot);
    }
  };
  const Setup& setup = all_setups[which];
  const Factory candidate = [](const Scene& scene, const SolverOptions& options) {
    return std::make_unique<Deaf>(make_solver("optimized", scene, options));
  };
  for (const BitClaim& claim : bit_claims("mpm")) {
    const CaseReport report = run_bits(
        {case_name(claim.name, setup), claim.name, setup}, candidate,
        [](const Scene& scene, const SolverOptions& o) { return make_solver("reference", scene, o); }, "");
    if (!same_claim(claim.name, "checkpoint_is_exact")) {
      BOOST_TEST(name_of(report.verdict) == "pass", report.name);
      continue;
    }
    BOOST_REQUIRE(report.lockstep.divergence.has_value());
    BOOST_TEST(report.lockstep.divergence->stage == "load step_start");
    BOOST_TEST(report.lockstep.divergence->field.failing > 0U);
  }
}

BOOST_AUTO_TEST_CASE(a_solver_that_cannot_run_on_from_its_checkpoint_differs) {
  const Setup& setup = all_setups[0];
  must_name(setup, "checkpoint_is_exact", "load g2p", "error", [](Wrapper& w, const SolverOptions&) {
    const auto loaded = std::make_shared<bool>(false);
    w.on_load = [loaded](Snapshot&) { *loaded = true; };
    w.on_run = [loaded](Boundary to) {
      if (to == boundary::update && *loaded) throw std::logic_error("cannot run on from g2p");
      *loaded = false;
    };
  });
}

BOOST_AUTO_TEST_SUITE_END()
