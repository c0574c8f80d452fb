// Grid to particles, update and plasticity for one block. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_MPM_G2P_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_MPM_G2P_INL_H_
#undef REPOSE_OPTIMIZED_MPM_G2P_INL_H_
#else
#define REPOSE_OPTIMIZED_MPM_G2P_INL_H_
#endif

#include "optimized/mpm/gather-inl.h"
#include "optimized/mpm/law-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// What the grid tells a particle.
template <class T, int dim>
struct GridView {
  using V = hn::Vec<Tag<T>>;
  V v_bar[extent<dim>];        ///< Σ w v̄
  V kept[extent<dim>];         ///< Σ w u
  V moment[extent<dim>][extent<dim>];  ///< Σ w u Δᵀ, in units of h
  V slope[extent<dim>][extent<dim>];   ///< Σ v̄ gᵀ, in units of 1/h
};

template <class T, int dim>
HWY_INLINE void LoadVectors(const T* const* result, int first, int count, hn::Vec<Tag<T>> (*out)[extent<dim>]) {
  for (int k = 0; k < count; ++k) {
    hn::Vec<Tag<T>> four[4];
    LoadFour<T>(result, static_cast<std::size_t>(4 * (first + k)), four);
    for (int c = 0; c < dim; ++c) out[k][c] = four[1 + c];
  }
}

/// Gathers for one vector of particles; lanes beyond `real` repeat the last one.
template <class T, int dim, int K, bool affine>
HWY_INLINE void GatherLanes(const FromTile<T>& a, std::size_t first, std::size_t real, const hn::Vec<Tag<T>>* offset,
                            GridView<T, dim>& view) {
  using W = WeightTable<dim>;
  constexpr std::size_t n = lanes<T>;
  HWY_ALIGN T table[n * W::size];
  T* weight[n];
  for (std::size_t lane = 0; lane < n; ++lane) weight[lane] = table + lane * W::size;
  for (int axis = 0; axis < dim; ++axis) {
    Weights<T, K> along;
    SetWeights<T, K>(offset[axis], along);
    StoreFour<T>(along.w, weight, W::at(axis, 0));
    StoreFour<T>(along.d, weight, W::at(axis, 1));
    StoreFour<T>(along.g, weight, W::at(axis, 2));
  }
  constexpr std::size_t stride = 4 * (1 + 2 * dim);
  HWY_ALIGN T results[n * stride];
  const T* result[n];
  for (std::size_t lane = 0; lane < n; ++lane) result[lane] = results + (lane < real ? lane : real - 1) * stride;
  using V = hn::Vec<Tag<T>>;
  V transposed[extent<dim>][extent<dim>];
  if (a.kept == nullptr) {
    using G = Gathered<dim, affine, true>;
    for (std::size_t lane = 0; lane < real; ++lane)
      Gather<T, dim, K, affine, true>(a.bar + Block<dim>::tile_offset(a.code[first + lane]), weight[lane],
                                      results + lane * stride);
    LoadVectors<T, dim>(result, 0, 1, &view.v_bar);
    for (int c = 0; c < dim; ++c) view.kept[c] = view.v_bar[c];
    if constexpr (affine) {
      LoadVectors<T, dim>(result, G::moment, dim, transposed);
      for (int c = 0; c < dim; ++c)
        for (int b = 0; b < dim; ++b) view.moment[c][b] = transposed[b][c];
    }
    LoadVectors<T, dim>(result, G::slope, dim, transposed);
  } else {
    using Kept = Gathered<dim, affine, false>;
    for (std::size_t lane = 0; lane < real; ++lane)
      Gather<T, dim, K, affine, false>(a.kept + Block<dim>::tile_offset(a.code[first + lane]), weight[lane],
                                       results + lane * stride);
    LoadVectors<T, dim>(result, 0, 1, &view.kept);
    if constexpr (affine) {
      LoadVectors<T, dim>(result, Kept::moment, dim, transposed);
      for (int c = 0; c < dim; ++c)
        for (int b = 0; b < dim; ++b) view.moment[c][b] = transposed[b][c];
    }
    using Bar = Gathered<dim, false, true>;
    for (std::size_t lane = 0; lane < real; ++lane)
      Gather<T, dim, K, false, true>(a.bar + Block<dim>::tile_offset(a.code[first + lane]), weight[lane],
                                     results + lane * stride);
    LoadVectors<T, dim>(result, 0, 1, &view.v_bar);
    LoadVectors<T, dim>(result, Bar::slope, dim, transposed);
  }
  for (int c = 0; c < dim; ++c)
    for (int b = 0; b < dim; ++b) view.slope[c][b] = transposed[b][c];
}

/// Notes the real lanes of `bad` as a fault.
template <class T>
HWY_NOINLINE void Blame(const FromTile<T>& a, hn::Mask<Tag<T>> bad, std::size_t first, std::size_t real,
                        Fault::Kind kind) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  HWY_ALIGN T flag[n];
  hn::Store(hn::IfThenElse(bad, hn::Set(d, T{1}), hn::Zero(d)), d, flag);
  for (std::size_t lane = 0; lane < real; ++lane)
    if (flag[lane] != T{0}) a.tally->fault.see(kind, a.id[a.order[first + lane]]);
}

/// Zero where x is finite, not a number where it is not.
template <class T>
HWY_INLINE hn::Vec<Tag<T>> Residue(hn::Vec<Tag<T>> x) {
  return hn::Sub(x, x);
}

/// b̂ − 1 = B (b − 1) Bᵀ + A + Aᵀ + A Aᵀ with A = Δt ∇v, B = 1 + A: no digit of a small strain is lost to the 1.
/// Returns det B.
template <class T, int dim>
HWY_INLINE hn::Vec<Tag<T>> TrialStrain(const hn::Vec<Tag<T>> (&A)[extent<dim>][extent<dim>], Symmetric<T, dim>& strain) {
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  const V one = hn::Set(d, T{1});
  V B[extent<dim>][extent<dim>], M[extent<dim>][extent<dim>];
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) B[i][j] = i == j ? hn::Add(A[i][j], one) : A[i][j];
  // M = B (b − 1) + A/…: the products that meet Bᵀ, then the symmetric rest.
  for (int i = 0; i < dim; ++i) {
    for (int j = 0; j < dim; ++j) {
      V sum = hn::Mul(B[i][0], strain(0, j));
      for (int k = 1; k < dim; ++k) sum = hn::MulAdd(B[i][k], strain(k, j), sum);
      M[i][j] = sum;
    }
  }
  for (int i = 0; i < dim; ++i) {
    for (int j = i; j < dim; ++j) {
      V sum = hn::Add(A[i][j], A[j][i]);
      for (int k = 0; k < dim; ++k) sum = hn::MulAdd(A[i][k], A[j][k], sum);
      V stretched = hn::Mul(M[i][0], B[j][0]);
      for (int k = 1; k < dim; ++k) stretched = hn::MulAdd(M[i][k], B[j][k], stretched);
      strain.s[symmetric_index<dim>(i, j)] = hn::Add(stretched, sum);
    }
  }
  if constexpr (dim == 2) return hn::NegMulAdd(B[0][1], B[1][0], hn::Mul(B[0][0], B[1][1]));
  const int last = dim - 1;
  const V cofactor0 = hn::NegMulAdd(B[1][last], B[last][1], hn::Mul(B[1][1], B[last][last]));
  const V cofactor1 = hn::NegMulAdd(B[1][0], B[last][last], hn::Mul(B[1][last], B[last][0]));
  const V cofactor2 = hn::NegMulAdd(B[1][1], B[last][0], hn::Mul(B[1][0], B[last][1]));
  return hn::MulAdd(B[0][0], cofactor0, hn::MulAdd(B[0][1], cofactor1, hn::Mul(B[0][last], cofactor2)));
}

/// Moves the particles; those that leave their cells are listed.
template <class T, int dim>
HWY_INLINE void Move(const FromTile<T>& a, std::size_t first, std::size_t real, const hn::Vec<Tag<T>>* v_bar,
                     hn::Vec<Tag<T>>* offset) {
  const Tag<T> d;
  constexpr std::size_t n = lanes<T>;
  using V = hn::Vec<Tag<T>>;
  const V scale = hn::Set(d, a.dt / a.h);
  V shift[extent<dim>];
  V any = hn::Zero(d);
  for (int c = 0; c < dim; ++c) {
    const V moved = hn::MulAdd(scale, v_bar[c], offset[c]);
    shift[c] = hn::Round(moved);
    offset[c] = hn::Sub(moved, shift[c]);
    any = hn::Max(any, hn::Abs(shift[c]));
  }
  if (hn::AllFalse(d, hn::Gt(any, hn::Zero(d)))) return;
  HWY_ALIGN T cells[extent<dim>][n];
  for (int c = 0; c < dim; ++c) hn::Store(shift[c], d, cells[c]);
  for (std::size_t lane = 0; lane < real; ++lane) {
    bool leaves = false;
    Moved entry{static_cast<std::uint32_t>(first + lane), {0, 0, 0}};
    for (int c = 0; c < dim; ++c) {
      // Beyond this a particle has left any domain; the caller says so.
      constexpr T far = T{1e9};
      const T s = cells[c][lane];
      entry.shift[c] = static_cast<std::int32_t>(s > far ? far : (s < -far ? -far : s));
      leaves = leaves || entry.shift[c] != 0;
    }
    if (leaves) a.moved[(*a.moved_count)++] = entry;
  }
}

template <class T>
HWY_INLINE T MaxOfLanes(hn::Vec<Tag<T>> v) {
  const Tag<T> d;
  return hn::GetLane(hn::MaxOfLanes(d, v));
}

/// One vector of particles from the grid to the end of the step.
template <class T, int dim, int K, bool affine>
HWY_INLINE void FinishLanes(const FromTile<T>& a, std::size_t first, std::size_t real, hn::Vec<Tag<T>>& speed2) {
  using R = Record<dim>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  constexpr std::size_t n = lanes<T>;
  const V zero = hn::Zero(d);
  const T* in[n];
  T* out[n];
  HWY_ALIGN T surplus[R::size];
  for (std::size_t lane = 0; lane < n; ++lane) {
    T* record = a.records + R::size * a.order[first + (lane < real ? lane : real - 1)];
    in[lane] = record;
    out[lane] = lane < real ? record : surplus;
  }
  const auto valid = hn::FirstN(d, real);
  V field[4 * R::chunks];
  for (std::size_t c = 0; c < R::chunks; ++c) LoadFour<T>(in, 4 * c, field + 4 * c);

  GridView<T, dim> view;
  V grad[extent<dim>][extent<dim>];
  constexpr std::size_t between_size = dim + dim * dim;
  if (a.parts.g2p) {
    GatherLanes<T, dim, K, affine>(a, first, real, field + R::offset, view);
    const V per_h = hn::Set(d, T{1} / a.h);
    const V affine_scale = hn::Set(d, (K == 4 ? T{3} : T{4}) / a.h);  // h/D
    const V keep = hn::Set(d, a.keep);
    V residue = zero;
    V squared = zero;
    for (int c = 0; c < dim; ++c) {
      V& v = field[R::v + static_cast<std::size_t>(c)];
      v = a.keep == T{0} ? view.kept[c] : hn::MulAdd(keep, v, view.kept[c]);
      squared = hn::MulAdd(v, v, squared);
      residue = hn::Add(residue, hn::Add(Residue<T>(v), Residue<T>(view.v_bar[c])));
      for (int b = 0; b < dim; ++b) {
        V& C = field[R::C + static_cast<std::size_t>(dim * c + b)];
        C = affine ? hn::Mul(view.moment[c][b], affine_scale) : zero;
        grad[c][b] = hn::Mul(view.slope[c][b], per_h);
        residue = hn::Add(residue, hn::Add(Residue<T>(C), Residue<T>(grad[c][b])));
      }
    }
    speed2 = hn::Max(speed2, squared);
    const auto bad = hn::Ne(residue, zero);
    if (HWY_UNLIKELY(!hn::AllFalse(d, bad))) Blame<T>(a, bad, first, real, Fault::g2p_not_finite);
    if (a.between != nullptr) {
      for (std::size_t lane = 0; lane < real; ++lane) {
        // Rarely used: a stop between stages.
        HWY_ALIGN T value[n];
        T* to = a.between + between_size * a.order[first + lane];
        for (int c = 0; c < dim; ++c) {
          hn::Store(view.v_bar[c], d, value);
          to[c] = value[lane];
          for (int b = 0; b < dim; ++b) {
            hn::Store(grad[c][b], d, value);
            to[dim + dim * c + b] = value[lane];
          }
        }
      }
    }
  } else if (a.parts.update) {
    for (std::size_t k = 0; k < between_size; ++k) {
      HWY_ALIGN T value[n];
      for (std::size_t lane = 0; lane < n; ++lane)
        value[lane] = a.between[between_size * a.order[first + (lane < real ? lane : real - 1)] + k];
      const V v = hn::Load(d, value);
      if (k < extent<dim>) view.v_bar[k] = v;
      else grad[(k - dim) / dim][(k - dim) % dim] = v;
    }
  }

  PlasticState<T, dim> state;
  for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) state.strain.s[k] = field[R::strain + k];
  if (a.parts.update) {
    const V dt = hn::Set(d, a.dt);
    for (int c = 0; c < dim; ++c)
      for (int b = 0; b < dim; ++b) grad[c][b] = hn::Mul(dt, grad[c][b]);
    const V det = TrialStrain<T, dim>(grad, state.strain);
    const auto inverted = hn::Le(det, zero);
    if (HWY_UNLIKELY(!hn::AllFalse(d, inverted))) Blame<T>(a, inverted, first, real, Fault::inverted);
    Move<T, dim>(a, first, real, view.v_bar, field + R::offset);
    V residue = zero;
    for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) residue = hn::Add(residue, Residue<T>(state.strain.s[k]));
    for (int c = 0; c < dim; ++c) residue = hn::Add(residue, Residue<T>(field[R::offset + static_cast<std::size_t>(c)]));
    const auto bad = hn::Ne(residue, zero);
    if (HWY_UNLIKELY(!hn::AllFalse(d, bad))) Blame<T>(a, bad, first, real, Fault::update_not_finite);
  }
  if (a.parts.plasticity) {
    LaneLaw<T> law;
    SetLaw<T>(a.laws, a.materials, field[R::flags], law);
    state.q = field[R::q];
    state.v_c = field[R::v_c];
    ReturnToCone<T, dim>(law, field[R::volume], a.hardening, state);
    V residue = hn::Add(Residue<T>(state.q), Residue<T>(state.v_c));
    for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) {
      residue = hn::Add(residue, hn::Add(Residue<T>(state.strain.s[k]), Residue<T>(state.stress.s[k])));
      field[R::stress + k] = state.stress.s[k];
    }
    const auto bad = hn::Ne(residue, zero);
    if (HWY_UNLIKELY(!hn::AllFalse(d, bad))) Blame<T>(a, bad, first, real, Fault::plasticity_not_finite);
    field[R::q] = state.q;
    field[R::v_c] = state.v_c;
    const auto is = [&](T which) HWY_ATTR {
      return hn::CountTrue(d, hn::And(valid, hn::Eq(state.plastic_case, hn::Set(d, which))));
    };
    a.tally->inside += is(T{1});
    a.tally->tip += is(T{2});
    a.tally->surface += is(T{3});
    const V quarter = hn::Set(d, T{0.25});
    const V material = hn::Floor(hn::Mul(field[R::flags], quarter));
    field[R::flags] = hn::MulAdd(material, hn::Set(d, T{4}), state.plastic_case);
  }
  for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) field[R::strain + k] = state.strain.s[k];
  for (std::size_t c = 0; c < R::chunks; ++c) StoreFour<T>(field + 4 * c, out, 4 * c);
}

template <class T, int dim, int K, bool affine>
HWY_NOINLINE void BlockFromTile(const FromTile<T>& a) {
  constexpr std::size_t n = lanes<T>;
  const Tag<T> d;
  hn::Vec<Tag<T>> speed2 = hn::Zero(d);
  for (std::size_t first = 0; first < a.count; first += n) {
    const std::size_t real = a.count - first < n ? a.count - first : n;
    FinishLanes<T, dim, K, affine>(a, first, real, speed2);
  }
  const T fastest = MaxOfLanes<T>(speed2);
  if (fastest > a.tally->max_speed2) a.tally->max_speed2 = fastest;
}

/// V⁰ τ of `count` records in storage order, from their strains.
template <class T, int dim>
HWY_NOINLINE void StressFromStrain(T* records, std::size_t count, const LawRow<T>* laws, std::size_t materials) {
  using R = Record<dim>;
  const Tag<T> d;
  using V = hn::Vec<Tag<T>>;
  constexpr std::size_t n = lanes<T>;
  for (std::size_t first = 0; first < count; first += n) {
    const std::size_t real = count - first < n ? count - first : n;
    const T* in[n];
    T* out[n];
    HWY_ALIGN T surplus[R::size];
    for (std::size_t lane = 0; lane < n; ++lane) {
      in[lane] = records + R::size * (first + (lane < real ? lane : real - 1));
      out[lane] = lane < real ? records + R::size * (first + lane) : surplus;
    }
    V field[4 * R::chunks];
    for (std::size_t c = 0; c < R::chunks; ++c) LoadFour<T>(in, 4 * c, field + 4 * c);
    LaneLaw<T> law;
    SetLaw<T>(laws, materials, field[R::flags], law);
    Symmetric<T, dim> strain;
    for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) strain.s[k] = field[R::strain + k];
    Symmetric<T, dim> deviator = HalfLog1p<T, dim>(strain);
    const V mean = hn::Mul(Trace(deviator), hn::Set(d, static_cast<T>(1.0 / dim)));
    for (int k = 0; k < dim; ++k) deviator.s[k] = hn::Sub(deviator.s[k], mean);
    const Symmetric<T, dim> stress = StressOf<T, dim>(deviator, mean, law, field[R::volume]);
    for (std::size_t k = 0; k < Symmetric<T, dim>::size; ++k) field[R::stress + k] = stress.s[k];
    for (std::size_t c = 0; c < R::chunks; ++c) StoreFour<T>(field + 4 * c, out, 4 * c);
  }
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
