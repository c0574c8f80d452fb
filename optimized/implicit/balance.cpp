#include "optimized/implicit/balance.h"

#include "optimized/law/law_row.h"
#include "optimized/law/water_row.h"
#include "reference/interface/methods/mpm_options.h"

#include <omp.h>

#include <limits>
#include <utility>

namespace repose::optimized {

namespace {

template <class T>
std::size_t count_active(const T* before, std::size_t records) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < records; ++n) count += before[4 * n] > T{0} ? 1U : 0U;
  return count;
}

}  // namespace

template <class T, int dim>
Balance<T, dim>::Balance(const Scene& scene, ParticlesAt<T, dim> particles, const T* before, double dt,
                         const Team& team, const ImplicitKernels<dim>& kernels)
    : scene_(scene),
      particles_(particles),
      dt_(dt),
      team_(team),
      kernels_(kernels),
      kernel_(mpm_options(scene).kernel == Kernel::cubic ? 1 : 0),
      algebra_(dim * count_active(before, particles.order->grid().node_blocks() * B::nodes), team,
               kernels.dots, kernels.add),
      lagged_(mpm_options(scene).integrator == Integrator::semi_implicit),
      unilateral_(mpm_options(scene).energy == Energy::unilateral),
      water_(is_water(scene)),
      energy_(particles.order->grid().blocks()),
      tile_of_thread_(static_cast<std::size_t>(team.size())) {
  number_nodes(before);
  fill_packs();
  const std::size_t blocks = particles.order->grid().blocks();
  records_.resize(particles.order->grid().node_blocks() * B::node_values);
  std::fill(records_.begin(), records_.end(), 0.0);
  tiles_.resize(blocks * B::tile_values);
  magnitude_tiles_.resize(blocks * B::tile_values / 4);
  for (Buffer<double>& tile : tile_of_thread_) {
    tile.resize(B::tile_values);
    std::fill(tile.begin(), tile.end(), 0.0);
  }
  sum_stiffness();
}

template <class T, int dim>
void Balance<T, dim>::number_nodes(const T* before) {
  const std::size_t blocks = particles_.order->grid().node_blocks();
  for (std::size_t n = 0; n < blocks * B::nodes; ++n) {
    if (n % B::nodes == 0) first_of_block_.push_back(node_.size());
    if (!(before[4 * n] > T{0})) continue;
    node_.push_back(static_cast<std::uint32_t>(n));
    mass_.push_back(static_cast<double>(before[4 * n]));
    for (std::size_t c = 1; c <= dim; ++c) momentum_.push_back(static_cast<double>(before[4 * n + c]));
  }
  first_of_block_.push_back(node_.size());
  magnitude_.resize(node_.size());
}

template <class T, int dim>
void Balance<T, dim>::fill_packs() {
  const auto& order = *particles_.order;
  std::vector<LawRow<double>> laws;
  std::vector<WaterRow<double>> waters;
  for (const Material& m : scene_.materials) {
    laws.push_back(law_row(m, dim, mpm_options(scene_).energy));
    waters.push_back(water_row<double>(m));
  }
  first_pack_.assign(1, 0);
  for (std::size_t b = 0; b < order.grid().blocks(); ++b)
    first_pack_.push_back(first_pack_[b] + (order.count(b) + P::lanes - 1) / P::lanes);
  packs_.resize(first_pack_.back());
#pragma omp parallel for schedule(static) num_threads(threads())
  for (std::size_t b = 0; b < order.grid().blocks(); ++b) {
    std::fill_n(packs_[first_pack_[b]].field[0], (first_pack_[b + 1] - first_pack_[b]) * P::fields * P::lanes,
                0.0);
    for (std::size_t k = 0; k < order.count(b); ++k) {
      const std::size_t slot = order.records()[order.begin(b) + k];
      const T* r = particles_.records + R::size * slot;
      const std::size_t material = static_cast<std::size_t>(r[R::flags]) / 4;
      P& pack = packs_[first_pack_[b] + k / P::lanes];
      const std::size_t lane = k % P::lanes;
      for (std::size_t a = 0; a < P::axes; ++a)
        pack.field[P::offset + a][lane] = static_cast<double>(r[R::offset + a]);
      pack.field[P::scale][lane] = dt_ * static_cast<double>(r[R::volume]);
      if (water_)
        fill_lane(r, waters[material], pack, lane);
      else
        fill_lane(r, coherent(laws[material], slot), pack, lane);
    }
  }
}

/// A material's law with the cohesion that a grain has of its own.
template <class T, int dim>
LawRow<double> Balance<T, dim>::coherent(LawRow<double> law, std::size_t slot) const {
  if (particles_.wetness == nullptr || law.elastic != 0.0) return law;
  law.cohesion = static_cast<double>(particles_.wetness[slot].c_C);
  law.radius = law.cohesion / law.two_mu;
  return law;
}

template <class T, int dim>
void Balance<T, dim>::fill_lane(const T* r, const LawRow<double>& law, P& pack, std::size_t lane) const {
  auto& field = pack.field;
  for (std::size_t s = 0; s < R::symmetric; ++s)
    field[P::strain + s][lane] = static_cast<double>(r[R::strain + s]);
  const bool hardens = law.h1 != 0.0 || law.h3 != 0.0;
  field[P::two_mu][lane] = law.two_mu;
  field[P::lambda][lane] = law.lambda;
  const double alpha = hardens ? cone_slope(law, static_cast<double>(r[R::q])) : law.alpha;
  field[P::slope][lane] = law.cone * alpha;
  field[P::radius][lane] = law.radius;
  field[P::tip][lane] = tip_strain(law, alpha);
  field[P::shift][lane] = law.keeps_volume * static_cast<double>(r[R::v_c]) / dim;
  field[P::start][lane] = law.start;  // + s_C
  if (law.follows_tip > 0.0) field[P::start][lane] += law.follows_tip * field[P::tip][lane];
  field[P::per_width][lane] = law.per_width;
  field[P::opening][lane] = law.opening;
  field[P::per_unit][lane] = law.per_unit;
}

template <class T, int dim>
void Balance<T, dim>::fill_lane(const T* r, const WaterRow<double>& law, P& pack, std::size_t lane) const {
  auto& field = pack.field;
  field[P::log_J][lane] = static_cast<double>(r[R::strain]);
  field[P::lambda][lane] = -law.exponent * law.stiffness;
  field[P::stiffness][lane] = law.stiffness;
  field[P::exponent][lane] = law.exponent;
  field[P::least_pressure][lane] = law.least;
}

template <class T, int dim>
void Balance<T, dim>::round_derivative() {
  const std::size_t blocks = particles_.order->grid().blocks();
  constexpr std::size_t per = RoundedPack<dim>::lanes / P::lanes;
  static_assert(per == 2);
  const auto round = [&](const P& from, RoundedPack<dim>& to, std::size_t half) {
    if (water_)
      round_water_pack<dim>(from, to, half);
    else
      round_pack<dim>(from, lagged_, to, half);
  };
  if (first_rounded_.empty()) {
    first_rounded_.push_back(0);
    for (std::size_t b = 0; b < blocks; ++b)
      first_rounded_.push_back(first_rounded_[b] + (first_pack_[b + 1] - first_pack_[b] + per - 1) / per);
    rounded_.resize(first_rounded_.back());
    rounded_tiles_.resize(blocks * B::tile_values);
  }
#pragma omp parallel for schedule(static) num_threads(threads())
  for (std::size_t b = 0; b < blocks; ++b) {
    RoundedPack<dim>* to = rounded_.data() + first_rounded_[b];
    const std::size_t packs = first_pack_[b + 1] - first_pack_[b];
    for (std::size_t k = 0; k < packs; ++k) round(packs_[first_pack_[b] + k], to[k / per], k % per);
    // Whoever fills up the last one has no stress.
    if (packs % per != 0) round(P{}, to[packs / per], 1);
  }
}

template <class T, int dim>
void Balance<T, dim>::sum_stiffness() {
  const auto& grid = particles_.order->grid();
  stiffness_.resize(nodes());
#pragma omp parallel num_threads(threads())
  {
#pragma omp for schedule(dynamic, 1)
    for (std::size_t b = 0; b < grid.blocks(); ++b) {
      PackBlock<dim> one = block(b);
      one.magnitude = magnitude_tiles_.data() + b * B::tile_values / 4;
      kernels_.stiffness[kernel_](one);
    }
#pragma omp for schedule(static)
    for (std::size_t n = 0; n < grid.node_blocks(); ++n) {
      double sum[B::nodes];
      sum_tiles<dim, 1>(grid, n, magnitude_tiles_.data(), B::tile_values / 4, reach(), sum);
      for (std::size_t k = first_of_block_[n]; k < first_of_block_[n + 1]; ++k)
        stiffness_[k] = sum[node_[k] % B::nodes];
    }
  }
}

template <class T, int dim>
PackBlock<dim> Balance<T, dim>::block(std::size_t b) const {
  const auto& order = *particles_.order;
  PackBlock<dim> one;
  one.packs = packs_.data() + first_pack_[b];
  one.code = order.codes() + order.begin(b);
  one.count = order.count(b);
  one.per_h = 1.0 / scene_.grid.h;
  one.dt_over_h = dt_ / scene_.grid.h;
  one.lagged = lagged_;
  one.unilateral = unilateral_;
  return one;
}

template <class T, int dim>
NodeVector Balance<T, dim>::velocity_before() const {
  NodeVector v(momentum_.size());
  for (std::size_t at = 0; at < v.size(); ++at) v[at] = momentum_[at] / mass_[at / dim];
  return v;
}

/// The node records that a block's stencils reach, side by side.
template <class T, int dim>
const double* Balance<T, dim>::fill_tile(std::size_t block) const {
  double* tile = tile_of_thread_[static_cast<std::size_t>(omp_get_thread_num())].data();
  const auto& links = particles_.order->grid().nodes_of(block);
  for (std::size_t o = 0; o < links.size(); ++o) {
    const double* from = records_.data() + links[o] * B::node_values;
    visit_shared_rows<dim>(o, reach(), [&](std::size_t in_tile, std::size_t in_nodes, std::size_t count) {
      copy_row<dim>(from + 4 * in_nodes, count, tile + 4 * in_tile);
    });
  }
  visit_images<dim>(particles_.order->grid(), block, reach(), [&](std::size_t in_tile, std::size_t node) {
    std::copy_n(records_.data() + 4 * node, 4, tile + 4 * in_tile);
  });
  return tile;
}

template <class T, int dim>
std::optional<std::uint32_t> Balance<T, dim>::first_unsound() const {
  const auto& order = *particles_.order;
  std::optional<std::uint32_t> first;
  for (std::size_t b = 0; b < order.grid().blocks(); ++b) {
    for (std::size_t k = 0; k < order.count(b); ++k) {
      if (packs_[first_pack_[b] + k / P::lanes].field[P::sound][k % P::lanes] != 0.0) continue;
      const std::uint32_t id = particles_.id[order.records()[order.begin(b) + k]];
      first = first ? std::min(*first, id) : id;
    }
  }
  return first;
}

template <class T, int dim>
std::optional<std::uint32_t> Balance<T, dim>::move_to(NodeVector v) {
  v_ = std::move(v);
  impulse_.resize(v_.size());
  double fastest2 = 0.0;
  for (std::size_t k = 0; k < nodes(); ++k) fastest2 = std::max(fastest2, of_node<dim>(v_, k).squaredNorm());
  fastest_ = std::sqrt(fastest2);
  const auto& grid = particles_.order->grid();
  const Vec<dim> fall = dt_ * scene_.gravity.head<dim>();
  const double fall_length = fall.norm();
  bool sound = true;
  std::uint64_t massless = 0;
  Attendance attendance(team_, grid.blocks());
#pragma omp parallel num_threads(threads()) reduction(&& : sound) reduction(+ : massless)
  {
    bool any = false;
    spread([&](std::size_t k) { return Vec<dim>(of_node<dim>(v_, k)); });
#pragma omp for schedule(dynamic, 1)
    for (std::size_t b = 0; b < grid.blocks(); ++b) {
      attendance.take(any);
      PackBlock<dim> one = block(b);
      one.from = fill_tile(b);
      one.to = tiles_.data() + b * B::tile_values;
      one.magnitude = magnitude_tiles_.data() + b * B::tile_values / 4;
      one.energy = &energy_[b];
      sound = kernels_.move[kernel_](one) && sound;
    }
#pragma omp for schedule(static)
    for (std::size_t n = 0; n < grid.node_blocks(); ++n) {
      double taken[B::node_values], magnitude[B::nodes];
      sum_tiles<dim, 4>(grid, n, tiles_.data(), B::tile_values, reach(), taken);
      sum_tiles<dim, 1>(grid, n, magnitude_tiles_.data(), B::tile_values / 4, reach(), magnitude);
      std::size_t forced = 0;
      for (const double one : magnitude) forced += one != 0.0 ? 1U : 0U;
      for (std::size_t k = first_of_block_[n]; k < first_of_block_[n + 1]; ++k) {
        const std::size_t local = node_[k] % B::nodes;
        if (magnitude[local] != 0.0) --forced;
        magnitude_[k] = magnitude[local] + mass_[k] * fall_length;
        for (std::size_t c = 0; c < dim; ++c)
          impulse_[dim * k + c] =
              mass_[k] * fall[static_cast<int>(c)] - taken[4 * local + 1 + c];  // [Klar16 Eq.24]
      }
      massless += forced;
    }
  }
  massless_ = massless;
  threads_moving_ = std::max(threads_moving_, attendance.count());
  return sound ? std::nullopt : first_unsound();
}

template <class T, int dim>
void Balance<T, dim>::residual(NodeVector& R_i) const {
  R_i.resize(v_.size());
  const int threads = team_.of(number_ns * static_cast<double>(v_.size()));
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t at = 0; at < v_.size(); ++at)
    R_i[at] = mass_[at / dim] * v_[at] - momentum_[at] - impulse_[at];  // [Klar16 Eq.19]
}

template <class T, int dim>
double Balance<T, dim>::rounding(std::size_t k) const {
  const double carried = mass_[k] * of_node<dim>(v_, k).norm() + of_node<dim>(momentum_, k).norm();
  const double strained = stiffness_[k] * (1.0 + dt_ * fastest_ / scene_.grid.h);
  return 64.0 * std::numeric_limits<double>::epsilon() * (carried + magnitude_[k] + strained);
}

template <class T, int dim>
typename Balance<T, dim>::Height Balance<T, dim>::height() const {
  const Vec<dim> fall = dt_ * scene_.gravity.head<dim>();
  std::vector<std::pair<double, double>> moving(nodes());  // the node's part of E, and its size
  const int threads = team_.of(16.0 * number_ns * static_cast<double>(nodes()));
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t k = 0; k < nodes(); ++k) {
    const Vec<dim> v = of_node<dim>(v_, k);
    const Vec<dim> before = of_node<dim>(momentum_, k) / mass_[k];
    const Vec<dim> change = v - before;
    moving[k] = {mass_[k] * (0.5 * change.squaredNorm() - fall.dot(v)),
                 mass_[k] * (change.norm() * (v.norm() + before.norm()) + fall.norm() * v.norm())};
  }
  Height sum;
  double size = 0.0, strained = 0.0;
  for (const auto& [part, of] : moving) {
    sum.energy += part;
    size += of;
  }
  double elastic = 0.0;
  for (const BlockEnergy& of : energy_) {
    elastic += of.sum;
    strained += of.stress;
  }
  sum.energy += elastic / dt_;
  size += elastic / dt_;  // ψ ≥ 0
  const double terms = static_cast<double>(nodes() + particles_.order->size());
  const double strain = 64.0 * (1.0 + dt_ * fastest_ / scene_.grid.h);
  sum.rounding = std::numeric_limits<double>::epsilon() * ((64.0 + terms) * size + strain * strained / dt_);
  return sum;
}

template <class T, int dim>
std::vector<Mat<dim>> Balance<T, dim>::diagonal_blocks() const {
  std::vector<Mat<dim>> result(nodes());
  const auto& grid = particles_.order->grid();
  Buffer<double> tiles;
  tiles.resize(grid.blocks() * dim * B::tile_values);
#pragma omp parallel num_threads(threads())
  {
#pragma omp for schedule(dynamic, 1)
    for (std::size_t b = 0; b < grid.blocks(); ++b) {
      PackBlock<dim> one = block(b);
      one.to = tiles.data() + b * dim * B::tile_values;
      kernels_.columns[kernel_](one);
    }
#pragma omp for schedule(static)
    for (std::size_t n = 0; n < grid.node_blocks(); ++n) {
      for (std::size_t column = 0; column < dim; ++column) {
        double sum[B::node_values];
        sum_tiles<dim, 4>(grid, n, tiles.data() + column * B::tile_values, dim * B::tile_values, reach(),
                          sum);
        for (std::size_t k = first_of_block_[n]; k < first_of_block_[n + 1]; ++k) {
          const int c = static_cast<int>(column);
          result[k].col(c) = Eigen::Map<const Vec<dim>>(sum + 4 * (node_[k] % B::nodes) + 1);
          result[k](c, c) += mass_[k];
        }
      }
    }
  }
  return result;
}

template class Balance<float, 2>;
template class Balance<float, 3>;
template class Balance<double, 2>;
template class Balance<double, 3>;

}  // namespace repose::optimized
