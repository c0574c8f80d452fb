#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/faults/mpm/model_stages.h"

#include <map>
#include <type_traits>
#include <unordered_map>

namespace repose::faults {

namespace {

/// Kernel and slope at distance r in units of h.
template <class Real>
std::array<Real, 2> spline(Kernel kernel, Real r) {
  const Real a = std::abs(r);
  const Real sign = r < Real{0} ? Real{-1} : Real{1};
  if (kernel == Kernel::quadratic) {
    const Real far = Real(1.5) - a;
    if (a < Real(0.5)) return {Real(0.75) - a * a, Real{-2} * r};
    return a < Real(1.5) ? std::array<Real, 2>{Real(0.5) * far * far, -sign * far} : std::array<Real, 2>{};
  }
  const Real far = Real{2} - a;
  if (a < Real{1})
    return {Real{2} / Real{3} + a * a * (Real(0.5) * a - Real{1}), r * (Real(1.5) * a - Real{2})};
  return a < Real{2} ? std::array<Real, 2>{far * far * far / Real{6}, Real(-0.5) * sign * far * far}
                     : std::array<Real, 2>{};
}

/// A sum kept in about half of the precision of Real.
template <class Real>
Real narrowed(Real value) {
  if constexpr (std::is_same_v<Real, double>) {
    return static_cast<double>(static_cast<float>(value));
  } else {
    const Real split = value * Real(8193);  // 2^13 + 1: keeps 11 of 24 bits
    return split - (split - value);
  }
}

}  // namespace

template <class Real>
Neighbourhood<Real> neighbourhood(const Scene& scene, Mistake mistake, const Point& x) {
  const int dim = scene.dim();
  const double h = scene.grid.h;
  const int width = mpm_options(scene).kernel == Kernel::quadratic ? 3 : 4;
  const double shift = mpm_options(scene).kernel == Kernel::quadratic ? 0.5 : 1.0;
  std::array<std::int64_t, 3> first{};
  std::array<std::array<std::array<Real, 2>, 4>, 3> values{};
  std::array<std::array<Real, 4>, 3> arms{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(dim); ++a) {
    const double place =
        (x[static_cast<Eigen::Index>(a)] - scene.grid.domain_min[static_cast<Eigen::Index>(a)]) / h;
    const double start = place - shift;
    first[a] = static_cast<std::int64_t>(mistake == Mistake::cell_by_truncation ? std::trunc(start)
                                                                                : std::floor(start));
    const Real offset = static_cast<Real>(place - static_cast<double>(first[a]));  // of x from the first node
    for (int s = 0; s < width; ++s) {
      const auto i = static_cast<std::size_t>(s);
      const Real r = offset - static_cast<Real>(s);
      values[a][i] = spline(mpm_options(scene).kernel, r);
      arms[a][i] = -r * static_cast<Real>(h);
    }
  }
  Neighbourhood<Real> result;
  const std::size_t w = static_cast<std::size_t>(width);
  for (std::size_t i = 0; i < w; ++i)
    for (std::size_t j = 0; j < w; ++j)
      for (std::size_t k = 0; k < (dim > 2 ? w : 1); ++k) {
        const auto n = static_cast<std::size_t>(result.size++);
        const auto& p = values[0][i];
        const auto& q = values[1][j];
        const std::array<Real, 2> r = dim > 2 ? values[2][k] : std::array<Real, 2>{Real{1}, Real{0}};
        result.node[n] = scene.grid.node_id(first[0] + static_cast<std::int64_t>(i),
                                            first[1] + static_cast<std::int64_t>(j),
                                            first[2] + static_cast<std::int64_t>(k));
        const std::array<std::size_t, 3> at{i, j, k};
        for (std::size_t a = 0; a < static_cast<std::size_t>(dim); ++a) {
          const std::int64_t index = first[a] + static_cast<std::int64_t>(at[a]);
          const bool beyond = index < 0 || index >= scene.grid.cells[a];
          result.across[n] = result.across[n] || (scene.grid.periodic[a] && beyond);
        }
        result.w[n] = p[0] * q[0] * r[0];
        result.grad[n] =
            Vector<Real>(p[1] * q[0] * r[0], p[0] * q[1] * r[0], p[0] * q[0] * r[1]) / static_cast<Real>(h);
        result.arm[n] = Vector<Real>(arms[0][i], arms[1][j], dim > 2 ? arms[2][k] : Real{0});
        if (mistake == Mistake::arm_across_domain && result.across[n])
          result.arm[n] = (scene.grid.node_position(result.node[n]) - x).template cast<Real>();
      }
  if (mistake == Mistake::stencil_node_dropped) --result.size;
  return result;
}

template <class Real>
void model_p2g(const Scene& scene, Mistake mistake, Snapshot& state) {
  struct Node {
    Real m{0};
    Vector<Real> p = Vector<Real>::Zero();
  };
  const int dim = scene.dim();
  const bool affine = mpm_options(scene).transfer == Transfer::apic;
  std::map<std::int64_t, Node> nodes;
  for (std::size_t p = 0; p < state.particles(); ++p) {
    const Real m = static_cast<Real>(state.get(field::mass).value[p]);
    const Vector<Real> v = read_vector<Real>(state.get(field::v), p);
    Matrix<Real> C =
        affine ? read_matrix<Real>(state.get(field::C), p, dim, Real{0}) : Matrix<Real>(Matrix<Real>::Zero());
    if (mistake == Mistake::c_transposed) C.transposeInPlace();
    if (mistake == Mistake::affine_arm_reversed) C = -C;
    const auto near = neighbourhood<Real>(scene, mistake, read_vector<double>(state.get(field::x), p));
    for (std::size_t n = 0; n < static_cast<std::size_t>(near.size); ++n) {
      Node& node = nodes[near.node[n]];
      const bool twice = mistake == Mistake::seam_node_twice && near.across[n];
      for (int time = 0; time < (twice ? 2 : 1); ++time) {
        node.m += near.w[n] * m;
        node.p += near.w[n] * m * (v + C * near.arm[n]);
      }
      if (mistake != Mistake::narrow_accumulators) continue;
      node.m = narrowed(node.m);
      for (int a = 0; a < dim; ++a) node.p[a] = narrowed(node.p[a]);
    }
  }
  std::erase_if(nodes, [](const auto& entry) { return !(entry.second.m > Real{0}); });
  Field mass{std::string(field::m_i), "kg", Place::node, 1, std::vector<double>(nodes.size())};
  Field momentum{std::string(field::p_i), "kg m/s", Place::node, dim,
                 std::vector<double>(nodes.size() * static_cast<std::size_t>(dim))};
  std::size_t n = 0;
  state.ids(Place::node).clear();
  for (const auto& [id, node] : nodes) {
    state.ids(Place::node).push_back(id);
    mass.value[n] = static_cast<double>(node.m);
    write_vector(momentum, n++, node.p);
  }
  state.set(std::move(mass));
  state.set(std::move(momentum));
}

template <class Real>
void model_g2p(const Scene& scene, Mistake mistake, Snapshot& state) {
  const int dim = scene.dim();
  const bool affine = mpm_options(scene).transfer == Transfer::apic;
  const Real share = mpm_options(scene).transfer == Transfer::flip ? Real{1}
                     : mpm_options(scene).transfer == Transfer::flip_pic
                         ? static_cast<Real>(mpm_options(scene).flip_share)
                         : Real{0};
  const Real h = static_cast<Real>(scene.grid.h);
  const bool quadratic = mpm_options(scene).kernel == Kernel::quadratic;
  const Real inverse_D = (quadratic != (mistake == Mistake::d_inverse_swapped) ? Real{4} : Real{3}) / (h * h);
  std::unordered_map<std::int64_t, std::size_t> places;
  for (std::size_t n = 0; n < state.count(Place::node); ++n) places.emplace(state.ids(Place::node)[n], n);
  const std::size_t particles = state.particles();
  Field bar{std::string(field::v_bar), "m/s", Place::particle, dim,
            std::vector<double>(particles * static_cast<std::size_t>(dim))};
  Field gradient{std::string(field::grad_v), "1/s", Place::particle, dim * dim,
                 std::vector<double>(particles * static_cast<std::size_t>(dim * dim))};
  std::string_view bar_name = field::p_bar;
  std::string_view tilde_name = field::p_tilde;
  if (mistake == Mistake::v_bar_v_tilde_exchanged) std::swap(bar_name, tilde_name);
  if (mpm_options(scene).motion == ParticleMotion::after_friction &&
      mistake != Mistake::motion_before_friction)
    bar_name = tilde_name;
  for (std::size_t p = 0; p < particles; ++p) {
    const auto near = neighbourhood<Real>(scene, mistake, read_vector<double>(state.get(field::x), p));
    Vector<Real> v_bar = Vector<Real>::Zero();  // moves the particle
    Vector<Real> pic = Vector<Real>::Zero();
    Vector<Real> change = Vector<Real>::Zero();
    Matrix<Real> grad = Matrix<Real>::Zero();
    Matrix<Real> C = Matrix<Real>::Zero();
    for (std::size_t n = 0; n < static_cast<std::size_t>(near.size); ++n) {
      const auto place = places.find(near.node[n]);
      if (place == places.end()) continue;
      const std::size_t i = place->second;
      const Real m = mistake == Mistake::mass_not_normalized
                         ? Real{1}
                         : static_cast<Real>(state.get(field::m_i).value[i]);
      const Vector<Real> v_i = read_vector<Real>(state.get(field::p_i), i) / m;
      const Vector<Real> bar_i = read_vector<Real>(state.get(bar_name), i) / m;
      const Vector<Real> tilde_i = read_vector<Real>(state.get(tilde_name), i) / m;
      v_bar += near.w[n] * bar_i;
      grad += bar_i * near.grad[n].transpose();
      pic += near.w[n] * tilde_i;
      change += near.w[n] * ((mistake == Mistake::flip_from_v_bar ? bar_i : tilde_i) - v_i);
      C += near.w[n] * tilde_i * near.arm[n].transpose() * inverse_D;
    }
    const Vector<Real> old = read_vector<Real>(state.get(field::v), p);
    const Vector<Real> v = share * (old + change) + (Real{1} - share) * pic;
    write_vector(bar, p, v_bar);
    write_matrix(gradient, p, mistake == Mistake::gradient_from_c ? C : grad, dim);
    write_vector(state.get(field::v), p, share > Real{0} ? v : pic);
    write_matrix(state.get(field::C), p, affine ? C : Matrix<Real>(Matrix<Real>::Zero()), dim);
  }
  state.set(std::move(bar));
  state.set(std::move(gradient));
  state.ids(Place::node).clear();
  for (const std::string_view name : {field::m_i, field::p_i, field::p_star, field::p_bar, field::p_tilde})
    state.erase(name);
}

template Neighbourhood<float> neighbourhood<float>(const Scene&, Mistake, const Point&);
template Neighbourhood<double> neighbourhood<double>(const Scene&, Mistake, const Point&);
template void model_p2g<float>(const Scene&, Mistake, Snapshot&);
template void model_p2g<double>(const Scene&, Mistake, Snapshot&);
template void model_g2p<float>(const Scene&, Mistake, Snapshot&);
template void model_g2p<double>(const Scene&, Mistake, Snapshot&);

}  // namespace repose::faults
