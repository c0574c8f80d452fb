#include "reference/interface/methods/mpm.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/methods/mpm_probes.h"
#include "reference/interface/methods/mpm_state_check.h"
#include "reference/interface/methods/mpm_words.h"

#include <fmt/format.h>

#include <iterator>

namespace repose::method {

namespace {

using namespace boundary;
constexpr Place particle = Place::particle, node = Place::node;
constexpr Shape scalar = Shape::scalar, vector = Shape::vector, tensor = Shape::tensor;
constexpr Rest given = Rest::given, zero = Rest::zero;
constexpr std::string_view momentum = "kg m/s";

constexpr StageRow stages[] = {
    {p2g, Kind::computed, "Klar16 §5.1"},
    {forces, Kind::computed, "Klar16 §5.2, §6", {Integrator::explicit_}},
    {collisions, Kind::computed, "Klar16 §8", {Integrator::explicit_}},
    {collisions,
     Kind::solved,
     "Klar16 §5.6, §8; Tam17 §4.2",
     {Integrator::semi_implicit, Integrator::implicit_}},
    {friction, Kind::computed, "Klar16 §8.1"},
    {g2p, Kind::computed, "Klar16 §5.3"},
    {update, Kind::computed, "Klar16 §5.4"},
    {plasticity, Kind::computed, "Klar16 §5.5, §7"},
};

// clang-format off
constexpr FieldRow fields[] = {
    // name               of        unit      shape   at rest         made        held        made again
    {field::mass,         particle, "kg",     scalar, given,          step_start, plasticity, {}},
    {field::volume,       particle, "m^d",    scalar, given,          step_start, plasticity, {}},
    {field::material,     particle, "-",      scalar, given,          step_start, plasticity, {}},
    {field::m_i,          node,     "kg",     scalar, given,          p2g,        friction,   {}},
    {field::p_i,          node,     momentum, vector, given,          p2g,        friction,   {}},
    {field::p_star,       node,     momentum, vector, given,          forces,     friction,   {}},
    {field::p_bar,        node,     momentum, vector, given,          collisions, friction,   {}},
    {field::p_tilde,      node,     momentum, vector, given,          friction,   friction,   {}},
    {field::v_bar,        particle, "m/s",    vector, given,          g2p,        g2p,        {}},
    {field::grad_v,       particle, "1/s",    tensor, given,          g2p,        g2p,        {}},
    {field::v,            particle, "m/s",    vector, zero,           step_start, plasticity, g2p},
    {field::C,            particle, "1/s",    tensor, zero,           step_start, plasticity, g2p},
    {field::x,            particle, "m",      vector, given,          step_start, plasticity, update},
    {field::F_trial,      particle, "-",      tensor, given,          update,     update,     {}},
    {field::J,            particle, "-",      scalar, Rest::one,      step_start, plasticity, update},
    {field::F,            particle, "-",      tensor, Rest::identity, step_start, g2p,        plasticity},
    {field::q,            particle, "-",      scalar, zero,           step_start, plasticity, plasticity},
    {field::v_c,          particle, "-",      scalar, zero,           step_start, plasticity, plasticity},
    {field::plastic_case, particle, "-",      scalar, given,          plasticity, plasticity, {}},
};

constexpr CounterRow counters[] = {
    {"active_nodes", true},
    {"inside"},
    {"tip"},
    {"surface"},
    {"contacts"},
    {"sticking"},
    {"sliding"},
    {"massless"},
    {"newton_iterations"},
    {"gmres_iterations"},
    {"step_cuts"},
    {"unconverged"},
};
// clang-format on
static_assert(std::size(counters) == counter::unconverged + 1 && std::size(counters) <= Counts::room);

constexpr ProbeRow asked[] = {
    {probes::impulses_at, p2g, p2g, collisions, false},
    {probes::impulse_change, p2g, p2g, collisions, true},
};

}  // namespace

std::string describe_steps(const Counts& n, std::uint64_t particle_steps) {
  const auto share = [&](std::uint64_t count) {
    return particle_steps == 0 ? 0.0
                               : 100.0 * static_cast<double>(count) / static_cast<double>(particle_steps);
  };
  std::string text = fmt::format(
      "particle-steps: {:.1f} % inside the cone, {:.1f} % at its tip, {:.1f} % on its surface\n"
      "contacts {}, of these stopped by friction {}, slowed {}; forces on massless nodes dropped {}\n",
      share(n[counter::inside]), share(n[counter::tip]), share(n[counter::surface]), n[counter::contacts],
      n[counter::sticking], n[counter::sliding], n[counter::massless]);
  if (n[counter::newton_iterations] > 0 || n[counter::step_cuts] > 0)
    text += fmt::format(
        "implicit solves: {} Newton iterations, {} of GMRES or MINRES; Δt halved {} times after solves that "
        "failed\n",
        n[counter::newton_iterations], n[counter::gmres_iterations], n[counter::step_cuts]);
  if (n[counter::unconverged] > 0)
    text += fmt::format("{} solves kept that left more than their tolerance\n", n[counter::unconverged]);
  return text;
}

const Method mpm{"mpm", MpmOptions::table, stages, fields, counters, asked, check_mpm_state, describe_steps};

}  // namespace repose::method
