#pragma once

#include "reference/interface/snapshot.h"

#include <filesystem>

namespace repose::crosscheck {

/// A state of any boundary as JSON, every number so that it is read back bit for bit. Written to a temporary name and
/// renamed. @throws BadInput if it cannot be written or read
void write_state(const Snapshot& state, const std::filesystem::path& file);
Snapshot read_state(const std::filesystem::path& file);

}  // namespace repose::crosscheck
