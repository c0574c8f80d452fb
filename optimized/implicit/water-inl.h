// Water in an implicit step: pressures of the volumes at its end and their derivative. Compiled once per instruction set.
#if defined(REPOSE_OPTIMIZED_IMPLICIT_WATER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REPOSE_OPTIMIZED_IMPLICIT_WATER_INL_H_
#undef REPOSE_OPTIMIZED_IMPLICIT_WATER_INL_H_
#else
#define REPOSE_OPTIMIZED_IMPLICIT_WATER_INL_H_
#endif

#include "optimized/implicit/divergence-inl.h"
#include "optimized/implicit/rounded_change-inl.h"
#include "optimized/implicit/trial_stress-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

/// The volume at the step's end and what follows from it. With y = ln Ĵ
///
///     Ĵ = (1 + Δt tr ∇v) J,   y = ln J + ln(1 + Δt tr ∇v)                                  [Tam17 §4.3.1; ERRATA T14]
///     taken = −Δt V⁰ p(Ĵ) J ∇w,   p = k (e^{−γy} − 1)                                      [Tam17 Eq.17]
///     bulk = Δt V⁰ J² ψ″(Ĵ) = Δt V⁰ J² kγ e^{−(γ+1)y},   ψ = k (e^y − 1 − y E((1 − γ) y))
///
/// E(x) = (eˣ − 1)/x; ψ(1) = 0 and ψ′ = −p. Water without tension has p = ψ = ψ″ = 0 above J = 1.
///
/// Sets what a pack says of the pressure at Δt tr ∇v = H. @returns Δt V⁰ p(Ĵ) J
/// @param energy Δt V⁰ ψ and Δt V⁰ ‖τ‖ = √d Δt V⁰ |p| Ĵ, where `of.lagged`
template <int dim>
HWY_INLINE Doubles SetPressure(const PackBlock<dim>& of, const PackLanes<dim>& at, Doubles H,
                               Doubles* energy) {
  using P = Pack<dim>;
  const Tag<double> d;
  const Doubles zero = hn::Zero(d);
  const Doubles one = hn::Set(d, 1.0);
  const Doubles stiffness = at.Get(P::stiffness);
  const Doubles exponent = at.Get(P::exponent);
  const Doubles scale = at.Get(P::scale);
  auto sound = hn::Gt(H, hn::Set(d, -1.0));
  const Doubles log_J = at.Get(P::log_J);
  const Doubles y = hn::Add(log_J, Log1p<double>(hn::IfThenElseZero(sound, H)));
  const Doubles J = hn::Exp(d, log_J);

  const Doubles unbound = hn::Mul(stiffness, Expm1<double>(hn::Mul(exponent, y)));
  const Doubles least = at.Get(P::least_pressure);
  const auto slack = hn::Lt(unbound, least);
  const Doubles pressure = hn::Max(unbound, least);
  const Doubles push = hn::Mul(hn::Mul(scale, pressure), J);
  // γ: lambda is γk.
  const Doubles bend = hn::Exp(d, hn::MulAdd(hn::Sub(exponent, one), y, hn::Add(log_J, log_J)));
  const Doubles bulk = hn::IfThenZeroElse(slack, hn::Mul(hn::Mul(scale, at.Get(P::lambda)), bend));
  at.Set(P::bulk, bulk);
  if (of.lagged) {
    Doubles quotient, unused;
    ExpQuotients(hn::Mul(hn::Add(exponent, one), y), quotient, unused);
    const Doubles swelling = Expm1<double>(y);
    const Doubles psi = hn::Mul(stiffness, hn::NegMulAdd(y, quotient, swelling));
    energy[0] = hn::IfThenZeroElse(slack, hn::Mul(scale, psi));
    const Doubles size = hn::Mul(hn::Abs(pressure), hn::Add(one, swelling));
    energy[1] = hn::Mul(hn::Mul(scale, size), hn::Set(d, dim == 2 ? 1.4142135623730951 : 1.7320508075688772));
  }
  sound = hn::And(sound, hn::IsFinite(hn::Add(push, bulk)));
  at.Set(P::sound, hn::IfThenElse(sound, one, zero));
  return push;
}

/// MoveBlock() of water. @returns false if the velocities invert a particle, Ĵ ≤ 0, or a number is not finite
template <int dim, int K>
HWY_NOINLINE bool MoveWaterBlock(const PackBlock<dim>& a) {
  const Tag<double> d;
  const Doubles dt_over_h = hn::Set(d, a.dt_over_h);
  const Doubles per_h = hn::Set(d, -a.per_h);
  return MoveParticles<dim, K>(
      a, [&](const PackLanes<dim>& at, const Matrix<dim>& slopes, Doubles(&energy)[2]) HWY_ATTR {
        Doubles trace = hn::Add(slopes(0, 0), slopes(1, 1));
        if constexpr (dim == 3) trace = hn::Add(trace, slopes(2, 2));
        const Doubles push = hn::Mul(SetPressure<dim>(a, at, hn::Mul(trace, dt_over_h), energy), per_h);
        Matrix<dim> G;
        for (std::size_t c = 0; c < extent<dim>; ++c)
          for (std::size_t b = 0; b < extent<dim>; ++b) G(c, b) = c == b ? push : hn::Zero(d);
        return G;
      });
}

/// ChangeBlock() of water: of the slopes of velocities only their trace counts, and what it changes is a number.
template <int dim, int K>
HWY_NOINLINE void WaterChangeBlock(const PackBlock<dim>& a) {
  using P = Pack<dim>;
  using S = DivergenceTable<dim>;
  constexpr std::size_t n = lanes<double>;
  const Tag<double> d;
  std::fill_n(a.to, Block<dim>::tile_values, 0.0);
  const Doubles scale = hn::Set(d, a.dt_over_h * a.per_h);
  HWY_ALIGN double table[n * S::size];
  HWY_ALIGN double records[4 * n];
  HWY_ALIGN double push[n];
  for (std::size_t first = 0; first < a.count; first += n) {
    const PackLanes<dim> at{a.packs[first / P::lanes], first % P::lanes};
    const std::size_t real = a.count - first < n ? a.count - first : n;
    Weights<double, K> weight[extent<dim>];
    REPOSE_UNROLL
    for (int axis = 0; axis < dim; ++axis)
      SetWeights<double, K>(at.Get(P::offset + static_cast<std::size_t>(axis)), weight[axis]);
    StoreDivergence<double, dim, K>(weight, table);
    if (HWY_UNLIKELY(real < n)) std::fill_n(records, 4 * n, 0.0);
    for (std::size_t lane = 0; lane < real; ++lane)
      GatherDivergence<dim, K>(a.from + Block<dim>::tile_offset(a.code[first + lane]), table + lane * S::size,
                               records + 4 * lane);
    hn::Store(hn::Mul(hn::Mul(at.Get(P::bulk), scale), DivergenceOf<double, dim>(records)), d, push);
    for (std::size_t lane = 0; lane < real; ++lane)
      ScatterGradient<dim, K>(push[lane], table + lane * S::size,
                              a.to + Block<dim>::tile_offset(a.code[first + lane]));
  }
}

/// StressChangeOf for water.
template <int dim, int K>
struct PressureChangeOf {
  using V = hn::Vec<Tag<float>>;
  static constexpr std::size_t table_size = DivergenceTable<dim>::size;
  static constexpr std::size_t stride = 4;
  V push;

  static HWY_INLINE void StoreWeights(const Weights<float, K>* weight, float* table) {
    StoreDivergence<float, dim, K>(weight, table);
  }
  static HWY_INLINE void Gather(const float* base, const float* table, float* out) {
    GatherRoundedDivergence<dim, K>(base, table, out);
  }
  HWY_INLINE PressureChangeOf(const PackLanes<dim, const RoundedPack<dim>>& at, const float* records,
                              float scale)
      : push(hn::Mul(hn::Mul(at.Get(RoundedPack<dim>::bulk), hn::Set(Tag<float>(), scale)),
                     DivergenceOf<float, dim>(records))) {}
  HWY_INLINE V Along(std::size_t b, std::size_t c, V g) const {
    return b == c ? hn::Mul(g, push) : hn::Zero(Tag<float>());
  }
};

/// ColumnsBlock() of water: N = bulk g gᵀ.
template <int dim, int K>
HWY_NOINLINE void WaterColumnsBlock(const PackBlock<dim>& a) {
  using P = Pack<dim>;
  constexpr std::size_t stride = 4 * axis_pairs<dim>;
  const Tag<double> d;
  std::fill_n(a.to, extent<dim> * Block<dim>::tile_values, 0.0);
  const Doubles scale = hn::Set(d, a.dt_over_h * a.per_h);
  VisitLanes<dim, K>(
      a, [&](const PackLanes<dim>& at, const double* table, std::size_t first, std::size_t real) HWY_ATTR {
        HWY_ALIGN double bulk[lanes<double>];
        hn::Store(hn::Mul(at.Get(P::bulk), scale), d, bulk);
        for (std::size_t lane = 0; lane < real; ++lane) {
          for (std::size_t b = 0; b < extent<dim>; ++b) {
            double terms[stride] = {};
            for (std::size_t c = 0; c < extent<dim>; ++c) {
              const std::size_t pair = symmetric_index<dim>(static_cast<int>(c), static_cast<int>(b));
              terms[4 * pair + 1 + c] = bulk[lane];
            }
            ScatterProducts<dim, K>(
                terms, table + lane * SlopeTable<dim>::size,
                a.to + b * Block<dim>::tile_values + Block<dim>::tile_offset(a.code[first + lane]));
          }
        }
      });
}

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
