#include "reference/physics/saturation.h"

#include <algorithm>

namespace repose {

bool is_wet(double m_s, double m_w, double least) { return m_s > least && m_w > least; }

double saturation(double sum_of_weights) { return std::clamp(sum_of_weights, 0.0, 1.0); }  // [Tam17 Eq.24]

double cohesion_of_wet(double dry, double phi, Softening softening) {
  switch (softening) {
    case Softening::none:
      break;
    case Softening::linear:
      return dry * (1.0 - phi);  // [Tam17 Eq.25]
    case Softening::beyond_two_fifths:
      return dry * std::min(1.0, (1.0 - phi) / 0.6);  // [Tam17 §3.4]
  }
  return dry;
}

double reversible_share(ReversibleTerm term, double m_s, double m_w, double V_s, double V_w) {
  if (!(m_s > 0.0 && m_w > 0.0)) return 0.0;
  switch (term) {
    case ReversibleTerm::none:
      break;
    case ReversibleTerm::mass:
      return m_s / (m_s + m_w);
    case ReversibleTerm::volume:
      return V_s + V_w > 0.0 ? V_s / (V_s + V_w) : 0.0;
    case ReversibleTerm::printed:
      return m_w / (m_s + m_w);  // [Tam17 §5.3]
  }
  return 0.0;
}

}  // namespace repose
