#pragma once

#include "reference/interface/base/types.h"
#include "reference/interface/scene/materials.h"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <array>
#include <cstddef>

namespace repose::test {

/// Fifty decimal digits: central differences with a step of 1e-15 keep thirty of them.
using Big = boost::multiprecision::number<boost::multiprecision::cpp_bin_float_50::backend_type,
                                          boost::multiprecision::et_off>;

template <std::size_t d>
using BigMat = std::array<std::array<Big, d>, d>;

template <int d>
BigMat<static_cast<std::size_t>(d)> widen(const Mat<d>& M) {
  BigMat<static_cast<std::size_t>(d)> wide;
  for (int a = 0; a < d; ++a)
    for (int b = 0; b < d; ++b) wide[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = M(a, b);
  return wide;
}

template <std::size_t d>
BigMat<d> multiply(const BigMat<d>& A, const BigMat<d>& B) {
  BigMat<d> C{};
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b < d; ++b)
      for (std::size_t c = 0; c < d; ++c) C[a][b] += A[a][c] * B[c][b];
  return C;
}

/// Eigenvalues of a symmetric matrix by Jacobi rotations; no singular value decomposition is involved.
template <std::size_t d>
std::array<Big, d> eigenvalues(BigMat<d> S) {
  for (int sweep = 0; sweep < 20; ++sweep) {
    for (std::size_t p = 0; p < d; ++p) {
      for (std::size_t q = p + 1; q < d; ++q) {
        if (S[p][q] == 0) continue;
        const Big theta = (S[q][q] - S[p][p]) / (2 * S[p][q]);
        const Big t = (theta >= 0 ? Big(1) : Big(-1)) / (abs(theta) + sqrt(theta * theta + 1));
        const Big c = 1 / sqrt(t * t + 1);
        const Big s = t * c;
        for (std::size_t k = 0; k < d; ++k) {
          const Big kp = S[k][p], kq = S[k][q];
          S[k][p] = c * kp - s * kq;
          S[k][q] = s * kp + c * kq;
        }
        for (std::size_t k = 0; k < d; ++k) {
          const Big pk = S[p][k], qk = S[q][k];
          S[p][k] = c * pk - s * qk;
          S[q][k] = s * pk + c * qk;
        }
      }
    }
  }
  std::array<Big, d> diagonal;
  for (std::size_t a = 0; a < d; ++a) diagonal[a] = S[a][a];
  return diagonal;
}

/// ψ(F) from the eigenvalues of F Fᵀ [Klar16 Eq.25].
template <std::size_t d>
Big energy_of(const BigMat<d>& F, const Lame& lame) {
  BigMat<d> Ft;
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b < d; ++b) Ft[a][b] = F[b][a];
  Big squares = 0, trace = 0;
  for (const Big& value : eigenvalues(multiply(F, Ft))) {
    const Big strain = log(value) / 2;
    squares += strain * strain;
    trace += strain;
  }
  return lame.mu * squares + lame.lambda * trace * trace / 2;
}

/// ψ^U of principal strains [Tam17 Eq.7–10], with the fall as printed.
template <std::size_t d>
Big unilateral_energy_of(const std::array<Big, d>& eps, const Lame& lame, const Unilateral& of, double s_C) {
  Big trace = 0, squares = 0;
  for (const Big& one : eps) {
    trace += one;
    squares += one * one;
  }
  const Big full = lame.mu * squares + lame.lambda * trace * trace / 2;
  const Big along = trace / sqrt(Big(d)) / of.strain_unit;
  Big v2 = 0;
  for (const Big& one : eps) v2 += (one - trace / d) * (one - trace / d);
  const Big v = sqrt(v2) / of.strain_unit;
  const Big sum = along + of.c0 * v * v * v * v / (1 + v * v * v);
  if (sum < Big(of.a) + s_C) return full;
  if (sum > Big(of.b) + s_C) return 0;
  const Big z = (sum - of.a - s_C) / (Big(of.b) - of.a);
  return full * (1 - 10 * z * z * z + 15 * z * z * z * z - 6 * z * z * z * z * z);
}

/// ψ^U(F) from the eigenvalues of F Fᵀ.
template <std::size_t d>
Big unilateral_energy_of(const BigMat<d>& F, const Lame& lame, const Unilateral& of, double s_C) {
  BigMat<d> Ft;
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b < d; ++b) Ft[a][b] = F[b][a];
  std::array<Big, d> eps = eigenvalues(multiply(F, Ft));
  for (Big& one : eps) one = log(one) / 2;
  return unilateral_energy_of(eps, lame, of, s_C);
}

inline const Big big_step("1e-15");

}  // namespace repose::test
