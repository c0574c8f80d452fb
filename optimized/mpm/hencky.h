#pragma once

#include "reference/interface/base/types.h"

namespace repose::optimized {

/// ε = ½ ln F Fᵀ of a deformation gradient, without loss of digits where F is close to 1. Not finite where F is singular.
template <int dim>
Mat<dim> hencky_strain(const Mat<dim>& F);

/// √b = exp ε, the symmetric deformation gradient of a strain.
template <int dim>
Mat<dim> left_stretch(const Mat<dim>& strain);

}  // namespace repose::optimized
