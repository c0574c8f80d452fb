#include "experiments/klar2016/fig09_kernels/weights.h"

#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/particles/random.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/mechanics/field_access.h"
#include "validation/metrics/extremes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace repose::experiments::klar2016 {

Scene kernel_scene(Kernel kernel, int dim) {
  Scene scene = load_scene(figure_file("klar2016/fig09_kernels/fig09_kernels.toml"));
  mpm_options(scene).kernel = kernel;
  mpm_options(scene).elastic_bound = 0.5;
  if (dim == 3) {
    scene.grid.dim = 3;
    scene.grid.domain_min.z() = scene.grid.domain_min.x();
    scene.grid.cells[2] = scene.grid.cells[0];
  }
  return scene;
}

double inertia_factor(Kernel kernel) { return kernel == Kernel::cubic ? 1.0 / 3.0 : 0.25; }

double spline(Kernel kernel, double u) {
  const int order = kernel == Kernel::cubic ? 3 : 2;
  const double half = 0.5 * (order + 1);
  if (std::abs(u) >= half) return 0.0;
  double sum = 0.0;
  double binomial = 1.0;
  for (int k = 0; k <= order + 1; ++k) {
    sum += binomial * std::pow(std::max(0.0, u + half - k), order);
    binomial *= -static_cast<double>(order + 1 - k) / (k + 1);
  }
  return sum / (order == 3 ? 6.0 : 2.0);
}

namespace {

/// One particle in one place.
class Probe {
 public:
  Probe(const Scene& scene, const SolverChoice& choice, KernelErrors& errors)
      : scene_(scene),
        solver_(make_solver(choice, scene)),
        errors_(errors),
        h_(scene.grid.h),
        dim_(scene.dim()) {}

  void measure(const Point& place, Random& random) {
    solver_->load(placed_particles(scene_, {place}));
    solver_->run(boundary::step_start, boundary::p2g, dt);
    weigh(solver_->save(boundary::p2g, false));
    solver_->run(boundary::p2g, boundary::friction, dt);
    differentiate(solver_->save(boundary::friction, false), random);
  }

 private:
  static constexpr double dt = 1e-4;

  /// A product of d factors, each of at most ten roundings, and the sum of all nodes in any order.
  double roundings() const { return std::pow(4.0, dim_) + 10.0 * dim_; }

  void worst(double& so_far, double error, double bound) {
    so_far = metrics::larger(so_far, std::abs(error) / bound);
  }

  void weigh(const Snapshot& state) {
    const Point x_p = crosscheck::in_dimensions(crosscheck::point(state.get(field::x), 0), dim_);
    const double m_p = state.get(field::mass).value[0];
    const auto& m_i = state.get(field::m_i).value;
    const double u = solver_->rounding().unit;
    const double place = solver_->rounding().position / h_;
    double unity = 0.0;
    Point first = Point::Zero();
    Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
    std::map<long, double> along_x;
    for (std::size_t i = 0; i < state.count(Place::node); ++i) {
      const double w = m_i[i] / m_p;
      const Point offset =
          crosscheck::in_dimensions(scene_.grid.node_position(state.ids(Place::node)[i]) - x_p, dim_) / h_;
      unity += w;
      first += w * offset;
      second += w * offset * offset.transpose();
      along_x[static_cast<long>(scene_.grid.node_index(state.ids(Place::node)[i])[0])] += w;
    }
    // Offsets are at most 2 per axis; the particle's place is known to the solver's own rounding.
    const double bound = roundings() * u;
    worst(errors_.unity, unity - 1.0, bound);
    for (int a = 0; a < dim_; ++a) {
      worst(errors_.linear, first[a], 2.0 * bound + place);
      for (int b = 0; b < dim_; ++b) {
        worst(errors_.inertia, second(a, b) - (a == b ? inertia_factor(mpm_options(scene_).kernel) : 0.0),
              4.0 * bound + 4.0 * place);
      }
      errors_.least_inertia = metrics::smaller(errors_.least_inertia, second(a, a));
      errors_.most_inertia = metrics::larger(errors_.most_inertia, second(a, a));
    }
    for (const auto& [index, w] : along_x) {
      const double at = (x_p.x() - scene_.grid.domain_min.x()) / h_ - static_cast<double>(index);
      // |N̂′| ≤ 1: an error of the place moves a weight by no more.
      worst(errors_.values, w - spline(mpm_options(scene_).kernel, at), bound + place);
      errors_.samples.push_back({at, w});
    }
  }

  /// Gives the nodes the velocities of an affine field and looks at what the particle gets.
  void differentiate(Snapshot state, Random& random) {
    const auto& m_i = state.get(field::m_i).value;
    Point a = Point::Zero();
    Eigen::Matrix3d G = Eigen::Matrix3d::Zero();
    for (int row = 0; row < dim_; ++row) {
      a[row] = random.between(-1.0, 1.0);
      for (int column = 0; column < dim_; ++column) G(row, column) = random.between(-1.0, 1.0) / h_;
    }
    const Point x_p = crosscheck::in_dimensions(crosscheck::point(state.get(field::x), 0), dim_);
    double largest = 0.0;
    for (const std::string_view name : {field::p_bar, field::p_tilde}) {
      auto& momentum = state.get(name).value;
      for (std::size_t i = 0; i < m_i.size(); ++i) {
        const Point v = a + G * crosscheck::in_dimensions(
                                    scene_.grid.node_position(state.ids(Place::node)[i]) - x_p, dim_);
        largest = metrics::larger(largest, v.norm());
        for (int axis = 0; axis < dim_; ++axis) {
          const auto k = static_cast<std::size_t>(axis);
          momentum[i * static_cast<std::size_t>(dim_) + k] = m_i[i] * v[axis];
        }
      }
    }
    solver_->load(state);
    solver_->run(boundary::friction, boundary::g2p, dt);
    const Snapshot after = solver_->save(boundary::g2p, false);
    const Field& grad_v = after.get(field::grad_v);
    const Field& C = after.get(field::C);
    // Σ‖v_i‖ ‖∇w_i‖ ≤ ‖v‖ (2/h)^d-like sums: along each axis Σ|N̂′| ≤ 2. B/D: Σ w ‖v‖ 2h over h²/4.
    const double bound = roundings() * solver_->rounding().unit + 8.0 * solver_->rounding().position / h_;
    for (int row = 0; row < dim_; ++row) {
      for (int column = 0; column < dim_; ++column) {
        const auto k = static_cast<std::size_t>(row * dim_ + column);
        worst(errors_.gradient, grad_v.value[k] - G(row, column), bound * largest * 2.0 / h_);
        worst(errors_.affine, C.value[k] - G(row, column), bound * largest * 8.0 / h_);
      }
    }
  }

  const Scene& scene_;
  std::unique_ptr<Solver> solver_;
  KernelErrors& errors_;
  double h_;
  int dim_;
};

}  // namespace

KernelErrors measure_kernel(Kernel kernel, const SolverChoice& solver, int places) {
  KernelErrors errors;
  errors.kernel = kernel;
  errors.solver = solver;
  errors.least_inertia = 1.0;
  for (const int dim : {2, 3}) {
    const Scene scene = kernel_scene(kernel, dim);
    Probe probe(scene, solver, errors);
    Random random(9);
    for (int n = 0; n < places; ++n) {
      // Through two cells along x, the first place on a node; anywhere in a cell along the other axes.
      Point place = Point::Zero();
      place.x() = scene.grid.h * (2.0 * n / places - 1.0);
      place.y() = random.between(0.0, scene.grid.h);
      if (dim == 3) place.z() = random.between(0.0, scene.grid.h);
      probe.measure(place, random);
      ++errors.places;
    }
  }
  return errors;
}

}  // namespace repose::experiments::klar2016
