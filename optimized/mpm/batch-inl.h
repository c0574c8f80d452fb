// A batch of particles between the stages of grid to particles. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_BATCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_BATCH_INL_H_
#undef REPOSE_OPTIMIZED_MPM_BATCH_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_BATCH_INL_H_
#endif

#include "optimized/layout/record.h"
#include "optimized/mpm/kernels.h"
#include "optimized/simd/symmetric-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// The particles that go through the stages together, field by field in their order: each stage is a loop over their
/// vectors that the processor can overlap, and what it leaves for the next stays in the first-level cache.
template <class T, int dim>
struct Batch {
  using R = Record<dim>;
  static constexpr std::size_t size = lanes<T> > 4 ? 32 : 4 * lanes<T>;
  static constexpr std::size_t room = size + lanes<T>;  ///< groups reach beyond the last particle

  // Places of fields. Those of the records come first. The grid's sums for v and C wait in the places of v and C.
  static constexpr std::size_t kept = R::v;                  ///< Σ w u, set where u ≠ v̄ somewhere
  static constexpr std::size_t moment = R::C;                ///< Σ w u Δᵀ, in units of h
  static constexpr std::size_t v_bar = R::size;              ///< Σ w v̄
  static constexpr std::size_t slope = v_bar + extent<dim>;  ///< Σ v̄ gᵀ, in units of 1/h; then ∇v
  static constexpr std::size_t fields = slope + extent<dim> * extent<dim>;
  // Once the particles have moved, nobody asks for their velocity gradients again.
  static constexpr std::size_t alpha = v_bar;    ///< α of the cone
  static constexpr std::size_t tip = v_bar + 1;  ///< e_c
  static_assert(R::v == 4);

  std::size_t first;  ///< place of the first in the block's list
  std::size_t count;
  HWY_ALIGN T field[fields][room];
  T* record[size];
  HWY_ALIGN T surplus[R::size];  ///< the record of lanes beyond the last particle: they repeat it

  HWY_INLINE hn::Vec<Tag<T>> get(std::size_t f, std::size_t k) const {
    return hn::Load(Tag<T>(), field[f] + k);
  }
  HWY_INLINE void set(std::size_t f, std::size_t k, hn::Vec<Tag<T>> v) {
    hn::Store(v, Tag<T>(), field[f] + k);
  }
  HWY_INLINE Symmetric<T, dim> tensor(std::size_t f, std::size_t k) const {
    Symmetric<T, dim> x;
    for (std::size_t c = 0; c < R::symmetric; ++c) x.s[c] = get(f + c, k);
    return x;
  }
  HWY_INLINE void set_tensor(std::size_t f, std::size_t k, const Symmetric<T, dim>& x) {
    for (std::size_t c = 0; c < R::symmetric; ++c) set(f + c, k, x.s[c]);
  }
  /// How many lanes of the vector at k are particles of their own.
  HWY_INLINE std::size_t real(std::size_t k) const { return std::min(lanes<T>, count - k); }
};

/// Asks for the records of the next batch that are to take the places [k, k + number). A few at a time: of many at once
/// the processor drops most.
template <class T, int dim, std::size_t number>
HWY_INLINE void PrefetchBehind(const FromTile<T>& a, const Batch<T, dim>& batch, std::size_t k) {
  constexpr std::size_t size = Record<dim>::size;
  const std::size_t at = batch.first + Batch<T, dim>::size + k;
  if (at + number > a.known) return;
  REPOSE_UNROLL
  for (std::size_t i = 0; i < number; ++i) PrefetchRecord<T, size, size>(a.records + size * a.order[at + i]);
}

/// Where the records of the batch lie, and of their chunks the first and those from `from` on.
template <class T, int dim, std::size_t from>
HWY_NOINLINE void LoadRecords(const FromTile<T>& a, Batch<T, dim>& batch) {
  using R = Record<dim>;
  constexpr std::size_t n = lanes<T>;
  for (std::size_t k = 0; k < batch.count; ++k)
    batch.record[k] = a.records + R::size * a.order[batch.first + k];
  if (batch.count % n != 0) {
    std::copy_n(batch.record[batch.count - 1], R::size, batch.surplus);
    for (std::size_t k = batch.count; k % n != 0; ++k) batch.record[k] = batch.surplus;
  }
  for (std::size_t k = 0; k < batch.count; k += n) {
    REPOSE_UNROLL
    for (std::size_t chunk = 0; chunk < R::chunks; ++chunk) {
      if (chunk != 0 && chunk < from) continue;
      hn::Vec<Tag<T>> four[4];
      LoadFour<T>(batch.record + k, chunk_start<dim>(chunk), four);
      REPOSE_UNROLL
      for (std::size_t c = 0; c < 4; ++c) batch.set(chunk_start<dim>(chunk) + c, k, four[c]);
    }
  }
}

/// Writes the fields [from, to) of the vector at k to their records. Chunks that hold others too take those from the
/// batch, and leave there what the next to write them needs.
template <class T, int dim, std::size_t from, std::size_t to>
HWY_INLINE void StoreFields(Batch<T, dim>& batch, std::size_t k, const hn::Vec<Tag<T>>* value) {
  const auto four_of = [&](std::size_t start, hn::Vec<Tag<T>>* four) HWY_ATTR {
    const bool shared = start < from || start + 4 > to;
    REPOSE_UNROLL
    for (std::size_t c = 0; c < 4; ++c) {
      const std::size_t f = start + c;
      const bool given = f >= from && f < to;
      four[c] = given ? value[f - from] : batch.get(f, k);
      if (given && shared) batch.set(f, k, four[c]);
    }
  };
  constexpr std::size_t first = from / 4, last = (to + 3) / 4;
  REPOSE_UNROLL
  for (std::size_t chunk = first; chunk < last; chunk += 2) {
    const std::size_t start = chunk_start<dim>(chunk);
    hn::Vec<Tag<T>> field[8];
    four_of(start, field);
    if (chunk + 1 == last) {
      StoreFour<T>(field, batch.record + k, start);
    } else if (const std::size_t next = chunk_start<dim>(chunk + 1); next == start + 4) {
      four_of(next, field + 4);
      StoreEight<T>(field, batch.record + k, start);
    } else {
      StoreFour<T>(field, batch.record + k, start);
      four_of(next, field);
      StoreFour<T>(field, batch.record + k, next);
    }
  }
}

/// Lanes beyond the last particle repeat what the grid told it.
template <class T, int dim>
HWY_INLINE void RepeatLast(Batch<T, dim>& batch) {
  using B = Batch<T, dim>;
  const std::size_t surplus = batch.count % lanes<T>;
  if (surplus == 0) return;
  const auto repeat = [&](std::size_t from, std::size_t to) {
    for (std::size_t f = from; f < to; ++f)
      std::fill_n(batch.field[f] + batch.count, lanes<T> - surplus, batch.field[f][batch.count - 1]);
  };
  repeat(B::kept, B::moment + extent<dim> * extent<dim>);
  repeat(B::v_bar, B::fields);
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
