#pragma once

#include "reference/interface/scene/scene.h"
#include "tests/fuzz/mutate_scene.h"
#include "tests/fuzz/outcome.h"

#include <filesystem>
#include <string>
#include <vector>

namespace repose::fuzz {

/// States of small runs, as files in a folder: both dimensions, both solvers, at the start of a step and inside one.
class StatesToDamage {
 public:
  explicit StatesToDamage(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Runs and writes them. Starts threads: not in a process that is to fork.
  void write() const;

  /// Makes the damaged file of a case: one in three has bytes changed and a checksum that no longer fits; the others
  /// are forged, their datasets and attributes changed and the checksum made anew.
  std::filesystem::path damage(Dice& dice, const std::string& file_name) const;

  /// Reads a damaged file as a resumed run does, loads it into both solvers and takes a step. @throws Finding
  Reached check(Dice& dice) const;

 private:
  struct Damaged {
    std::filesystem::path file;
    std::size_t base = 0;
    bool is_sealed = false;
  };
  Damaged make(Dice& dice, const std::string& file_name) const;
  std::filesystem::path base(std::size_t number) const;

  std::filesystem::path folder_;
};

}  // namespace repose::fuzz
