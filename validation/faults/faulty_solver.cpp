#include "validation/faults/faulty_solver.h"

#include "reference/interface/base/error.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace repose::faults {

namespace {

bool is_solved(const method::Method& method, const Scene& scene, std::string_view end) {
  const method::StageRow* const stage = method::stage_ending(method, scene, end);
  return stage != nullptr && stage->kind == method::Kind::solved;
}

class FaultySolver final : public Solver {
 public:
  FaultySolver(std::unique_ptr<Solver> correct, const Scene& scene, const Model& model, Precision precision,
               std::string_view stage, std::size_t mistake)
      : correct_(std::move(correct)),
        scene_(scene),
        model_(model),
        precision_(precision),
        order_(method::boundaries(model.method)),
        stage_(place(stage)),
        solved_(is_solved(model.method, scene, stage)),
        mistake_(mistake),
        name_(std::string(correct_->name()) + " with a fault") {}

  std::string_view name() const override { return name_; }
  Rounding rounding() const override {
    Rounding result = correct_->rounding();
    result.strain = model_.strain;  // between the model's stages, whatever the correct solver stores
    return result;
  }
  std::span<const Boundary> boundaries() const override { return correct_->boundaries(); }
  void load(const Snapshot& snapshot) override { correct_->load(snapshot); }
  void append(const Snapshot& particles) override { correct_->append(particles); }
  Snapshot save(Boundary at, bool native) const override { return correct_->save(at, native); }
  double time() const override { return correct_->time(); }
  std::int64_t steps() const override { return correct_->steps(); }
  std::size_t particles() const override { return correct_->particles(); }

  std::vector<Field> probe(std::string_view asked, std::span<const Field> fields, double dt) const override {
    std::vector<Field> correct = correct_->probe(asked, fields, dt);
    const auto& known = model_.method.probes;
    const auto row = std::find_if(known.begin(), known.end(),
                                  [&](const method::ProbeRow& one) { return one.name == asked; });
    if (!solved_ || row == known.end() || row->to != order_.at(stage_)) return correct;
    return model_.probe(scene_, mistake_, dt, correct_->save(row->at, false), asked, fields,
                        std::move(correct));
  }

  SolveHistory solve_history(double dt) const override { return correct_->solve_history(dt); }

  StepReport run(Boundary from, Boundary to, double dt) override {
    if (solved_ || stage_ <= place(from) || stage_ > place(to)) return correct_->run(from, to, dt);
    Snapshot state = correct_->save(from, false);
    const StepReport report = report_of(from, to, dt);
    while (state.at != to) model_.run_stage(scene_, mistake_, precision_, dt, state);
    correct_->load(state);
    return report;
  }

  StepReport advance(const std::function<double(double max_speed)>& next_dt) override {
    // Nothing has run yet: an empty stretch tells the speed alone.
    const double dt = next_dt(correct_->run(boundary::step_start, boundary::step_start, 0.0).max_speed);
    const auto list = boundaries();
    StepReport report = run(list[0], list[1], dt);
    for (std::size_t i = 1; i + 1 < list.size(); ++i)
      method::add(model_.method, report.counts, run(list[i], list[i + 1], dt).counts);
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

  std::size_t place(std::string_view at) const {
    return static_cast<std::size_t>(std::find(order_.begin(), order_.end(), at) - order_.begin());
  }

  std::unique_ptr<Solver> correct_;
  const Scene& scene_;
  const Model& model_;
  Precision precision_;
  std::vector<Boundary> order_;  ///< of all stages of the method
  std::size_t stage_;            ///< in that order
  bool solved_;
  std::size_t mistake_;
  std::string name_;
};

}  // namespace

std::unique_ptr<Solver> make_faulty_solver(std::unique_ptr<Solver> correct, const Scene& scene,
                                           const Model& model, Precision precision, std::string_view stage,
                                           std::size_t mistake) {
  return std::make_unique<FaultySolver>(std::move(correct), scene, model, precision, stage, mistake);
}

}  // namespace repose::faults
