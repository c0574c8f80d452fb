#include "validation/faults/faulty_solver.h"

#include "reference/interface/base/error.h"
#include "reference/interface/methods/mpm.h"
#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/lockstep_parts.h"
#include "validation/faults/mpm/model.h"

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
  Rounding rounding() const override {
    Rounding result = correct_->rounding();
    result.strain = "F";  // between the model's stages, whatever the correct solver stores
    return result;
  }
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

  SolveHistory solve_history(double dt) const override { return correct_->solve_history(dt); }

  StepReport run(Boundary from, Boundary to, double dt) override {
    if (mpm_options(scene_).integrator == Integrator::implicit_ || stage_ <= place(from) ||
        stage_ > place(to))
      return correct_->run(from, to, dt);
    Snapshot state = correct_->save(from, false);
    const StepReport report = report_of(from, to, dt);
    while (state.at != to) {
      if (precision_ == Precision::single_)
        run_stage<float>(scene_, mistake_, dt, state);
      else
        run_stage<double>(scene_, mistake_, dt, state);
    }
    correct_->load(state);
    return report;
  }

  StepReport advance(const std::function<double(double max_speed)>& next_dt) override {
    // Nothing has run yet: an empty stretch tells the speed alone.
    const double dt = next_dt(correct_->run(boundary::step_start, boundary::step_start, 0.0).max_speed);
    const auto list = boundaries();
    StepReport report = run(list[0], list[1], dt);
    for (std::size_t i = 1; i + 1 < list.size(); ++i)
      crosscheck::add_counts(report, run(list[i], list[i + 1], dt));
    return report;
  }

 private:
  /// What the correct solver counts in these stages: the model changes fields alone.
  StepReport report_of(Boundary from, Boundary to, double dt) {
    try {
      return correct_->run(from, to, dt);
    } catch (const SimulationError&) {
      return {};
    }
  }

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
