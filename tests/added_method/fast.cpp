#include "reference/interface/particles/particle_ids.h"
#include "tests/added_method/solvers.h"
#include "tests/added_method/standing.h"

#include <algorithm>
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
    clear();
    standing_.load(state);
    take(state);
    ids_.load(state);
    cells_ = state.ids(Place::cell);
    for (const double mass : state.get(heap).value) heaps_.push_back(static_cast<T>(mass));
  }
  void append(const Snapshot& particles) override {
    require_appendable(particles, scene_, table, ids_.next());
    standing_.begin_step();
    take(particles);
    ids_.append(particles.particles());
  }
  Snapshot save(Boundary at, bool) const override {
    Snapshot state = standing_.head(at);
    ids_.save(state);
    state.ids(Place::cell) = cells_;
    for (const method::FieldRow* row : method::fields_at(table, at))
      state.set(method::blank(*row, scene_.dim(), row->place == Place::cell ? cells_.size() : mass_.size()));
    const auto give = [&](std::string_view name, std::size_t of, std::size_t a, const auto& values) {
      for (std::size_t p = 0; p < values.size(); ++p)
        state.get(name).value[p * of + a] = static_cast<double>(values[p]);
    };
    give(field::mass, 1, 0, mass_);
    give(landed, 1, 0, landed_);
    give(heap, 1, 0, heaps_);
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
    std::vector<std::size_t> down;
    for (std::size_t p = 0; p < mass_.size(); ++p) {
      if (landed_[p] != 0 || !(x_[1][p] <= level)) continue;
      landed_[p] = 1;
      down.push_back(p);
    }
    report.counts[landings] += down.size();
    for (const std::size_t p : down) {
      Point x = Point::Zero();
      for (std::size_t a = 0; a < dim_; ++a) x[static_cast<Eigen::Index>(a)] = static_cast<double>(x_[a][p]);
      heap_in(cell_of(scene_, x)) += mass_[p];
    }
    const OnLanding fate = scene_.scheme.as<Options>().on_landing;
    if (fate == OnLanding::split) split(down);
    if (fate == OnLanding::leave) leave(down);
  }
  T& heap_in(std::int64_t cell) {
    const auto at = std::lower_bound(cells_.begin(), cells_.end(), cell);
    const auto place = at - cells_.begin();
    if (at == cells_.end() || *at != cell) {
      cells_.insert(at, cell);
      heaps_.insert(heaps_.begin() + place, T{0});
    }
    return heaps_[static_cast<std::size_t>(place)];
  }
  void split(const std::vector<std::size_t>& down) {
    for (const std::size_t p : down) {
      mass_[p] /= T{2};
      mass_.push_back(mass_[p]);
      landed_.push_back(1);
      for (std::size_t a = 0; a < dim_; ++a) {
        x_[a].push_back(x_[a][p]);
        u_[a].push_back(u_[a][p]);
      }
    }
    ids_.append(down.size());
  }
  void leave(const std::vector<std::size_t>& down) {
    const auto without = [&](auto& values) {
      std::size_t kept = 0;
      std::size_t gone = 0;
      for (std::size_t p = 0; p < values.size(); ++p) {
        if (gone < down.size() && down[gone] == p) {
          ++gone;
        } else {
          values[kept++] = values[p];
        }
      }
      values.resize(kept);
    };
    without(mass_);
    without(landed_);
    for (std::size_t a = 0; a < dim_; ++a) {
      without(x_[a]);
      without(u_[a]);
    }
    ids_.remove(down);
  }
  void clear() {
    mass_.clear();
    landed_.clear();
    heaps_.clear();
    for (std::size_t a = 0; a < dim_; ++a) {
      x_[a].clear();
      u_[a].clear();
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
  ParticleIds ids_;
  std::vector<std::int64_t> cells_;  ///< with a heap, ascending
  std::vector<T> heaps_;
  std::array<std::vector<T>, 3> x_, u_;
};

}  // namespace

std::unique_ptr<Solver> make_fast(const Scene& scene, const SolverOptions& options) {
  if (options.precision == Precision::single_) return std::make_unique<Fast<float>>(scene);
  return std::make_unique<Fast<double>>(scene);
}

}  // namespace repose::flight
