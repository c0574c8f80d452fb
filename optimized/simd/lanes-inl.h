// Vectors of lanes from particle records and back. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_SIMD_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_SIMD_LANES_INL_H_
#undef REPOSE_OPTIMIZED_SIMD_LANES_INL_H_
#else
#define REPOSE_OPTIMIZED_SIMD_LANES_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

/// Before a loop of constant length that must leave its arrays in registers.
#undef REPOSE_UNROLL
#if HWY_COMPILER_CLANG
#define REPOSE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define REPOSE_UNROLL _Pragma("GCC unroll 16")
#endif

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The full vector of a number type on this instruction set.
template <class T>
using Tag = hn::ScalableTag<T>;

/// A dimension as an array extent.
template <int dim>
inline constexpr std::size_t extent = static_cast<std::size_t>(dim);

template <class T>
inline constexpr std::size_t lanes = HWY_LANES(T);

/// 128-bit block b ← the block at p[first + step·b].
template <class T>
HWY_INLINE hn::Vec<Tag<T>> LoadBlocks(const T* const* p, std::size_t first, std::size_t step,
                                      std::size_t at) {
  const Tag<T> d;
  constexpr std::size_t blocks = sizeof(T) * lanes<T> / 16;
  if constexpr (blocks == 1) {
    return hn::LoadU(d, p[first] + at);
  } else if constexpr (blocks == 2) {
    const hn::Half<Tag<T>> half;
    return hn::Combine(d, hn::LoadU(half, p[first + step] + at), hn::LoadU(half, p[first] + at));
  } else {
    const hn::Half<Tag<T>> half;
    const hn::Half<decltype(half)> quarter;
    const auto low =
        hn::Combine(half, hn::LoadU(quarter, p[first + step] + at), hn::LoadU(quarter, p[first] + at));
    const auto high = hn::Combine(half, hn::LoadU(quarter, p[first + 3 * step] + at),
                                  hn::LoadU(quarter, p[first + 2 * step] + at));
    return hn::Combine(d, high, low);
  }
}

/// The inverse of LoadBlocks.
template <class T>
HWY_INLINE void StoreBlocks(hn::Vec<Tag<T>> v, T* const* p, std::size_t first, std::size_t step,
                            std::size_t at) {
  const Tag<T> d;
  constexpr std::size_t blocks = sizeof(T) * lanes<T> / 16;
  if constexpr (blocks == 1) {
    hn::StoreU(v, d, p[first] + at);
  } else if constexpr (blocks == 2) {
    const hn::Half<Tag<T>> half;
    hn::StoreU(hn::LowerHalf(half, v), half, p[first] + at);
    hn::StoreU(hn::UpperHalf(half, v), half, p[first + step] + at);
  } else {
    const hn::Half<Tag<T>> half;
    const hn::Half<decltype(half)> quarter;
    const auto low = hn::LowerHalf(half, v);
    const auto high = hn::UpperHalf(half, v);
    hn::StoreU(hn::LowerHalf(quarter, low), quarter, p[first] + at);
    hn::StoreU(hn::UpperHalf(quarter, low), quarter, p[first + step] + at);
    hn::StoreU(hn::LowerHalf(quarter, high), quarter, p[first + 2 * step] + at);
    hn::StoreU(hn::UpperHalf(quarter, high), quarter, p[first + 3 * step] + at);
  }
}

/// Field vectors f[0..3] from four consecutive numbers at offset `at` of each lane's record.
template <class T>
HWY_INLINE void LoadFour(const T* const* p, std::size_t at, hn::Vec<Tag<T>>* f) {
  const Tag<T> d;
  if constexpr (sizeof(T) == 4) {
    const auto v0 = LoadBlocks<T>(p, 0, 4, at);
    const auto v1 = LoadBlocks<T>(p, 1, 4, at);
    const auto v2 = LoadBlocks<T>(p, 2, 4, at);
    const auto v3 = LoadBlocks<T>(p, 3, 4, at);
    const auto t0 = hn::InterleaveLower(d, v0, v2);
    const auto t1 = hn::InterleaveLower(d, v1, v3);
    const auto t2 = hn::InterleaveUpper(d, v0, v2);
    const auto t3 = hn::InterleaveUpper(d, v1, v3);
    f[0] = hn::InterleaveLower(d, t0, t1);
    f[1] = hn::InterleaveUpper(d, t0, t1);
    f[2] = hn::InterleaveLower(d, t2, t3);
    f[3] = hn::InterleaveUpper(d, t2, t3);
  } else {
    for (std::size_t h = 0; h < 2; ++h) {
      const auto v0 = LoadBlocks<T>(p, 0, 2, at + 2 * h);
      const auto v1 = LoadBlocks<T>(p, 1, 2, at + 2 * h);
      f[2 * h] = hn::InterleaveLower(d, v0, v1);
      f[2 * h + 1] = hn::InterleaveUpper(d, v0, v1);
    }
  }
}

/// The inverse of LoadFour.
template <class T>
HWY_INLINE void StoreFour(const hn::Vec<Tag<T>>* f, T* const* p, std::size_t at) {
  const Tag<T> d;
  if constexpr (sizeof(T) == 4) {
    const auto t0 = hn::InterleaveLower(d, f[0], f[2]);
    const auto t1 = hn::InterleaveLower(d, f[1], f[3]);
    const auto t2 = hn::InterleaveUpper(d, f[0], f[2]);
    const auto t3 = hn::InterleaveUpper(d, f[1], f[3]);
    StoreBlocks<T>(hn::InterleaveLower(d, t0, t1), p, 0, 4, at);
    StoreBlocks<T>(hn::InterleaveUpper(d, t0, t1), p, 1, 4, at);
    StoreBlocks<T>(hn::InterleaveLower(d, t2, t3), p, 2, 4, at);
    StoreBlocks<T>(hn::InterleaveUpper(d, t2, t3), p, 3, 4, at);
  } else if constexpr (lanes<T> == 4) {
    // Whole vectors: halves would take twice as many stores.
    const auto t0 = hn::InterleaveLower(d, f[0], f[1]);
    const auto t1 = hn::InterleaveUpper(d, f[0], f[1]);
    const auto t2 = hn::InterleaveLower(d, f[2], f[3]);
    const auto t3 = hn::InterleaveUpper(d, f[2], f[3]);
    hn::StoreU(hn::ConcatLowerLower(d, t2, t0), d, p[0] + at);
    hn::StoreU(hn::ConcatLowerLower(d, t3, t1), d, p[1] + at);
    hn::StoreU(hn::ConcatUpperUpper(d, t2, t0), d, p[2] + at);
    hn::StoreU(hn::ConcatUpperUpper(d, t3, t1), d, p[3] + at);
  } else {
    for (std::size_t h = 0; h < 2; ++h) {
      StoreBlocks<T>(hn::InterleaveLower(d, f[2 * h], f[2 * h + 1]), p, 0, 2, at + 2 * h);
      StoreBlocks<T>(hn::InterleaveUpper(d, f[2 * h], f[2 * h + 1]), p, 1, 2, at + 2 * h);
    }
  }
}

/// StoreFour for eight consecutive numbers, in whole vectors where those hold eight.
template <class T>
HWY_INLINE void StoreEight(const hn::Vec<Tag<T>>* f, T* const* p, std::size_t at) {
  const Tag<T> d;
  if constexpr (sizeof(T) == 4 && lanes<T> == 8) {
    hn::Vec<Tag<T>> half[2][4];  // numbers 0 to 3 and 4 to 7 of lanes k (lower block) and k + 4
    REPOSE_UNROLL
    for (std::size_t h = 0; h < 2; ++h) {
      const auto t0 = hn::InterleaveLower(d, f[4 * h], f[4 * h + 2]);
      const auto t1 = hn::InterleaveLower(d, f[4 * h + 1], f[4 * h + 3]);
      const auto t2 = hn::InterleaveUpper(d, f[4 * h], f[4 * h + 2]);
      const auto t3 = hn::InterleaveUpper(d, f[4 * h + 1], f[4 * h + 3]);
      half[h][0] = hn::InterleaveLower(d, t0, t1);
      half[h][1] = hn::InterleaveUpper(d, t0, t1);
      half[h][2] = hn::InterleaveLower(d, t2, t3);
      half[h][3] = hn::InterleaveUpper(d, t2, t3);
    }
    REPOSE_UNROLL
    for (std::size_t k = 0; k < 4; ++k) {
      hn::StoreU(hn::ConcatLowerLower(d, half[1][k], half[0][k]), d, p[k] + at);
      hn::StoreU(hn::ConcatUpperUpper(d, half[1][k], half[0][k]), d, p[k + 4] + at);
    }
  } else {
    StoreFour<T>(f, p, at);
    StoreFour<T>(f + 4, p, at + 4);
  }
}

/// Asks for the first `used` of a record's `size` numbers ahead of their use: met out of storage order, no prefetcher of
/// the processor would guess them.
template <class T, std::size_t size, std::size_t used>
HWY_INLINE void PrefetchRecord(const T* record) {
  REPOSE_UNROLL
  for (std::size_t at = 0; at < used; at += 64 / sizeof(T)) hwy::Prefetch(record + at);
  // Such records may begin anywhere in a cache line.
  if constexpr (size * sizeof(T) % 64 != 0) hwy::Prefetch(record + used - 1);
}

/// Lanes that lie `stride` apart.
template <class T, std::size_t stride, class P>
HWY_INLINE void PointApart(P* base, P** lane_at) {
  REPOSE_UNROLL
  for (std::size_t lane = 0; lane < lanes<T>; ++lane) lane_at[lane] = base + lane * stride;
}
template <class T, std::size_t stride>
HWY_INLINE void LoadFourApart(const T* base, std::size_t at, hn::Vec<Tag<T>>* f) {
  const T* p[lanes<T>];
  PointApart<T, stride>(base, p);
  LoadFour<T>(p, at, f);
}
template <class T, std::size_t stride>
HWY_INLINE void StoreFourApart(const hn::Vec<Tag<T>>* f, T* base, std::size_t at) {
  T* p[lanes<T>];
  PointApart<T, stride>(base, p);
  StoreFour<T>(f, p, at);
}
template <class T, std::size_t stride>
HWY_INLINE void StoreEightApart(const hn::Vec<Tag<T>>* f, T* base, std::size_t at) {
  T* p[lanes<T>];
  PointApart<T, stride>(base, p);
  StoreEight<T>(f, p, at);
}

/// Vector r of a row of node records made of one record of four numbers, repeated.
template <class T>
HWY_INLINE hn::Vec<Tag<T>> RepeatChunk(const T* chunk, std::size_t r) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  if constexpr (n == 2) {
    return hn::LoadU(d, chunk + 2 * (r % 2));
  } else if constexpr (n == 4) {
    return hn::LoadU(d, chunk);
  } else if constexpr (sizeof(T) == 4) {
    return hn::LoadDup128(d, chunk);
  } else {
    const hn::Half<Tag<T>> half;
    const auto v = hn::LoadU(half, chunk);
    return hn::Combine(d, v, v);
  }
}

/// Vector r of a row of node records in which all numbers of node k are weight[k].
template <class T>
HWY_INLINE hn::Vec<Tag<T>> SpreadWeights(const T* weight, std::size_t r) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  if constexpr (n <= 4) {
    return hn::Set(d, weight[r * n / 4]);
  } else {
    const hn::RebindToSigned<Tag<T>> di;
    using I = hn::TFromD<decltype(di)>;
    HWY_ALIGN static constexpr I index8[2][8] = {{0, 0, 0, 0, 1, 1, 1, 1}, {2, 2, 2, 2, 3, 3, 3, 3}};
    HWY_ALIGN static constexpr I index16[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    const I* index = n == 8 ? index8[r] : index16;
    return hn::TableLookupLanes(RepeatChunk<T>(weight, 0), hn::SetTableIndices(d, index));
  }
}

/// The sum over the groups of four numbers of a vector, to memory.
template <class T>
HWY_INLINE void StoreChunkSum(hn::Vec<Tag<T>> v, T* out) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  if constexpr (n <= 4) {
    hn::StoreU(v, d, out);
  } else {
    const hn::Half<Tag<T>> half;
    const auto pair = hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v));
    if constexpr (n == 8) {
      hn::StoreU(pair, half, out);
    } else {
      const hn::Half<decltype(half)> quarter;
      hn::StoreU(hn::Add(hn::LowerHalf(quarter, pair), hn::UpperHalf(quarter, pair)), quarter, out);
    }
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
