#pragma once

#include <cstddef>
#include <filesystem>

/// Protection of state files against damage. HDF5 trusts what it reads: sizes and addresses of a damaged file lead the
/// library outside its own memory. So a state is only handed to it when a checksum over the whole file fits. The sum
/// stands in the file's user block, a space at the front that HDF5 leaves to its users.
namespace repose::experiments {

inline constexpr std::size_t seal_bytes = 512;  ///< the smallest user block

/// Writes the seal of a finished file. @throws WriteError
void seal(const std::filesystem::path& file);

/// @throws BadInput if the file cannot be read, has no seal or is not what was sealed
void require_sealed(const std::filesystem::path& file);

}  // namespace repose::experiments
