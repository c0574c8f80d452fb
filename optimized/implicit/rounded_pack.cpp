#include "optimized/implicit/kernels.h"

namespace repose::optimized {

namespace {

/// Rounds `count` fields from one on.
template <int dim>
void round_fields(const Pack<dim>& from, std::size_t first, std::size_t count, RoundedPack<dim>& to,
                  std::size_t into, std::size_t half) {
  constexpr std::size_t lanes = Pack<dim>::lanes;
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      to.field[into + k][half * lanes + lane] = static_cast<float>(from.field[first + k][lane]);
}

}  // namespace

template <int dim>
void round_water_pack(const Pack<dim>& from, RoundedPack<dim>& to, std::size_t half) {
  using P = Pack<dim>;
  using Q = RoundedPack<dim>;
  round_fields<dim>(from, P::offset, P::axes, to, Q::offset, half);
  round_fields<dim>(from, P::bulk, 1, to, Q::bulk, half);
}

template <int dim>
void round_pack(const Pack<dim>& from, bool symmetric, RoundedPack<dim>& to, std::size_t half) {
  using P = Pack<dim>;
  using Q = RoundedPack<dim>;
  const auto lane_by_lane = [&](std::size_t field, auto&& value) {
    float* out = to.field[field] + half * P::lanes;
    for (std::size_t lane = 0; lane < P::lanes; ++lane) out[lane] = static_cast<float>(value(lane));
  };
  const auto copy = [&](std::size_t first, std::size_t count, std::size_t into) {
    round_fields<dim>(from, first, count, to, into, half);
  };
  constexpr std::size_t square = P::axes * P::axes;
  copy(P::offset, P::axes, Q::offset);
  copy(P::U, square, Q::U);
  copy(P::W, square, Q::W);
  copy(P::normal, square, Q::normal);
  copy(P::shear, 2 * P::pairs, Q::shear);
  for (std::size_t i = 0; i < P::axes; ++i) {
    for (std::size_t j = i + 1; j < P::axes; ++j) {
      const std::size_t pair = 2 * (i + j - 1);
      const auto upper = [&](std::size_t lane) {
        return from.field[P::shear + pair + 1][lane] - from.field[P::s + i][lane];
      };
      const auto lower = [&](std::size_t lane) {
        return from.field[P::shear + pair][lane] - from.field[P::s + j][lane];
      };
      lane_by_lane(Q::across + pair, upper);
      // In exact arithmetic the two are one number where the derivative is symmetric.
      lane_by_lane(Q::across + pair + 1,
                   [&](std::size_t lane) { return symmetric ? upper(lane) : lower(lane); });
      if (symmetric) copy(P::normal + P::axes * i + j, 1, Q::normal + P::axes * j + i);
    }
  }
}

template void round_pack<2>(const Pack<2>&, bool, RoundedPack<2>&, std::size_t);
template void round_pack<3>(const Pack<3>&, bool, RoundedPack<3>&, std::size_t);
template void round_water_pack<2>(const Pack<2>&, RoundedPack<2>&, std::size_t);
template void round_water_pack<3>(const Pack<3>&, RoundedPack<3>&, std::size_t);

}  // namespace repose::optimized
