#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/solver.h"
#include "validation/file_output.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace repose::experiments {

/// When a row of sums.csv is written: at the start and the end of each frame, or behind each step as well.
enum class KeepSums : unsigned char { none, frame, step };
/// Their names, in the enumeration's order.
inline constexpr std::array<std::string_view, 3> keep_sums_names{"none", "frame", "step"};

/// sums.csv: what each phase of the state holds behind so many steps: particles, mass, momentum, kinetic, stored and potential
/// energy, in the shortest form that reads back to the same bits. Computed from the saved state, whatever the solver, by
/// what judges it: of 6300 particles in 3D a row takes 7 ms, as long as four steps of the fast solver on one thread.
class SumsTable {
 public:
  /// Begins the table, or continues it behind the rows of states up to `steps` steps; later rows, complete or cut off, are
  /// dropped. Of a method that nobody sums, and with KeepSums::none, there is no table.
  /// @throws BadInput if what is there is not such a table  @throws WriteError
  SumsTable(const std::filesystem::path& file, const Scene& scene, KeepSums keep, std::int64_t steps);
  ~SumsTable();

  /// Behind a step, and at the end of a frame. A state gets its rows once.
  void step(const Solver& solver);
  void frame(const Solver& solver);
  /// All rows so far are on the disk afterwards.
  void sync();

 private:
  void append(const Solver& solver);

  const Scene& scene_;
  KeepSums keep_;
  std::int64_t written_ = -1;  ///< steps of the last state that has rows
  std::unique_ptr<OutputFile> out_;
};

}  // namespace repose::experiments
