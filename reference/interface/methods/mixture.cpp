#include "reference/interface/methods/mixture.h"

#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/methods/mixture_probes.h"
#include "reference/interface/methods/mixture_state_check.h"
#include "reference/interface/methods/mpm_words.h"

#include <fmt/format.h>

#include <iterator>

namespace repose::mixture {

namespace {

using namespace boundary;
using method::CounterRow;
using method::FieldRow;
using method::Kind;
using method::ProbeRow;
using method::Rest;
using method::Shape;
using method::StageRow;
constexpr Place particle = Place::particle, node = Place::node;
constexpr Shape scalar = Shape::scalar, vector = Shape::vector, tensor = Shape::tensor;
constexpr Rest given = Rest::given, zero = Rest::zero;
constexpr std::string_view momentum = "kg m/s";

constexpr StageRow stages[] = {
    {p2g, Kind::computed, "Tam17 §4.1", {}},
    {forces, Kind::computed, "Tam17 §4.2", {Integrator::explicit_}},
    {drag, Kind::computed, "Tam17 §3.3", {Integrator::explicit_}},
    {collisions, Kind::computed, "Klar16 §8", {Integrator::explicit_}},
    {collisions, Kind::solved, "Tam17 §4.2; Klar16 §8", {Integrator::semi_implicit}},
    {friction, Kind::computed, "Klar16 §8.1", {}},
    {g2p, Kind::computed, "Klar16 §5.3", {}},
    {update, Kind::computed, "Tam17 §4.3.1, §4.3.2", {}},
    {saturation, Kind::decided, "Tam17 §4.3.3", {}},
    {plasticity, Kind::computed, "Tam17 §4.3.4", {}},
};

// clang-format off
constexpr FieldRow fields[] = {
    // name               of        unit      shape   at rest         made        held        made again
    {field::mass,         particle, "kg",     scalar, given,          step_start, plasticity, {}},
    {field::volume,       particle, "m^d",    scalar, given,          step_start, plasticity, {}},
    {field::material,     particle, "-",      scalar, given,          step_start, plasticity, {}},
    {field::m_i,          node,     "kg",     scalar, given,          p2g,        saturation, {}},
    {field::m_i_w,        node,     "kg",     scalar, given,          p2g,        saturation, {}},
    {field::p_i,          node,     momentum, vector, given,          p2g,        friction,   {}},
    {field::p_i_w,        node,     momentum, vector, given,          p2g,        friction,   {}},
    {field::reversible,   node,     momentum, vector, given,          forces,     friction,   {}},
    {field::p_star,       node,     momentum, vector, given,          forces,     friction,   {}},
    {field::p_star_w,     node,     momentum, vector, given,          forces,     friction,   {}},
    {field::p_drag,       node,     momentum, vector, given,          drag,       friction,   {}},
    {field::p_drag_w,     node,     momentum, vector, given,          drag,       friction,   {}},
    {field::p_bar,        node,     momentum, vector, given,          collisions, friction,   {}},
    {field::p_bar_w,      node,     momentum, vector, given,          collisions, friction,   {}},
    {field::p_tilde,      node,     momentum, vector, given,          friction,   friction,   {}},
    {field::p_tilde_w,    node,     momentum, vector, given,          friction,   friction,   {}},
    {field::v_bar,        particle, "m/s",    vector, given,          g2p,        g2p,        {}},
    {field::grad_v,       particle, "1/s",    tensor, given,          g2p,        g2p,        {}},
    {field::v,            particle, "m/s",    vector, zero,           step_start, plasticity, g2p},
    {field::C,            particle, "1/s",    tensor, zero,           step_start, plasticity, g2p},
    {field::x_n,          particle, "m",      vector, given,          update,     update,     {}},
    {field::x,            particle, "m",      vector, given,          step_start, plasticity, update},
    {field::F_trial,      particle, "-",      tensor, given,          update,     saturation, {}},
    {field::J,            particle, "-",      scalar, Rest::one,      step_start, plasticity, update},
    {field::phi_i,        node,     "-",      scalar, given,          saturation, saturation, {}},
    {field::phi_p,        particle, "-",      scalar, given,          saturation, plasticity, {}},
    {field::c_C,          particle, "Pa",     scalar, given,          step_start, plasticity, saturation},
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
    {"wet_nodes", true},
    {"dragged_nodes", true},
};
// clang-format on
static_assert(std::size(counters) == counter::dragged_nodes + 1 && std::size(counters) <= Counts::room);

constexpr ProbeRow asked[] = {
    {probes::impulses_at, p2g, p2g, collisions, false},
    {probes::impulse_change, p2g, p2g, collisions, true},
    {probes::drag_impulse, p2g, p2g, collisions, true},
    {probes::reversible, p2g, p2g, collisions, false},
};

std::string describe(const Counts& n, std::uint64_t particle_steps) {
  return method::describe_steps(n, particle_steps) +
         fmt::format("at most {} nodes of wet sand, {} with drag\n", n[counter::wet_nodes],
                     n[counter::dragged_nodes]);
}

}  // namespace

}  // namespace repose::mixture

namespace repose::method {

const Method mixture{.name = "mixture",
                     .options = MixtureOptions::table,
                     .stages = repose::mixture::stages,
                     .fields = repose::mixture::fields,
                     .counters = repose::mixture::counters,
                     .probes = repose::mixture::asked,
                     .check = check_mixture_state,
                     .describe = repose::mixture::describe};

}  // namespace repose::method
