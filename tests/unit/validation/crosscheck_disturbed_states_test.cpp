/// What a candidate says besides numbers: which nodes and fields there are, in what unit, headers and step reports.
#include "reference/interface/methods/mpm.h"
#include "tests/unit/validation/crosscheck_disturbed.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace {

using namespace repose;
using namespace repose::crosscheck;

/// How a field is named that has more or fewer elements: where it tells how many particles there are, the set is.
std::string_view of_other_length(std::string_view field) {
  return field == field::mass ? "particles" : field;
}

void must_name(const Lockstep& lockstep, std::string_view stage, std::string_view name) {
  BOOST_TEST_CONTEXT(stage << " " << name) {
    BOOST_REQUIRE(lockstep.divergence.has_value());
    BOOST_TEST(lockstep.divergence->stage == stage);
    BOOST_TEST(lockstep.divergence->field.field == name);
  }
}

/// Takes the n-th node with all its values out of a state.
void remove_node(Snapshot& state, std::size_t n) {
  state.ids(Place::node).erase(state.ids(Place::node).begin() + static_cast<std::ptrdiff_t>(n));
  for (Field& field : state.fields) {
    if (field.place != Place::node) continue;
    const auto first = field.value.begin() + static_cast<std::ptrdiff_t>(n) * field.components;
    field.value.erase(first, first + field.components);
  }
}

/// Adds a node behind all others.
void add_node(Snapshot& state, std::int64_t id, double value) {
  state.ids(Place::node).push_back(id);
  for (Field& field : state.fields)
    if (field.place == Place::node)
      field.value.insert(field.value.end(), static_cast<std::size_t>(field.components), value);
}

/// The node that carries most, so that no bound excuses its absence.
std::size_t heaviest(const Snapshot& state) {
  const auto& m = state.get(field::m_i).value;
  return static_cast<std::size_t>(std::max_element(m.begin(), m.end()) - m.begin());
}

struct Counted {
  std::string_view name;
  std::size_t row;
};

/// Judged at every stage.
constexpr Counted counts_of_report[] = {
    {"contacts", counter::contacts}, {"sticking", counter::sticking}, {"sliding", counter::sliding},
    {"inside", counter::inside},     {"tip", counter::tip},           {"surface", counter::surface},
};

/// Of a whole step besides.
constexpr Counted counted_in_one_piece[] = {
    {"active_nodes", counter::active_nodes},
    {"massless", counter::massless},
    {"newton_iterations", counter::newton_iterations},
    {"gmres_iterations", counter::gmres_iterations},
    {"step_cuts", counter::step_cuts},
};

std::string report_of(std::string_view name) { return std::string("report ").append(name); }

}  // namespace

BOOST_AUTO_TEST_SUITE(crosscheck_disturbed_states)

BOOST_DATA_TEST_CASE(nothing_is_named_of_a_candidate_that_is_not_disturbed,
                     boost::unit_test::data::make(all_judged), judged) {
  const Case c = busy_case(judged);
  const auto states = states_of_a_step(c);
  for (const Spot& spot : spots(states)) {
    const Lockstep lockstep = judge_at(c, judged, spot, [](Snapshot&) {});
    BOOST_TEST(!lockstep.divergence.has_value(), spot.name());
    for (const Worst& worst : lockstep.worst) BOOST_TEST(worst.field.worst.ratio == 0.0);
  }
}

BOOST_DATA_TEST_CASE(a_node_too_few_or_too_many_is_named, boost::unit_test::data::make(all_judged), judged) {
  const Case c = busy_case(judged);
  const auto states = states_of_a_step(c);
  int tried = 0;
  for (const Spot& spot : spots(states)) {
    if (spot.handed->ids(Place::node).empty()) continue;
    ++tried;
    const std::size_t n = heaviest(*spot.handed);
    const Lockstep fewer = judge_at(c, judged, spot, [&](Snapshot& state) { remove_node(state, n); });
    must_name(fewer, spot.name(), field::m_i);
    BOOST_TEST(fewer.divergence->field.worst.id == spot.handed->ids(Place::node)[n]);
    BOOST_TEST(fewer.divergence->field.worst.got == 0.0);
    // No particle reaches the last corner of the grid: there is no mass at all to excuse.
    const std::int64_t far = c.scene.grid.node_id(c.scene.grid.cells[0], c.scene.grid.cells[1],
                                                  judged.dim > 2 ? c.scene.grid.cells[2] : 0);
    BOOST_REQUIRE(far > spot.handed->ids(Place::node).back());
    const Lockstep more = judge_at(c, judged, spot, [&](Snapshot& state) { add_node(state, far, 1e-30); });
    must_name(more, spot.name(), field::m_i);
    BOOST_TEST(more.divergence->field.worst.id == far);
    BOOST_TEST(more.divergence->field.worst.expected == 0.0);
  }
  BOOST_TEST(tried == 8);
}

BOOST_DATA_TEST_CASE(a_field_that_is_missing_or_of_another_shape_or_unit_is_named,
                     boost::unit_test::data::make(all_judged), judged) {
  const Case c = busy_case(judged);
  const auto states = states_of_a_step(c);
  for (const Spot& spot : spots(states)) {
    for (const Field& field : spot.handed->fields) {
      if (spot.loaded && field.name == field::plastic_case) continue;
      const auto named = [&](std::string_view name, const std::function<void(Snapshot&, Field&)>& change) {
        must_name(judge_at(c, judged, spot, [&](Snapshot& state) { change(state, state.get(field.name)); }),
                  spot.name(), name);
      };
      const auto changed = [&](const std::function<void(Snapshot&, Field&)>& change) {
        named(field.name, change);
      };
      changed([&](Snapshot& state, Field&) { state.erase(field.name); });
      named(of_other_length(field.name), [](Snapshot&, Field& f) { f.value.pop_back(); });
      named(of_other_length(field.name), [](Snapshot&, Field& f) { f.value.push_back(0.0); });
      changed([](Snapshot&, Field& f) { f.components *= 2; });
      changed([](Snapshot&, Field& f) { f.place = Place::scene; });
      changed([](Snapshot&, Field& f) { f.unit += " s"; });
    }
  }
}

BOOST_DATA_TEST_CASE(a_header_that_differs_is_named, boost::unit_test::data::make(all_judged), judged) {
  const Case c = busy_case(judged);
  const auto states = states_of_a_step(c);
  for (const Spot& spot : spots(states)) {
    const auto named = [&](std::string_view name, const std::function<void(Snapshot&)>& change) {
      must_name(judge_at(c, judged, spot, change), spot.name(), name);
    };
    named("boundary", [](Snapshot& s) { s.at = s.at == boundary::g2p ? boundary::update : boundary::g2p; });
    named("method", [](Snapshot& s) { s.method = "another"; });
    named("time", [](Snapshot& s) { s.time = std::nextafter(s.time, 1.0); });
    named("step", [](Snapshot& s) { s.step -= 1; });
    named("dt", [](Snapshot& s) { s.dt = std::nextafter(s.dt, 1.0); });
  }
}

BOOST_DATA_TEST_CASE(a_report_that_differs_is_named_at_its_stage, boost::unit_test::data::make(all_judged),
                     judged) {
  const Case c = busy_case(judged);
  const auto states = states_of_a_step(c);
  for (std::size_t i = 0; i + 1 < states.size(); ++i) {
    const Boundary to = states[i + 1].at;
    const auto named = [&](std::string_view name, const std::function<void(StepReport&)>& change) {
      must_name(judge(c, judged, states[i],
                      [&](Wrapper& w) { w.on_report = [&](Boundary, StepReport& r) { change(r); }; }),
                to, report_of(name));
    };
    for (const Counted& count : counts_of_report) {
      // Where rounding decides, counts may differ by as many ties: by more than there are particles they never may.
      named(count.name, [&](StepReport& r) { r.counts[count.row] += 1000; });
    }
    named("particles", [](StepReport& r) { r.particles += 1; });
    named("dt", [](StepReport& r) { r.dt = std::nextafter(r.dt, 1.0); });
    if (i == 0) {
      named("max_speed", [](StepReport& r) { r.max_speed *= 1.0 + 1e-5; });
      named("max_speed", [](StepReport& r) { r.max_speed = std::nan(""); });
    }
    if (to == boundary::p2g || to == boundary::forces)
      named("active_nodes", [](StepReport& r) { r.counts[counter::active_nodes] += 1; });
  }
}

BOOST_DATA_TEST_CASE(a_step_in_one_piece_that_differs_in_any_field_or_count_is_named,
                     boost::unit_test::data::make(all_judged), judged) {
  const Case c = busy_case(judged);
  const auto states = states_of_a_step(c);
  const auto spoiled_state = [&](const std::function<void(Snapshot&)>& change) {
    return judge(c, judged, states.front(), [&](Wrapper& w) {
      w.on_save = [&](Snapshot& state) {
        if (w.last == Wrapper::Last::advance) change(state);
      };
    });
  };
  // The start of the next step, whose fields are those of this one's.
  for (const Field& field : states.front().fields) {
    must_name(spoiled_state([&](Snapshot& s) { s.erase(field.name); }), "advance", field.name);
    must_name(spoiled_state([&](Snapshot& s) { s.get(field.name).value.pop_back(); }), "advance",
              of_other_length(field.name));
    for (int component = 0; component < field.components; ++component) {
      const std::size_t last = field.value.size() - static_cast<std::size_t>(field.components - component);
      const Lockstep bit = spoiled_state([&](Snapshot& s) {
        double& value = s.get(field.name).value[last];
        value = std::nextafter(value, 10.0);
      });
      must_name(bit, "advance", field.name);
      BOOST_TEST(bit.divergence->field.worst.component == component);
      BOOST_TEST(bit.divergence->field.worst.id == static_cast<std::int64_t>(c.start.particles()) - 1);
    }
  }
  must_name(spoiled_state([](Snapshot& s) {
              s.set({"native.more", "-", Place::particle, 1, {}});
            }),
            "advance", "native.more");
  must_name(spoiled_state([](Snapshot& s) { s.at = boundary::plasticity; }), "advance", "boundary");
  must_name(spoiled_state([](Snapshot& s) { s.time = std::nextafter(s.time, 1.0); }), "advance", "time");
  must_name(spoiled_state([](Snapshot& s) { s.step += 1; }), "advance", "step");
  must_name(spoiled_state([](Snapshot& s) { s.dt = 0.0; }), "advance", "dt");
  const auto spoiled_report = [&](const std::function<void(StepReport&)>& change) {
    return judge(c, judged, states.front(),
                 [&](Wrapper& w) { w.on_advance = [&](Solver&, StepReport& r) { change(r); }; });
  };
  const auto counts_named = [&](const Counted& count) {
    must_name(spoiled_report([&](StepReport& r) { r.counts[count.row] += 1; }), "advance",
              report_of(count.name));
  };
  for (const Counted& count : counts_of_report) counts_named(count);
  for (const Counted& count : counted_in_one_piece) counts_named(count);
  // The stages are run with the Δt of the report.
  must_name(spoiled_report([](StepReport& r) { r.dt = std::nextafter(r.dt, 0.0); }), "advance", "dt");
  must_name(spoiled_report([](StepReport& r) { r.max_speed = std::nextafter(r.max_speed, 0.0); }), "advance",
            "report max_speed");
}

BOOST_AUTO_TEST_CASE(a_momentum_that_may_be_absent_must_be_absent_from_all_states) {
  const Judged judged = all_judged[0];
  const Case c = busy_case(judged);
  const auto run = [&](const std::function<void(Wrapper&)>& spoil) {
    Wrapper candidate(make_reference_solver(c.scene));
    spoil(candidate);
    const auto reference = make_reference_solver(c.scene);
    return LockstepDriver(c.scene, candidate, *reference).run(states_of_a_step(c).front(), c.dt, 2);
  };
  const auto without_momentum = [](Boundary first) {
    return [first](Wrapper& w) {
      w.listed = {boundary::step_start, boundary::forces, boundary::friction, boundary::plasticity};
      w.on_save = [&w, first](Snapshot& state) {
        if (first.empty() || (w.last == Wrapper::Last::run && state.at == first)) state.erase(field::p_i);
      };
    };
  };
  BOOST_TEST(!run(without_momentum("")).divergence.has_value());
  must_name(run(without_momentum(boundary::friction)), boundary::friction, field::p_i);
}

BOOST_AUTO_TEST_SUITE_END()
