#include "validation/crosscheck/mpm/exact_vectors.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/mpm/case_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::crosscheck {

namespace {

constexpr double spacing = 0.125;

/// A multiple of 1/4 in [−2, 2].
double quarter(Random& random) { return std::floor(random.between(-8.0, 9.0)) / 4.0; }

bool keeps(const Solver& solver, std::string_view boundary) {
  const auto list = solver.boundaries();
  return std::find(list.begin(), list.end(), boundary) != list.end();
}

/// Whether every partial sum of a field is a multiple of `unit` that a float holds.
bool fits_a_float(const Solver& reference, std::string_view name, double unit) {
  const Sums sums = reference.sums(name);
  return std::all_of(sums.magnitude.begin(), sums.magnitude.end(),
                     [&](double magnitude) { return magnitude / unit < 0x1p24; });
}

/// Value by value, 0 and −0 alike: the sign of an empty sum depends on its order.
void demand_same_values(const Snapshot& expected, const Snapshot& got, std::string_view wanted,
                        std::string_view has, CaseReport& report) {
  if (report.verdict == Verdict::differs) return;
  FieldBound exact{.field = std::string(wanted), .bound = {}};
  exact.bound.resize(expected.get(wanted).value.size());
  Scene scene;
  scene.grid.dim = report.setup.dim;
  scene.grid.h = spacing;
  Snapshot renamed = got;
  if (has != wanted)
    if (const Field* field = got.find(has)) {
      Field copy = *field;
      copy.name = std::string(wanted);
      renamed.set(copy);
    }
  const FieldResult field =
      compare_field(scene, expected, renamed, exact, [&](std::int64_t, std::string_view) {
        return std::vector<Bound>(static_cast<std::size_t>(expected.get(wanted).components));
      });
  report.verdict = field.passes() ? Verdict::pass : Verdict::differs;
  report.lockstep.worst.push_back({std::string(expected.at), field});
  if (field.passes()) return;
  Divergence divergence;
  divergence.stage = std::string(expected.at);
  divergence.field = field;
  divergence.message = "must be exact";
  report.lockstep.divergence = divergence;
}

void mistrust(CaseReport& report, std::string_view name) {
  report.verdict = Verdict::mistrusted;
  report.shortfalls.push_back(fmt::format("the sums of {} need more digits than a float has", name));
}

}  // namespace

Case exact_particles(const Setup& setup) {
  Case c;
  c.setup = setup;
  c.scenario = "exact";
  c.scene.title = "exact";
  Grid& grid = c.scene.grid;
  grid.dim = setup.dim;
  grid.h = spacing;
  grid.domain_min = Point(-0.5, -0.25, setup.dim > 2 ? -0.5 : 0.0);
  grid.cells = {8, 8, setup.dim > 2 ? 8 : 1};
  c.scene.scheme = MpmOptions{.kernel = Kernel::quadratic, .transfer = transfer_of(setup), .flip_share = 0.5};
  Material soft;
  soft.name = "sand";
  soft.density = 1.0;
  soft.youngs_modulus = 1.0;
  soft.poisson_ratio = 0.25;
  c.scene.materials = {soft};
  c.dt = 0.0078125;
  Random random(11);
  std::vector<Point> places;
  for (int n = 0; n < 100; ++n) {
    Point x = Point::Zero();
    for (int a = 0; a < setup.dim; ++a)
      x[a] = grid.domain_min[a] + spacing * (1.0 + std::floor(random.between(0.0, 20.0)) / 4.0);
    places.push_back(x);
  }
  place_alike(c, places, 1.0);
  for (std::size_t p = 0; p < places.size(); ++p) {
    c.start.get(field::mass).value[p] = random.unit() < 0.5 ? 1.0 : 2.0;
    c.start.get(field::volume).value[p] = std::ldexp(1.0, static_cast<int>(p % 3) - 1);
    Point v = Point::Zero();
    Tensor C = Tensor::Zero();
    for (int a = 0; a < setup.dim; ++a) {
      v[a] = quarter(random);
      for (int b = 0; b < setup.dim; ++b) C(a, b) = std::floor(random.between(-1.0, 2.0)) / spacing;
    }
    set_motion(c, p, v, C);
  }
  return c;
}

Snapshot exact_nodes(const Case& c) {
  Snapshot s = c.start;
  s.at = boundary::friction;
  s.dt = c.dt;
  const Grid& grid = c.scene.grid;
  const int dim = grid.dim;
  std::int64_t count = 1;
  for (int axis = 0; axis < 3; ++axis) count *= grid.nodes(axis);
  Random random(12);
  const auto vector_field = [&](std::string_view name) {
    return Field{std::string(name), "kg m/s", Place::node, dim, {}};
  };
  Field mass{std::string(field::m_i), "kg", Place::node, 1, {}};
  std::vector<Field> momenta{vector_field(field::p_i), vector_field(field::p_star),
                             vector_field(field::p_bar), vector_field(field::p_tilde)};
  for (std::int64_t id = 0; id < count; ++id) {
    s.ids(Place::node).push_back(id);
    const double m = std::ldexp(1.0, static_cast<int>(random.between(0.0, 3.0)));
    mass.value.push_back(m);
    for (Field& momentum : momenta)
      for (int a = 0; a < dim; ++a) momentum.value.push_back(m * quarter(random));
  }
  s.set(mass);
  for (Field& momentum : momenta) s.set(momentum);
  return s;
}

void judge_exact_p2g(const Setup& setup, const Factory& candidate, const Factory& reference,
                     std::string_view simd, CaseReport& report) {
  const Case c = exact_particles(setup);
  const auto fast = candidate(c.scene, options_of(setup, simd));
  const auto readable = reference(c.scene, SolverOptions{});
  report.candidate = std::string(fast->name());
  readable->load(c.start);
  readable->run(boundary::step_start, boundary::p2g, 0.0);
  // Weights are multiples of 2^(−5d), v + C Δx of 1/4.
  const double weight_unit = std::ldexp(1.0, -5 * setup.dim);
  if (!fits_a_float(*readable, field::m_i, weight_unit)) return mistrust(report, field::m_i);
  if (!fits_a_float(*readable, field::p_i, weight_unit / 4.0)) return mistrust(report, field::p_i);
  const bool apart = keeps(*fast, boundary::p2g);
  const Boundary to = apart ? boundary::p2g : fast->boundaries()[1];
  fast->load(c.start);
  fast->run(boundary::step_start, to, 0.0);
  const Snapshot got = fast->save(to, false);
  const Snapshot expected = readable->save(boundary::p2g, false);
  demand_same_values(expected, got, field::m_i, field::m_i, report);
  demand_same_values(expected, got, field::p_i, apart ? field::p_i : field::p_star, report);
}

void judge_exact_g2p(const Setup& setup, const Factory& candidate, const Factory& reference,
                     std::string_view simd, CaseReport& report) {
  const Case c = exact_particles(setup);
  const Snapshot nodes = exact_nodes(c);
  const auto fast = candidate(c.scene, options_of(setup, simd));
  const auto readable = reference(c.scene, SolverOptions{});
  report.candidate = std::string(fast->name());
  if (!keeps(*fast, boundary::friction) || !keeps(*fast, boundary::g2p)) {
    report.verdict = Verdict::mistrusted;
    report.shortfalls.emplace_back("the candidate has no boundaries friction and g2p");
    return;
  }
  readable->load(nodes);
  readable->run(boundary::friction, boundary::g2p, c.dt);
  const double weight_unit = std::ldexp(1.0, -5 * setup.dim);
  // A blend halves once more, offsets come in quarters of h, 1/D = 4/h².
  if (!fits_a_float(*readable, field::v_bar, weight_unit / 4.0)) return mistrust(report, field::v_bar);
  if (!fits_a_float(*readable, field::v, weight_unit / 8.0)) return mistrust(report, field::v);
  if (!fits_a_float(*readable, field::grad_v, weight_unit / 4.0 / spacing))
    return mistrust(report, field::grad_v);
  if (transfer_of(setup) == Transfer::apic && !fits_a_float(*readable, field::C, weight_unit / 4.0 / spacing))
    return mistrust(report, field::C);
  fast->load(nodes);
  fast->run(boundary::friction, boundary::g2p, c.dt);
  const Snapshot got = fast->save(boundary::g2p, false);
  const Snapshot expected = readable->save(boundary::g2p, false);
  for (const std::string_view name : {field::v_bar, field::grad_v, field::v, field::C})
    demand_same_values(expected, got, name, name, report);
}

}  // namespace repose::crosscheck
