#include "reference/physics/drag.h"

namespace repose {

double drag_rate(double c_E, double m_s, double m_w) { return c_E * (m_s + m_w); }

double drag_rate_of_volume(double kappa, double volume, double m_s, double m_w) {
  // Quotient by quotient: the product of two masses on the rim of a body may be zero.
  return kappa * volume / m_s + kappa * volume / m_w;
}

template <int d>
Vec<d> drag_impulse(double m_s, const Vec<d>& v_s, double m_w, const Vec<d>& v_w, double rate, double dt) {
  const double r_dt = rate * dt;
  if (r_dt == 0.0) return Vec<d>::Zero();
  const double reduced = m_s * (m_w / (m_s + m_w));
  const double closed = 1.0 / (1.0 + 1.0 / r_dt);  // r Δt/(1 + r Δt), also where r is infinite
  return reduced * closed * (v_s - v_w);           // [Tam17 Eq.20]
}

template Vec<2> drag_impulse<2>(double, const Vec<2>&, double, const Vec<2>&, double, double);
template Vec<3> drag_impulse<3>(double, const Vec<3>&, double, const Vec<3>&, double, double);

}  // namespace repose
