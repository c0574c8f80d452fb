#pragma once

#include <cstddef>

namespace repose::optimized {

/// What a particle keeps between steps: one record of numbers of one type, so that a particle met out of order costs
/// two or three cache lines (float, 3D) and not one per field. Groups of four numbers ("chunks") turn into vectors of
/// lanes by 4×4 transposition. Symmetric tensors: xx yy zz xy xz yz; 2D: xx yy xy.
///
///     offset  position relative to the centre of the particle's cell, in units of h, in [−½, ½]
///     strain  ε = ½ ln b^E [-]: float keeps the digits of small strains, and V⁰ τ follows from it without an axis; of water
///             ln J in the place of ε_xx, else 0
///     flags   4 · material + plastic case, a small whole number
template <int dim>
struct Record;

template <>
struct Record<3> {
  static constexpr std::size_t offset = 0, mass = 3, v = 4, C = 7;    // chunks 0 to 3
  static constexpr std::size_t strain = 16, volume = 22, flags = 23;  // 4, 5
  static constexpr std::size_t q = 24, v_c = 25;                      // 6, which begins with volume and flags
  static constexpr std::size_t size = 26, chunks = 7;
  static constexpr std::size_t symmetric = 6;
  /// The chunks from here on hold what a step's second half reads besides the first.
  static constexpr std::size_t law_chunk = 4;
  /// What particles-to-grid reads: chunks below this; for the unilateral energy q as well.
  static constexpr std::size_t transfer_chunks = 6;
};

template <>
struct Record<2> {
  static constexpr std::size_t offset = 0, mass = 2, volume = 3, v = 4, C = 6;
  static constexpr std::size_t strain = 10, flags = 13, q = 14, v_c = 15;
  static constexpr std::size_t size = 16, chunks = 4;
  static constexpr std::size_t symmetric = 3;
  static constexpr std::size_t law_chunk = 2;
  static constexpr std::size_t transfer_chunks = 4;
};

/// What a grain keeps besides where each has a cohesion of its own.
template <class T>
struct Wetness {
  T c_C = 0;  ///< [Pa]
  T phi = 0;  ///< saturation φ_p [-]
};

/// First number of a chunk. The last one ends with the record, and may begin inside the one before.
template <int dim>
constexpr std::size_t chunk_start(std::size_t chunk) {
  return 4 * chunk + 4 < Record<dim>::size ? 4 * chunk : Record<dim>::size - 4;
}

/// Place of component (a, b) or (b, a) in a symmetric tensor's storage.
template <int dim>
constexpr std::size_t symmetric_index(int a, int b) {
  if (a == b) return static_cast<std::size_t>(a);
  return static_cast<std::size_t>(dim == 2 ? 2 : a + b + 2);
}

}  // namespace repose::optimized
