#include "validation/faults/mpm/model.h"

#include "reference/interface/base/symmetric_eigen.h"
#include "reference/interface/methods/mpm.h"
#include "validation/faults/mpm/model_stages.h"

namespace repose::faults {

template <class Real>
Principal<Real> principal(const Matrix<Real>& F) {
  const Matrix<Real> b = F * F.transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix<Real>> eigen(b);
  return {Vector<Real>(Real(0.5) * eigen.eigenvalues().array().log()), eigen.eigenvectors()};
}

template <class Real>
void run_stage(const Scene& scene, Mistake mistake, double dt, Snapshot& state) {
  state.dt = dt;
  if (state.at == boundary::step_start) {
    model_p2g<Real>(scene, mistake, state);
    state.at = boundary::p2g;
  } else if (state.at == boundary::p2g) {
    model_forces<Real>(scene, mistake, dt, state);
    state.at = boundary::forces;
  } else if (state.at == boundary::forces) {
    model_collisions<Real>(scene, mistake, dt, state);
    state.at = boundary::collisions;
  } else if (state.at == boundary::collisions) {
    model_friction<Real>(scene, mistake, dt, state);
    state.at = boundary::friction;
  } else if (state.at == boundary::friction) {
    model_g2p<Real>(scene, mistake, state);
    state.at = boundary::g2p;
  } else if (state.at == boundary::g2p) {
    model_update<Real>(scene, mistake, dt, state);
    state.at = boundary::update;
  } else {
    model_plasticity<Real>(scene, mistake, state);
    state.at = boundary::plasticity;
  }
}

template Principal<float> principal<float>(const Matrix<float>&);
template Principal<double> principal<double>(const Matrix<double>&);
template void run_stage<float>(const Scene&, Mistake, double, Snapshot&);
template void run_stage<double>(const Scene&, Mistake, double, Snapshot&);

}  // namespace repose::faults
