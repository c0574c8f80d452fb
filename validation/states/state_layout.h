#pragma once

#include "reference/interface/snapshot.h"
#include "validation/states/hdf5.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The parts of a state file that its writer and reader must agree on.
namespace repose::layout {

inline constexpr std::int64_t format = 3;  ///< of the group /repose

/// Where a field lives. A path that holds PointData is VTK's; all others are under /repose.
struct Location {
  std::string group;    ///< "VTKHDF/PointData", "repose/fields/node", …
  std::string dataset;  ///< "v", …; of positions "Points" in "VTKHDF"
  int stored = 1;       ///< components in the file; more than the field's own where VTK needs three
};

/// @throws std::logic_error for a name that cannot be one of a dataset
Location locate(const Field& field, int dim);

/// Groups that may hold fields, for readers.
std::vector<std::string> field_groups();

/// Group of the lists of ids, a dataset per place.
inline constexpr const char* ids = "repose/ids";

/// Values with every element filled up with zeros from `from` to `to` components, or cut back to fewer.
std::vector<double> resize_elements(const std::vector<double>& values, int from, int to);

/// @throws hdf5::Error
Place place_of(std::string_view name);
/// The name, if the method has a boundary of it. @throws hdf5::Error
std::string boundary_of(const std::string& method, const std::string& name);

}  // namespace repose::layout
