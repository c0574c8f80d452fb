#pragma once

#include "reference/mpm/implicit_contacts.h"

#include <Eigen/Core>

#include <cmath>
#include <vector>

namespace repose {

/// Variables √m v, in which ‖·‖² is a kinetic energy and nodes of little mass do not dominate. Both ways are T/√m, T what a
/// node's bodies leave free.
template <int d>
class RootMass {
 public:
  /// @param system its nodes() and their mass()
  template <class System>
  explicit RootMass(const System& system) {
    for (std::size_t i = 0; i < system.nodes(); ++i) root_mass_.push_back(std::sqrt(system.mass(i)));
  }

  void linearize(const std::vector<NodeBodies<d>>&) {}
  Eigen::VectorXd velocity(const std::vector<NodeBodies<d>>& bodies, const Eigen::VectorXd& y) const {
    return reduced(bodies, y);
  }
  Eigen::VectorXd reduced(const std::vector<NodeBodies<d>>& bodies, const Eigen::VectorXd& r) const {
    Eigen::VectorXd result(r.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(d * i);
      result.segment<d>(at) = bodies[i].free_part(r.segment<d>(at)) / root_mass_[i];
    }
    return result;
  }

 private:
  std::vector<double> root_mass_;  ///< [√kg]
};

}  // namespace repose
