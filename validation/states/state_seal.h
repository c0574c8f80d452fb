#pragma once

#include "reference/interface/base/error.h"

#include <cstddef>
#include <filesystem>

/// Protection of state files against damage. HDF5 trusts what it reads: sizes and addresses of a damaged file lead the
/// library outside its own memory. So a state is only handed to it when a checksum over the whole file fits: XXH3 with 128
/// bits, in which every bit of the file moves every bit of the sum. It stands in the file's user block, a space at the
/// front that HDF5 leaves to its users. It shows damage, not intent: whoever can write the file can seal it, so readers
/// still check what they read.
namespace repose {

inline constexpr std::size_t seal_bytes = 512;  ///< the smallest user block

/// Writes the seal of a finished file. @throws WriteError
void seal(const std::filesystem::path& file);

/// A state sealed by an earlier version, whose sum carried upwards only: pairs of flipped sign bits passed it.
struct OldSeal : BadInput {
  using BadInput::BadInput;
};

/// @throws BadInput if the file cannot be read, has no seal or is not what was sealed; OldSeal
void require_sealed(const std::filesystem::path& file);

}  // namespace repose
