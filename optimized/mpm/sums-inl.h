// What is gathered per lane, and how lanes read nodes. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_SUMS_INL_H_
#undef REPOSE_OPTIMIZED_MPM_SUMS_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_SUMS_INL_H_
#endif

#include "optimized/mpm/groups-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// Per lane, along one axis a and component c of v: Σ w v_c, Σ w v_c Δ_a, Σ v_c g_a (Δ and g in units of h).
template <class T, int dim>
struct Sums {
  using V = hn::Vec<Tag<T>>;
  V value[extent<dim>];
  V moment[extent<dim>][extent<dim>];  ///< [c][a]
  V slope[extent<dim>][extent<dim>];   ///< [c][a]; left alone without `gradient`
};

/// Component c of the node records at[0], at[1], … in all lanes of their groups; `records` holds LoadNode of them.
template <class T>
HWY_INLINE hn::Vec<Tag<T>> LoadNode(const T* const* at, std::size_t first) {
  if constexpr (sizeof(T) == 4)
    return LoadBlocks<T>(at, 0, 1, first);
  else
    return hn::Zero(Tag<T>());
}
template <class T, int c>
HWY_INLINE hn::Vec<Tag<T>> NodeComponent(hn::Vec<Tag<T>> records, const T* const* at, std::size_t first) {
  const Tag<T> d;
  constexpr std::size_t place = static_cast<std::size_t>(1 + c);
  if constexpr (sizeof(T) == 4) {
    return hn::Broadcast<1 + c>(records);
  } else if constexpr (groups<T> == 1) {
    return hn::Set(d, at[0][first + place]);
  } else {
    const hn::Half<Tag<T>> half;
    return hn::Combine(d, hn::Set(half, at[1][first + place]), hn::Set(half, at[0][first + place]));
  }
}

/// Order in which the nodes of a stencil are summed along an axis. The first one stands for all: Σ N̂ = 1, Σ N̂ Δ = 0 and
/// Σ N̂′ = 0, so with differences from it
///     Σ w v = v₁ + Σ w (v − v₁),   Σ w Δ v = Σ w Δ (v − v₁),   Σ g v = Σ g (v − v₁)
/// and it costs no product. Differences also keep the digits of slopes in a fast, even flow.
inline constexpr std::size_t node_order[4] = {1, 0, 2, 3};

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
