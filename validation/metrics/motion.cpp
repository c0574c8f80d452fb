#include "validation/metrics/motion.h"

#include "reference/interface/methods/mpm.h"
#include "validation/metrics/extremes.h"

#include <Eigen/LU>

#include <cmath>

namespace repose::metrics {

namespace {

template <int d>
Motion sum_particles(const Snapshot& snapshot) {
  const auto& mass = snapshot.get(field::mass).value;
  const auto& volume = snapshot.get(field::volume).value;
  const auto& x = snapshot.get(field::x).value;
  const auto& v = snapshot.get(field::v).value;
  const auto& deformation = snapshot.get(field::F).value;
  const Field* const J = snapshot.find(field::J);
  Motion sum;
  for (std::size_t p = 0; p < mass.size(); ++p) {
    const Vec<d> x_p = Eigen::Map<const Vec<d>>(&x[p * d]);
    const Vec<d> v_p = Eigen::Map<const Vec<d>>(&v[p * d]);
    const Mat<d> F_p =
        Eigen::Map<const Mat<d>>(&deformation[p * d * d]);  // read transposed: the same determinant
    sum.mass += mass[p];
    sum.volume += volume[p] * F_p.determinant() * (J == nullptr ? 1.0 : J->value[p]);
    sum.centre.head<d>() += mass[p] * x_p;
    sum.momentum.head<d>() += mass[p] * v_p;
    sum.kinetic_energy += 0.5 * mass[p] * v_p.squaredNorm();
    sum.max_speed = larger(sum.max_speed, v_p.norm());
  }
  if (sum.mass > 0.0) sum.centre /= sum.mass;
  return sum;
}

}  // namespace

Motion motion(const Snapshot& snapshot, int dim) {
  return dim == 2 ? sum_particles<2>(snapshot) : sum_particles<3>(snapshot);
}

bool RestCriterion::update(double time, const Motion& motion) {
  if (motion.kinetic_energy > energy_per_mass_ * motion.mass) {
    rest_since_ = -1.0;
    return false;
  }
  if (rest_since_ < 0.0) rest_since_ = time;
  return time - rest_since_ >= hold_;
}

}  // namespace repose::metrics
