#pragma once

#include "optimized/law/law_row.h"
#include "optimized/law/water_row.h"
#include "optimized/layout/record.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace repose::optimized {

/// Whose stress acts on the grid: that of all materials of a scene.
enum class Law : unsigned char {
  hencky,      ///< of Hencky's energy
  unilateral,  ///< of ψ^U where a material is sand
  water        ///< −p J 1
};

/// Everything a kernel needs to add one block's particles to its tile. T is float or double.
template <class T>
struct ToTile {
  const T* records = nullptr;  ///< of all particles
  /// Record index of each particle of the block, by cell, then scene id
  const std::uint32_t* order = nullptr;
  const std::uint8_t* code = nullptr;  ///< cell of each, Block::code()
  std::size_t count = 0;
  /// Entries of `order`, those of the next blocks included: their records are asked for ahead
  std::size_t known = 0;
  T* tile = nullptr;             ///< overwritten: per node (m, p + Δt f)
  const T* next_tile = nullptr;  ///< that of the next block, asked for ahead
  T h = 0;                       ///< [m]
  T dt_over_h = 0;               ///< Δt/h [s/m]; 0 leaves the momentum alone
  T momentum_scale = 1;          ///< 1, or 0 to leave Δt f alone
  const LawRow<T>* laws = nullptr;
  std::size_t materials = 0;
  Hardening hardening;
  Law law = Law::hencky;
  const WaterRow<T>* waters = nullptr;  ///< of Law::water
  const Wetness<T>* wetness = nullptr;  ///< of each record; null: grains have the cohesion of their material
};

/// Which parts of the second half of a step a kernel call does.
struct Parts {
  bool g2p = true;
  bool update = true;
  bool plasticity = true;
};

/// A particle that left its cell.
struct Moved {
  std::uint32_t entry;    ///< position in the block's list
  std::int32_t shift[3];  ///< cells per axis
};

/// The first thing that went wrong in a block: the earliest stage, then the smallest scene id.
struct Fault {
  enum Kind : unsigned char {
    none,
    g2p_not_finite,
    inverted,
    update_not_finite,
    left_domain,
    plasticity_not_finite
  };
  Kind kind = none;
  std::uint32_t particle = 0;
  void see(Kind what, std::uint32_t id) {
    if (kind == none || what < kind || (what == kind && id < particle)) {
      kind = what;
      particle = id;
    }
  }
};

template <class T>
struct Tally {
  std::uint64_t inside = 0, tip = 0, surface = 0;
  T max_speed2 = 0;  ///< largest ‖v‖² [m²/s²]
  Fault fault;
};

/// Everything a kernel needs to take one block's particles from the grid to the end of the step.
template <class T>
struct FromTile {
  T* records = nullptr;
  const std::uint32_t* order = nullptr;
  const std::uint8_t* code = nullptr;
  const std::uint32_t* id = nullptr;  ///< scene id of each record
  std::size_t count = 0;
  /// Entries of `order`, those of the next blocks included: their records are asked for ahead
  std::size_t known = 0;
  const T* bar = nullptr;             ///< tile of what moves particles: v̄, or ṽ (ParticleMotion)
  const T* kept = nullptr;            ///< tile of u = ṽ − s vⁿ
  const std::uint8_t* two = nullptr;  ///< per cell: its stencil has a node where u ≠ v̄; null if none has
  T keep = 0;                         ///< s: v ← s v + Σ w u (the FLIP share)
  T dt = 0;                           ///< [s]
  T per_h = 0;                        ///< 1/h [1/m]
  T per_D = 0;                        ///< h/D [1/m]; 0 unless APIC, so that C = 0
  T dt_over_h = 0;                    ///< [s/m]
  Parts parts;
  const LawRow<T>* laws = nullptr;
  std::size_t materials = 0;
  Hardening hardening;
  const Wetness<T>* wetness = nullptr;  ///< of each record; null: grains have the cohesion of their material
  bool water = false;                   ///< all materials are
  T* between = nullptr;    ///< v_bar and grad_v per record, where a stop between stages needs them; else null
  Moved* moved = nullptr;  ///< room for `count`
  std::size_t* moved_count = nullptr;
  Tally<T>* tally = nullptr;
};

/// The kernels of one instruction set, number type and dimension, for K = 3, 4 nodes per axis (quadratic, cubic).
template <class T, int dim>
struct Kernels {
  using P2G = void (*)(const ToTile<T>&);
  using G2P = void (*)(const FromTile<T>&);
  std::string_view name;  ///< of the instruction set
  std::size_t lanes = 0;
  P2G p2g[2] = {};  ///< [K − 3]
  G2P g2p[2] = {};
};

/// @param name of an instruction set, "" for the best of this machine
/// @throws BadInput if the machine or this program does not have it, naming those it has
template <class T, int dim>
const Kernels<T, dim>& kernels(std::string_view name);

}  // namespace repose::optimized
