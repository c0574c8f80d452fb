#pragma once

#include "optimized/layout/record.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace repose::optimized {

/// What an implicit solve keeps of eight particles of a block, field by field: whole vectors of lanes on every
/// instruction set. The last pack of a block is filled up with particles of no stress, which reach no node.
template <int dim>
struct Pack {
  using Number = double;
  static constexpr std::size_t lanes = 8;
  static constexpr std::size_t axes = static_cast<std::size_t>(dim);
  static constexpr std::size_t pairs = dim == 3 ? 3 : 1;  ///< of axes: (0, 1), (0, 2), (1, 2)

  // Given.
  static constexpr std::size_t offset = 0;              ///< from the cell's centre in units of h
  static constexpr std::size_t strain = offset + axes;  ///< ε before the step
  static constexpr std::size_t scale = strain + Record<dim>::symmetric;  ///< Δt V⁰ [s m^d]
  static constexpr std::size_t two_mu = scale + 1;                       ///< 2μ [Pa]
  static constexpr std::size_t lambda = two_mu + 1;                      ///< λ [Pa]
  static constexpr std::size_t slope = lambda + 1;  ///< radius of the cone per −tr ε [-]
  // Infinite, both: no plasticity.
  static constexpr std::size_t radius = slope + 1;  ///< of the cone at tr ε = 0 [-]
  static constexpr std::size_t tip = radius + 1;    ///< e_c, tr ε at the cone's tip [-]
  static constexpr std::size_t shift = tip + 1;     ///< v_c/d if the material keeps its volume [-]
  // The unilateral energy; zeros, all of them: Hencky's.
  static constexpr std::size_t start = shift + 1;        ///< a + s_C
  static constexpr std::size_t per_width = start + 1;    ///< 1/(b − a)
  static constexpr std::size_t opening = per_width + 1;  ///< c₀
  static constexpr std::size_t per_unit = opening + 1;   ///< 1/(unit of strain)

  // Found at the velocities where the balance stands.
  static constexpr std::size_t U = per_unit + 1;              ///< axes of b̂: [component][axis]
  static constexpr std::size_t W = U + axes * axes;           ///< A⁻¹ U
  static constexpr std::size_t normal = W + axes * axes;      ///< (∂s_i/∂ε̂_j − δ_ij s_i) Δt V⁰
  static constexpr std::size_t shear = normal + axes * axes;  ///< per pair (i, j): a_ij, a_ji, times Δt V⁰
  static constexpr std::size_t s = shear + 2 * pairs;         ///< s_i Δt V⁰
  static constexpr std::size_t sound = s + axes;  ///< 0: the velocities invert it, or it is not finite
  static constexpr std::size_t fields = sound + 1;

  // Of water, in places that it has no other use for; two_mu is 0 and lambda γk, the stiffness at J = 1.
  static constexpr std::size_t log_J = strain;        ///< ln J before the step
  static constexpr std::size_t stiffness = slope;     ///< k [Pa]
  static constexpr std::size_t exponent = radius;     ///< −γ
  static constexpr std::size_t least_pressure = tip;  ///< [Pa]; 0 of water without tension, else −∞
  static constexpr std::size_t bulk = normal;         ///< found: Δt V⁰ J² ψ″(Ĵ), J before the step

  double field[fields][lanes];
};

/// Of a pack what a product with the derivative needs, in float: of sixteen particles of a block.
template <int dim>
struct RoundedPack {
  using Number = float;
  using P = Pack<dim>;
  static constexpr std::size_t lanes = 16;

  static constexpr std::size_t offset = 0;
  static constexpr std::size_t U = offset + P::axes;
  static constexpr std::size_t W = U + P::axes * P::axes;
  static constexpr std::size_t normal = W + P::axes * P::axes;
  static constexpr std::size_t shear = normal + P::axes * P::axes;
  static constexpr std::size_t across = shear + 2 * P::pairs;  ///< per pair (i, j): a_ji − s_i, a_ij − s_j
  static constexpr std::size_t fields = across + 2 * P::pairs;

  static constexpr std::size_t bulk = normal;  ///< of water, which needs no more than this and its offset

  float field[fields][lanes];
};

/// Rounds a pack to half a rounded one, `half` 0 or 1.
/// @param symmetric whether the derivative is: then entries that are equal but for rounding become the same number
template <int dim>
void round_pack(const Pack<dim>& from, bool symmetric, RoundedPack<dim>& to, std::size_t half);

/// The same of water.
template <int dim>
void round_water_pack(const Pack<dim>& from, RoundedPack<dim>& to, std::size_t half);

/// Energies of a block's particles, times Δt [J s].
struct BlockEnergy {
  double sum = 0.0;     ///< Σ Δt V⁰ ψ
  double stress = 0.0;  ///< Σ Δt V⁰ ‖τ‖: how it changes with strain
};

/// What a kernel needs to take one block's particles from a tile of node records to sums over nodes.
template <int dim>
struct PackBlock {
  Pack<dim>* packs = nullptr;
  const std::uint8_t* code = nullptr;  ///< cell of each particle, Block::code()
  std::size_t count = 0;               ///< particles
  double per_h = 0.0;                  ///< 1/h [1/m]
  double dt_over_h = 0.0;              ///< [s/m]
  const double* from = nullptr;        ///< tile of (·, v)
  double* to = nullptr;                ///< tiles, overwritten
  double* magnitude = nullptr;         ///< one number per node of the tile, overwritten
  bool lagged = false;                 ///< nothing returns to the cone, and the energy is asked for
  bool unilateral = false;             ///< some material's energy is the unilateral one
  BlockEnergy* energy = nullptr;       ///< overwritten where `lagged`
};

/// What a product in float needs of one block.
template <int dim>
struct RoundedBlock {
  const RoundedPack<dim>* packs = nullptr;
  const std::uint8_t* code = nullptr;  ///< cell of each particle, Block::code()
  std::size_t count = 0;               ///< particles
  float scale = 0.0F;                  ///< Δt/h² [s/m²]
  const double* from = nullptr;        ///< tile of (·, dv)
  float* to = nullptr;                 ///< tile, overwritten where stencils reach
};

/// The kernels of the implicit balance of sand and elastic bodies, or of water, for one instruction set, [K − 3] for K = 3, 4 nodes
/// per axis.
template <int dim>
struct ImplicitKernels {
  using OfBlock = void (*)(const PackBlock<dim>&);
  /// Trial stresses at v, the impulses they take from nodes, and the magnitudes of these.
  bool (*move[2])(const PackBlock<dim>&) = {};
  /// Magnitudes of the impulses that a strain of 1 would take from nodes.
  OfBlock stiffness[2] = {};
  /// The impulses' change.
  OfBlock change[2] = {};
  /// The same in float.
  void (*rounded_change[2])(const RoundedBlock<dim>&) = {};
  /// The d×d blocks of the impulses' derivative by the velocity of the node itself: one tile per column, in a row.
  OfBlock columns[2] = {};
  /// result[k] = q[k]·w
  void (*dots)(const double* const* q, std::size_t vectors, const double* w, std::size_t count,
               double* result) = nullptr;
  /// w += Σ factor[k] q[k]
  void (*add)(const double* factor, const double* const* q, std::size_t vectors, double* w,
              std::size_t count) = nullptr;
};

/// @param name of an instruction set, "" for the best of this machine
/// @throws BadInput if the machine or this program does not have it
template <int dim>
const ImplicitKernels<dim>& implicit_kernels(std::string_view name);
/// Those of water.
template <int dim>
const ImplicitKernels<dim>& implicit_water_kernels(std::string_view name);

}  // namespace repose::optimized
