#pragma once

#include "experiments/bench/roofline.h"
#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "validation/crosscheck/cases.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repose::experiments {

/// How the block of all measurements moves.
enum class Motion : unsigned char {
  rest,  ///< walls hold it: nearly nothing moves
  flow   ///< the same block after its walls were taken away, well into its collapse
};
std::string_view to_string(Motion motion);

/// A scene with a state to start from.
struct BenchBlock {
  Scene scene;
  Snapshot state;
};

/// Options of a method that are measured against each other.
struct BlockVariant {
  std::string_view name;                ///< in names of rows: "cubic"
  std::array<std::size_t, 2> levels{};  ///< crosscheck::Setup::variant
  /// What its rows say besides, by key: {"kernel", "cubic"}
  std::vector<std::pair<std::string_view, std::string_view>> told{};
};

/// Times that a paper prints, to stand beside rows of one dimension and variant, in flow, on one thread.
struct Published {
  struct Row {
    std::string scene, processor;
    double frame_s = 0.0;  ///< wall time of a frame [s]
    double step_s = 0.0;   ///< of a step [s]
    double ns = 0.0;       ///< per particle, step and core [ns]
  };
  std::string_view heading;
  std::string_view text;  ///< HTML: how the numbers were formed
  int dim = 3;
  std::size_t variant = 0;
  std::vector<Row> rows;
};

/// What a method's solvers are measured on: each that `repose bench` knows brings one.
struct MethodBlock {
  std::string_view method;
  std::vector<BlockVariant> variants;  ///< at least one

  /// For motion flow the state is the block before its collapse.
  /// @param particles wanted; the block's edge is a whole number of cells
  BenchBlock (*make)(int dim, std::size_t variant, std::int64_t particles, Motion motion) = nullptr;
  /// What that comes to, without its particles: grid, options, and the block as a body to be sampled.
  Scene (*outline)(int dim, std::size_t variant, std::int64_t particles) = nullptr;
  double into_flow_s = 0.0;  ///< from the block's release until it is "in flow", of simulated time [s]
  double in_flow_s = 0.0;    ///< for how long most of it still flows [s]
  /// Counters that together say how many particles flow
  std::vector<std::size_t> flowing{};
  /// What the lock-step check of a small block must have exercised, at rest and in flow.
  std::array<std::vector<crosscheck::Need>, 2> needs{};

  /// What stages must do at the least. Null: nobody has counted.
  std::vector<StageCost> (*costs)(int dim, std::size_t variant, Precision precision) = nullptr;
  /// Null: nothing. @throws BadInput where the paper's data are gone
  Published (*published)() = nullptr;
};

/// All of them: the one place of `repose bench` that knows methods by name (blocks.cpp).
const std::vector<MethodBlock>& method_blocks();

/// @returns null for a method without a block
const MethodBlock* find_block(std::string_view method);
/// @throws BadInput naming the methods that have one
const MethodBlock& block_of(std::string_view method);

/// Names of variants of all methods, each once.
std::vector<std::string> block_variant_names();

/// The variant's options as results name them: "apic-cubic".
std::string variant_of(const MethodBlock& block, std::size_t variant);
/// @returns nothing where the method has no such variant
std::optional<std::size_t> find_variant(const MethodBlock& block, std::string_view variant_of);

/// Runs a block with the usual solver of its method, in float where it has that, for into_flow_s and puts the state reached
/// into it, at time 0.
/// @param progress called after each step with the share of the way that is done; may be empty
void run_into_flow(BenchBlock& block, int threads, const std::function<void(double share)>& progress);

}  // namespace repose::experiments
