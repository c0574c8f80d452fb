#include "tests/added_method/solvers.h"
#include "tests/added_method/standing.h"

#include <cmath>
#include <limits>

namespace repose::flight {

namespace {

template <class T>
class Fast final : public Solver {
 public:
  explicit Fast(const Scene& scene) : scene_(scene), dim_(static_cast<std::size_t>(scene.dim())) {}

  std::string_view name() const override { return "flight_fast"; }
  Rounding rounding() const override {
    const double unit = 0.5 * static_cast<double>(std::numeric_limits<T>::epsilon());
    const double largest = std::max(scene_.grid.domain_min.cwiseAbs().maxCoeff(),
                                    scene_.grid.domain_max().cwiseAbs().maxCoeff());
    return {.unit = unit, .position = unit * largest, .strain = ""};
  }
  std::span<const Boundary> boundaries() const override { return stops; }

  void load(const Snapshot& state) override {
    require_loadable(state, scene_, table, stops);
    mass_.clear();
    landed_.clear();
    for (std::size_t a = 0; a < dim_; ++a) {
      x_[a].clear();
      u_[a].clear();
    }
    standing_.load(state);
    take(state);
  }
  void append(const Snapshot& particles) override {
    require_appendable(particles, scene_, table, mass_.size());
    standing_.begin_step();
    take(particles);
  }
  Snapshot save(Boundary at, bool) const override {
    Snapshot state = standing_.head(at);
    for (const method::FieldRow* row : method::fields_at(table, at))
      state.set(method::blank(*row, scene_.dim(), mass_.size()));
    const auto give = [&](std::string_view name, std::size_t of, std::size_t a, const auto& values) {
      for (std::size_t p = 0; p < values.size(); ++p)
        state.get(name).value[p * of + a] = static_cast<double>(values[p]);
    };
    give(field::mass, 1, 0, mass_);
    give(landed, 1, 0, landed_);
    for (std::size_t a = 0; a < dim_; ++a) {
      give(field::x, dim_, a, x_[a]);
      give(velocity, dim_, a, u_[a]);
    }
    return state;
  }

  StepReport run(Boundary from, Boundary to, double dt) override {
    standing_.require(from);
    if (from == boundary::step_start) standing_.begin_step();
    standing_.take(dt);
    StepReport report{.dt = dt, .max_speed = speed(), .particles = mass_.size()};
    if (from == boundary::step_start && to != boundary::step_start) fly(static_cast<T>(dt), report);
    if (from != landing && to == landing) land(report);
    standing_.stand_at(to);
    return report;
  }
  StepReport advance(const std::function<double(double max_speed)>& next_dt) override {
    standing_.require(boundary::step_start);
    return run(boundary::step_start, landing, next_dt(speed()));
  }

  double time() const override { return standing_.time(); }
  std::int64_t steps() const override { return standing_.steps(); }
  std::size_t particles() const override { return mass_.size(); }

 private:
  void fly(T dt, StepReport& report) {
    for (const unsigned char down : landed_) report.counts[flying] += down == 0 ? 1U : 0U;
    for (std::size_t a = 0; a < dim_; ++a) {
      const T fall = dt * static_cast<T>(scene_.gravity[static_cast<Eigen::Index>(a)]);
      for (std::size_t p = 0; p < mass_.size(); ++p) {
        if (landed_[p] != 0) continue;
        u_[a][p] += fall;
        x_[a][p] += dt * u_[a][p];
      }
    }
  }
  void land(StepReport& report) {
    const T level = static_cast<T>(ground(scene_));
    for (std::size_t p = 0; p < mass_.size(); ++p) {
      if (landed_[p] != 0 || !(x_[1][p] <= level)) continue;
      landed_[p] = 1;
      ++report.counts[landings];
    }
  }
  double speed() const {
    double largest = 0.0;
    for (std::size_t p = 0; p < mass_.size(); ++p) {
      double squared = 0.0;
      for (std::size_t a = 0; a < dim_; ++a)
        squared += static_cast<double>(u_[a][p]) * static_cast<double>(u_[a][p]);
      largest = std::max(largest, std::sqrt(squared));
    }
    return largest;
  }
  void take(const Snapshot& state) {
    for (std::size_t p = 0; p < state.particles(); ++p) {
      mass_.push_back(static_cast<T>(state.get(field::mass).value[p]));
      landed_.push_back(state.get(landed).value[p] == 1.0 ? 1 : 0);
      for (std::size_t a = 0; a < dim_; ++a) {
        x_[a].push_back(static_cast<T>(state.get(field::x).value[p * dim_ + a]));
        u_[a].push_back(static_cast<T>(state.get(velocity).value[p * dim_ + a]));
      }
    }
  }

  Scene scene_;
  std::size_t dim_;
  Standing standing_;
  std::vector<T> mass_;
  std::vector<unsigned char> landed_;
  std::array<std::vector<T>, 3> x_, u_;
};

}  // namespace

std::unique_ptr<Solver> make_fast(const Scene& scene, const SolverOptions& options) {
  if (options.precision == Precision::single_) return std::make_unique<Fast<float>>(scene);
  return std::make_unique<Fast<double>>(scene);
}

}  // namespace repose::flight
