#pragma once

#include "tests/fuzz/mutate_scene.h"

#include <filesystem>

namespace repose::fuzz {

/// Changes datasets or attributes of a state file as somebody with an HDF5 library could, and seals it again.
void forge(const std::filesystem::path& file, Dice& dice);

}  // namespace repose::fuzz
