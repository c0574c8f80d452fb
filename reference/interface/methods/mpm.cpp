#include "reference/interface/methods/mpm.h"

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/methods/mpm_state_check.h"

namespace repose::method {

namespace {

using namespace boundary;
constexpr Place particle = Place::particle, node = Place::node;
constexpr Shape scalar = Shape::scalar, vector = Shape::vector, tensor = Shape::tensor;
constexpr Rest given = Rest::given, zero = Rest::zero;
constexpr std::string_view momentum = "kg m/s";

constexpr StageRow stages[] = {
    {p2g, Kind::computed, "Klar16 §5.1", {}},
    {forces, Kind::computed, "Klar16 §5.2, §6", Integrator::explicit_},
    {collisions, Kind::computed, "Klar16 §8", Integrator::explicit_},
    {collisions, Kind::solved, "Klar16 §5.6, §8", Integrator::implicit_},
    {friction, Kind::computed, "Klar16 §8.1", {}},
    {g2p, Kind::computed, "Klar16 §5.3", {}},
    {update, Kind::computed, "Klar16 §5.4", {}},
    {plasticity, Kind::computed, "Klar16 §5.5, §7", {}},
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
    {field::F,            particle, "-",      tensor, Rest::identity, step_start, g2p,        plasticity},
    {field::q,            particle, "-",      scalar, zero,           step_start, plasticity, plasticity},
    {field::v_c,          particle, "-",      scalar, zero,           step_start, plasticity, plasticity},
    {field::plastic_case, particle, "-",      scalar, given,          plasticity, plasticity, {}},
};

constexpr CounterRow counters[] = {
    {"active_nodes",      &StepReport::active_nodes, true},
    {"inside",            &StepReport::inside},
    {"tip",               &StepReport::tip},
    {"surface",           &StepReport::surface},
    {"contacts",          &StepReport::contacts},
    {"sticking",          &StepReport::sticking},
    {"sliding",           &StepReport::sliding},
    {"massless",          &StepReport::massless},
    {"newton_iterations", &StepReport::newton_iterations},
    {"gmres_iterations",  &StepReport::gmres_iterations},
    {"step_cuts",         &StepReport::step_cuts},
};
// clang-format on

constexpr ProbeRow probes[] = {
    {"impulses_at", p2g, p2g, collisions, false},
    {"impulse_change", p2g, p2g, collisions, true},
    {"solve_history", p2g, p2g, collisions, false},
};

}  // namespace

const Method mpm{"mpm", MpmOptions::table, stages, fields, counters, probes, check_mpm_state};

}  // namespace repose::method
