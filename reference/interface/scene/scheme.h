#pragma once

#include "reference/interface/scene/integrator.h"
#include "reference/interface/scene/key_row.h"

#include <any>
#include <concepts>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace repose {

class ScenePart;
class Scheme;
class TomlTable;
class TomlWriter;
struct Material;
struct Scene;

/// A bound of Δt that follows from the scene alone.
struct StepBound {
  double dt = 0.0;       ///< [s], may be infinite
  std::string_view key;  ///< of scene files, the one that moves the bound
};

/// What one method says about its options to those who know no method; scheme_keys.h makes it of a description of keys.
/// Scenes are of this method; in `read` they have what stands in front of the tables.
struct SchemeTable {
  std::string_view method;  ///< its name, which is that of its table in scene files too
  /// Reads the table; of an empty one come the defaults. @throws BadInput
  std::function<Scheme(TomlTable& own, const Scene& scene)> read;
  /// Checks the options of a scene that a program made. @throws BadInput
  std::function<void(const Scene& scene)> check;
  std::function<void(TomlWriter& own, const Scene& scene)> write;
  /// Refuses a material that lacks what the method needs, or that it does not hold beside those before it. @throws BadInput
  std::function<void(const Material& material, const ScenePart& part, const Scene& scene)> check_material;
  /// Bounds of Δt that need no state.
  std::function<std::vector<StepBound>(const Scene& scene)> step_bounds;
  /// How its steps are integrated, where the method has the choice.
  std::function<Integrator(const Scene& scene)> integrator;
  /// Nodes along an axis that one particle reaches; a periodic axis has as many cells at least.
  std::function<int(const Scene& scene)> stencil_nodes;
  /// Whether particles carry an affine velocity.
  std::function<bool(const Scene& scene)> affine;
  std::vector<KeyTable> tables;  ///< of SCENES.md: that of the method, and those in it
};

/// A method's options: copyable, and described by a table.
template <class T>
concept MethodOptions = !std::same_as<T, Scheme> && std::copyable<T> && requires {
  { T::table() } -> std::same_as<const SchemeTable&>;
};

/// How a scene is stepped: the options of one method. Any struct of options, not a variant of those there are: scene.h would
/// have to include every method, and whoever adds one, a test for instance, to change it.
class Scheme {
 public:
  Scheme() = default;  ///< of no method
  template <MethodOptions Options>
  Scheme(Options options) : table_(&Options::table()), options_(std::move(options)) {}

  /// @throws std::logic_error for the scheme of no method
  const SchemeTable& table() const;
  /// Empty for the scheme of no method.
  std::string_view method() const { return table_ == nullptr ? std::string_view{} : table_->method; }

  /// @throws std::logic_error naming both methods where the options are another's
  template <MethodOptions Options>
  const Options& as() const {
    if (const auto* found = std::any_cast<Options>(&options_)) return *found;
    refuse(Options::table().method);
  }
  template <MethodOptions Options>
  Options& as() {
    return const_cast<Options&>(std::as_const(*this).template as<Options>());
  }

 private:
  [[noreturn]] void refuse(std::string_view wanted) const;

  const SchemeTable* table_ = nullptr;
  std::any options_;
};

}  // namespace repose
