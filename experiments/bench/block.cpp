#include "experiments/bench/block.h"

#include "reference/interface/base/error.h"
#include "reference/interface/scene/step_control.h"
#include "validation/solvers.h"

#include <fmt/format.h>

#include <algorithm>

namespace repose::experiments {

std::string_view to_string(Motion motion) { return motion == Motion::rest ? "rest" : "flow"; }

const MethodBlock* find_block(std::string_view method) {
  for (const MethodBlock& one : method_blocks())
    if (one.method == method) return &one;
  return nullptr;
}

const MethodBlock& block_of(std::string_view method) {
  if (const MethodBlock* const found = find_block(method)) return *found;
  std::string there;
  for (const MethodBlock& one : method_blocks())
    there += fmt::format("{}{}", there.empty() ? "" : ", ", one.method);
  throw BadInput(fmt::format("the method '{}' has no block to be measured on; there are {}", method, there));
}

std::vector<std::string> block_variant_names() {
  std::vector<std::string> names;
  for (const MethodBlock& block : method_blocks())
    for (const BlockVariant& variant : block.variants)
      if (std::find(names.begin(), names.end(), variant.name) == names.end())
        names.emplace_back(variant.name);
  return names;
}

std::string variant_of(const MethodBlock& block, std::size_t variant) {
  return crosscheck::variant_of({.method = block.method, .variant = block.variants.at(variant).levels});
}

std::optional<std::size_t> find_variant(const MethodBlock& block, std::string_view named) {
  for (std::size_t k = 0; k < block.variants.size(); ++k)
    if (variant_of(block, k) == named) return k;
  return std::nullopt;
}

void run_into_flow(BenchBlock& block, int threads, const std::function<void(double share)>& progress) {
  const std::string_view method = block.scene.scheme.method();
  const double way = block_of(method).into_flow_s;
  const std::string_view name = usual_solver(method);
  const Precision precision =
      has_precision(name, Precision::single_) ? Precision::single_ : Precision::double_;
  const auto solver =
      make_solver(name, block.scene, {.precision = precision, .threads = threads, .simd = {}});
  solver->load(block.state);
  const StepControl control(block.scene);
  while (solver->time() < way) {
    solver->advance(
        [&](double speed) { return control.next(solver->time(), speed, control.frame_time(1)).dt; });
    if (progress) progress(std::min(1.0, solver->time() / way));
  }
  block.state = solver->save(boundary::step_start, false);
  block.state.time = 0.0;
  block.state.step = 0;
}

}  // namespace repose::experiments
