#pragma once

#include "reference/interface/scene/scene.h"
#include "validation/states/state_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repose::experiments {

/// The folder of a recorded run:
///
///     run.toml           the resolved scene, the options and the provenance; written first
///     steps.csv          one row per step
///     sums.csv           what each phase holds, at each frame or behind each step
///     states/            state_NNNN.hdf, one per frame; checkpoint.hdf after an interruption inside a frame
///
/// Exactly one process works in it at a time.
class RunFolder {
 public:
  /// How a run is told from another one: run.toml begins with this text.
  struct Identity {
    std::string scene;    ///< resolved, as a scene file
    std::string options;  ///< those that decide the bits, as lines of TOML
  };

  /// Takes a folder for a new run. It may exist if it is empty, or holds only what a run left that ended before it wrote
  /// run.toml (killed, disk full). Writes nothing. @throws BadInput
  static void require_unused(const std::filesystem::path& folder);

  /// A folder with a run that may be continued. Writes nothing. @throws BadInput if there is none, or another run,
  /// naming the first line that differs
  static void require_same_run(const std::filesystem::path& folder, const Identity& identity);

  /// Anything that a run was recorded in. @throws BadInput if there is none
  static void require_run(const std::filesystem::path& folder);

  /// Its states, the earliest first; a checkpoint, which lies behind the last frame's end, is the last.
  static std::vector<std::filesystem::path> states(const std::filesystem::path& folder);

  struct LastState {
    std::filesystem::path file;
    StoredState state;
  };
  /// The most advanced complete state. Damaged ones are passed over and named in `notes`.
  /// @throws OldSeal for a state of an earlier version
  static std::optional<LastState> last_state(const std::filesystem::path& folder,
                                             std::vector<std::string>& notes);

  /// Makes the folder where it is missing, and locks it.
  /// @throws BadInput if it cannot be made or another process has it
  explicit RunFolder(const std::filesystem::path& folder);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// Writes run.toml. `about` follows the identity: tables of everything else.
  void record(const Identity& identity, std::string_view about) const;
  /// Removes what killed processes left behind unfinished.
  void remove_unfinished() const;
  /// Removes the checkpoint, whose frame is over. @throws WriteError
  void remove_checkpoint() const;
  /// Removes all states of frames but this one. @throws WriteError
  void remove_other_states(std::int64_t frame) const;

  std::filesystem::path steps() const { return folder_ / "steps.csv"; }
  std::filesystem::path sums() const { return folder_ / "sums.csv"; }
  std::filesystem::path state(std::int64_t frame) const {
    return folder_ / "states" / state_file_name(frame);
  }
  std::filesystem::path checkpoint() const { return folder_ / "states" / "checkpoint.hdf"; }

 private:
  std::filesystem::path folder_;
  int lock_ = -1;
};

}  // namespace repose::experiments
