#include "validation/exact/mpm/sand_column.h"

#include "validation/mechanics/unilateral.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace repose::exact {

namespace {

/// W(z), z ≥ 0, by Newton's method from above: W e^W − z is convex and grows.
double lambert(double z) {
  double w = z;
  for (int n = 0; n < 50; ++n) w -= (w - z * std::exp(-w)) / (1.0 + w);
  return w;
}

/// −τ_yy/F_yy of the unilateral energy in uniaxial compression by e [Pa].
double borne(const Material& sand, int dim, double e) {
  Eigen::Vector3d eps = Eigen::Vector3d::Zero();
  eps.y() = -e;
  Eigen::Vector3d in = Eigen::Vector3d::Ones();
  if (dim < 3) in.z() = 0.0;
  const Lame moduli = lame(sand);
  const double psi = (moduli.mu + 0.5 * moduli.lambda) * e * e;
  const Eigen::Vector3d tau = 2.0 * moduli.mu * eps - moduli.lambda * e * in;
  const auto response =
      mechanics::unilateral_response<double, 3>(sand.unilateral.value(), 0.0, eps, in, psi, tau, {});
  return -response.tau.y() * std::exp(e);
}

}  // namespace

double SandColumn::stiffness() const { return lame(sand).lambda + 2.0 * lame(sand).mu; }
double SandColumn::load(double Y) const { return sand.density * gravity * (height - Y) / stiffness(); }
double SandColumn::F(double Y) const { return std::exp(-lambert(load(Y))); }

double SandColumn::y(double Y) const {
  const auto G = [](double w) { return w + 0.5 * w * w; };
  return stiffness() / (sand.density * gravity) * (G(lambert(load(0.0))) - G(lambert(load(Y))));
}

double SandColumn::settled_alike_below(int dim) const {
  if (!sand.unilateral) throw std::logic_error("a sand without unilateral energy");
  // Where the multiplier falls: strains of the size of a and b, looked at a thousand times.
  const double end =
      4.0 * std::abs(sand.unilateral->a) * sand.unilateral->strain_unit * std::sqrt(static_cast<double>(dim));
  double most = 0.0;
  for (int n = 1; n <= 1000; ++n) {
    const double e = end * n / 1000.0;
    const double here = borne(sand, dim, e);
    if (here > stiffness() * e * std::exp(e) * (1.0 + 1e-12)) most = std::max(most, here);
  }
  return height - most / (sand.density * gravity);
}

}  // namespace repose::exact
