#pragma once

#include <cstddef>
#include <string_view>

namespace repose::optimized {

/// The vector maths of one instruction set as plain functions over arrays, for tests and benchmarks of its accuracy and
/// speed. The kernels call the same code, inlined.
template <class T>
struct Probe {
  /// `count` symmetric tensors (xx yy zz xy xz yz; 2D: xx yy xy), one after the other.
  using Tensors = void (*)(const T* in, std::size_t count, T* out);
  std::string_view name;
  Tensors half_log1p[2] = {};  ///< [dim − 2]: ½ ln(1 + X)
  Tensors expm1[2] = {};       ///< exp(X) − 1
  Tensors decompose[2] = {};   ///< d eigenvalues and d² eigenvector components [row][k] per tensor
  Tensors log1p = nullptr;     ///< ln(1 + x) of numbers
  Tensors scalar_expm1 = nullptr;
  Tensors exp = nullptr;
  Tensors acute_sine = nullptr;
  /// Per offset: w, d, g of the K nodes, four each (the fourth of the quadratic kernel zero).
  Tensors weights[2] = {};  ///< [K − 3]
};

/// @throws BadInput if the instruction set is not there
template <class T>
const Probe<T>& probe(std::string_view name);

}  // namespace repose::optimized
