#include "validation/faults/faulty_solver.h"

#include "validation/faults/model.h"

#include <algorithm>
#include <array>
#include <utility>

namespace repose::faults {

namespace {

constexpr std::array<Boundary, 8> order{boundary::step_start, boundary::p2g,       boundary::forces,
                                        boundary::collisions, boundary::friction,  boundary::g2p,
                                        boundary::update,     boundary::plasticity};

std::size_t place(std::string_view at) {
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), at) - order.begin());
}

class FaultySolver final : public Solver {
 public:
  FaultySolver(std::unique_ptr<Solver> correct, const Scene& scene, Precision precision,
               std::string_view stage, Mistake mistake)
      : correct_(std::move(correct)),
        scene_(scene),
        precision_(precision),
        stage_(place(stage)),
        mistake_(mistake),
        name_(std::string(correct_->name()) + " with a fault") {}

  std::string_view name() const override { return name_; }
  Rounding rounding() const override { return correct_->rounding(); }
  std::span<const Boundary> boundaries() const override { return correct_->boundaries(); }
  void load(const Snapshot& snapshot) override { correct_->load(snapshot); }
  void append(const Snapshot& particles) override { correct_->append(particles); }
  Snapshot save(Boundary at, bool native) const override { return correct_->save(at, native); }
  double time() const override { return correct_->time(); }
  std::int64_t steps() const override { return correct_->steps(); }
  std::size_t particles() const override { return correct_->particles(); }

  NodeImpulses impulses_at(std::span<const double> v, double dt) const override {
    NodeImpulses result = correct_->impulses_at(v, dt);
    result.impulse = impulses(v, {}, dt);
    return result;
  }
  std::vector<double> impulse_change(std::span<const double> v, std::span<const double> dv,
                                     double dt) const override {
    return impulses(v, dv, dt);
  }

  StepReport run(Boundary from, Boundary to, double dt) override {
    if (scene_.integrator == Integrator::implicit_ || stage_ <= place(from) || stage_ > place(to))
      return correct_->run(from, to, dt);
    Snapshot state = correct_->save(from, false);
    while (state.at != to) {
      if (precision_ == Precision::single_)
        run_stage<float>(scene_, mistake_, dt, state);
      else
        run_stage<double>(scene_, mistake_, dt, state);
    }
    correct_->load(state);
    StepReport report;
    report.dt = dt;
    report.particles = state.particles();
    return report;
  }

  StepReport advance(const std::function<double(double max_speed)>& next_dt) override {
    const Snapshot state = correct_->save(boundary::step_start, false);
    double speed = 0.0;
    const Field& v = state.get(field::v);
    const auto k = static_cast<std::size_t>(v.components);
    for (std::size_t p = 0; p < state.particles(); ++p) {
      double square = 0.0;
      for (std::size_t a = 0; a < k; ++a) square += v.value[p * k + a] * v.value[p * k + a];
      speed = std::max(speed, std::sqrt(square));
    }
    const double dt = next_dt(speed);
    StepReport report;
    for (std::size_t i = 0; i + 1 < boundaries().size(); ++i)
      report = run(boundaries()[i], boundaries()[i + 1], dt);
    report.max_speed = speed;
    return report;
  }

 private:
  std::vector<double> impulses(std::span<const double> v, std::span<const double> dv, double dt) const {
    const Snapshot state = correct_->save(boundary::p2g, false);
    return model_impulses(scene_, mistake_, dt, state, v, dv);
  }

  std::unique_ptr<Solver> correct_;
  const Scene& scene_;
  Precision precision_;
  std::size_t stage_;
  Mistake mistake_;
  std::string name_;
};

}  // namespace

std::unique_ptr<Solver> make_faulty_solver(std::unique_ptr<Solver> correct, const Scene& scene,
                                           Precision precision, std::string_view stage, Mistake mistake) {
  return std::make_unique<FaultySolver>(std::move(correct), scene, precision, stage, mistake);
}

}  // namespace repose::faults
