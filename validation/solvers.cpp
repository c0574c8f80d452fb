#include "validation/solvers.h"

#include "optimized/mixture/mixture_solver.h"
#include "optimized/mpm/footprint.h"
#include "optimized/mpm/optimized_solver.h"
#include "reference/interface/base/error.h"
#include "reference/mixture/footprint.h"
#include "reference/mixture/mixture_solver.h"
#include "reference/mpm/footprint.h"
#include "reference/mpm/reference_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace repose {

namespace {

struct Entry {
  SolverInfo info;
  std::unique_ptr<Solver> (*make)(const Scene&, const SolverOptions&);
  Footprint (*footprint)(const Scene&, const SolverOptions&);
};

bool is_mixture(const Scene& scene) { return scene.scheme.method() == "mixture"; }

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {{.name = "optimized",
        .methods = {"mixture", "mpm"},
        .precisions = {Precision::single_, Precision::double_}},
       [](const Scene& scene, const SolverOptions& options) {
         return is_mixture(scene) ? optimized::make_mixture_solver(scene, options)
                                  : make_optimized_solver(scene, options);
       },
       [](const Scene& scene, const SolverOptions& options) {
         return is_mixture(scene) ? optimized::mixture_footprint(scene, options)
                                  : optimized::optimized_footprint(scene, options);
       }},
      {{.name = "reference",
        .methods = {"mixture", "mpm"},
        .precisions = {Precision::double_},
        .serial = true,
        .keeps_sums = true},
       [](const Scene& scene, const SolverOptions&) {
         return is_mixture(scene) ? make_mixture_solver(scene) : make_reference_solver(scene);
       },
       [](const Scene& scene, const SolverOptions&) {
         return is_mixture(scene) ? mixture_footprint(scene) : reference_footprint(scene);
       }}};
  return all;
}

const Entry& entry(std::string_view name) {
  for (const Entry& one : entries())
    if (one.info.name == name) return one;
  throw BadInput(fmt::format("unknown solver '{}'; there are {}", name, fmt::join(solver_names(), ", ")));
}

}  // namespace

const std::vector<SolverInfo>& solver_infos() {
  static const std::vector<SolverInfo> all = [] {
    std::vector<SolverInfo> infos;
    for (const Entry& one : entries()) infos.push_back(one.info);
    return infos;
  }();
  return all;
}

const SolverInfo& solver_info(std::string_view name) { return entry(name).info; }

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const Entry& one : entries()) names.emplace_back(one.info.name);
  return names;
}

std::vector<std::string> solvers_of(std::string_view method) {
  std::vector<std::string> names = solver_names();
  std::erase_if(names, [&](const std::string& name) { return !has_method(name, method); });
  return names;
}

std::string_view usual_solver(std::string_view method) {
  const SolverInfo* usual = nullptr;
  for (const SolverInfo& info : solver_infos())
    if (has_method(info.name, method) && (usual == nullptr || (usual->serial && !info.serial))) usual = &info;
  if (usual == nullptr) throw BadInput(fmt::format("no solver takes steps of the method {}", method));
  return usual->name;
}

std::string_view judging_solver(std::string_view method) {
  for (const SolverInfo& info : solver_infos())
    if (info.keeps_sums && has_method(info.name, method)) return info.name;
  throw std::out_of_range(fmt::format("no solver of the method {} can judge others", method));
}

bool has_precision(std::string_view name, Precision precision) {
  const auto& has = entry(name).info.precisions;
  return std::find(has.begin(), has.end(), precision) != has.end();
}

bool has_method(std::string_view name, std::string_view method) {
  const auto& has = entry(name).info.methods;
  return std::find(has.begin(), has.end(), method) != has.end();
}

Footprint footprint(std::string_view name, const Scene& scene, const SolverOptions& options) {
  return entry(name).footprint(scene, options);
}

std::unique_ptr<Solver> make_solver(std::string_view name, const Scene& scene, const SolverOptions& options) {
  const Entry& one = entry(name);
  if (!has_method(name, scene.scheme.method()))
    throw BadInput(fmt::format("solver '{}' takes no steps of the method {}, but of {}", name,
                               scene.scheme.method(), fmt::join(one.info.methods, ", ")));
  // A result that claims a precision, threads or instructions that its solver does not have would lie.
  if (!has_precision(name, options.precision))
    throw BadInput(fmt::format("solver '{}' has {} precision only", name,
                               one.info.precisions.front() == Precision::double_ ? "double" : "single"));
  return one.make(scene, options);
}

}  // namespace repose
