#include "reference/mpm/sums.h"

#include "reference/mpm/sums_of_nodes.h"
#include "reference/mpm/sums_of_particles.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

namespace repose {

Boundary boundary_of(std::string_view field) {
  constexpr std::array<std::pair<std::string_view, Boundary>, 14> made_by{{
      {field::m_i, boundary::p2g},
      {field::p_i, boundary::p2g},
      {field::p_star, boundary::forces},
      {field::p_bar, boundary::collisions},
      {field::p_tilde, boundary::friction},
      {field::v, boundary::g2p},
      {field::C, boundary::g2p},
      {field::v_bar, boundary::g2p},
      {field::grad_v, boundary::g2p},
      {field::x, boundary::update},
      {field::F_trial, boundary::update},
      {field::F, boundary::plasticity},
      {field::q, boundary::plasticity},
      {field::v_c, boundary::plasticity},
  }};
  for (const auto& [name, end] : made_by) {
    if (name == field) return end;
  }
  throw std::logic_error(fmt::format("the field '{}' is not computed as a sum", field));
}

template <int d>
Sums field_sums(const State<d>& before, const StepContext& step, std::string_view field) {
  const Boundary end = boundary_of(field);
  if (field == field::m_i || field == field::p_i)
    return sums_of_transfer<d>(before, step, field == field::p_i);
  if (end == boundary::forces) return sums_of_forces<d>(before, step);
  if (end == boundary::collisions || end == boundary::friction) {
    return sums_of_contacts<d>(before, step, end == boundary::friction);
  }
  if (end == boundary::g2p) return sums_of_gathering<d>(before, step, field);
  if (end == boundary::update) return sums_of_update<d>(before, step, field);
  return sums_of_plasticity<d>(before, step, field);
}

template Sums field_sums<2>(const State<2>&, const StepContext&, std::string_view);
template Sums field_sums<3>(const State<3>&, const StepContext&, std::string_view);

}  // namespace repose
