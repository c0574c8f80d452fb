#include "reference/mpm/sums.h"

#include "reference/interface/methods/mpm.h"
#include "reference/mpm/sums_of_nodes.h"
#include "reference/mpm/sums_of_particles.h"

#include <fmt/format.h>

#include <stdexcept>

namespace repose {

Boundary boundary_of(std::string_view field) {
  const method::FieldRow* const row = find_field(method::mpm, field);
  if (row == nullptr || made_by(*row) == boundary::step_start || field == field::plastic_case)
    throw std::logic_error(fmt::format("the field '{}' is not computed as a sum", field));
  return made_by(*row);
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
