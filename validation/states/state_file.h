#pragma once

#include "reference/interface/scene/scene.h"
#include "reference/interface/snapshot.h"
#include "validation/states/origin.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace repose {

/// Which run a state belongs to. Only what does not change between equal runs, so that equal states are equal files.
struct StateOrigin {
  std::int64_t frame = 0;  ///< completed frames; the state may lie behind that frame's end
  std::string solver;
  std::string precision;  ///< "float" or "double"
  Build build;
};

/// A state as read back.
struct StoredState {
  Snapshot snapshot;
  StateOrigin origin;
  std::string scene;  ///< resolved, as a scene file
};

/// Writes a snapshot of any boundary as one HDF5 file that is at once checkpoint, test vector and input of ParaView
/// (VTKHDF layout, version 1.0):
///
///     /VTKHDF            attributes Version = {1,0}, Type = "UnstructuredGrid"; one vertex cell per particle
///       Points           x, in 2D with z = 0
///       PointData/NAME   particle fields: [N], vectors [N,3] (2D: third component 0), matrices [N,4] or [N,9]
///       FieldData/time_s, step, frame
///     /repose            attributes format, method, boundary, time_s, dt_s, step, frame, dim, solver, precision, build,
///                        scene_hash
///       scene            the resolved scene's text
///       materials/000 …  attributes of each material
///       ids/PLACE        of active elements, where they are listed; its attribute next_particle
///       fields/PLACE/NAME  other fields, and those of particles whose shape VTK cannot show; native/NAME
///
/// Each field carries its unit, number of components, place and position in Snapshot::fields as attributes.
/// In front lies a user block of 512 bytes with a checksum over the rest (state_seal.h). The file is complete or absent:
/// temporary name, sync, rename.
/// @throws WriteError  @throws std::logic_error for a field whose length does not fit
void write_state(const std::filesystem::path& file, const Snapshot& snapshot, const Scene& scene,
                 const StateOrigin& origin);

/// Reads a state; every bit of the snapshot is as it was written.
/// @throws BadInput one line, for a file that is missing, damaged, truncated or of another origin
StoredState read_state(const std::filesystem::path& file);

/// Name of a frame's state: state_0042.hdf.
std::string state_file_name(std::int64_t frame);

}  // namespace repose
