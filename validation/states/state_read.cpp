#include "reference/interface/base/error.h"
#include "validation/states/state_file.h"
#include "validation/states/state_layout.h"
#include "validation/states/state_seal.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace repose {

namespace {

using hdf5::Handle;

/// Fields as they are found, each at its position in the snapshot.
class FieldList {
 public:
  explicit FieldList(std::uint64_t file_bytes) : file_bytes_(file_bytes) {}

  void read(const Handle& group, const std::string& name, int dim) {
    const Handle dataset = hdf5::open_dataset(group, name);
    const std::int64_t components = hdf5::get_integer(dataset, "components");
    if (components < 1 || components > 1024)
      throw hdf5::Error(fmt::format("field '{}' has {} components", name, components));
    Field field{.name = hdf5::get_text(dataset, "name"),
                .unit = hdf5::get_text(dataset, "unit"),
                .place = layout::place_of(hdf5::get_text(dataset, "place")),
                .components = static_cast<int>(components),
                .value = {}};
    const int stored = layout::locate(field, dim).stored;
    const hdf5::Dims dims = hdf5::dims(dataset, file_bytes_);
    if ((dims.size() == 2 ? dims[1] : hsize_t{1}) != static_cast<hsize_t>(stored)) {
      throw hdf5::Error(fmt::format("field '{}' has the wrong shape", name));
    }
    field.value = hdf5::read_doubles(dataset, file_bytes_);
    if (stored != field.components)
      field.value = layout::resize_elements(field.value, stored, field.components);
    const std::int64_t position = hdf5::get_integer(dataset, "position");
    if (position < 0 || position > 4096) throw hdf5::Error(fmt::format("field '{}' has no position", name));
    const auto index = static_cast<std::size_t>(position);
    if (index >= fields_.size()) fields_.resize(index + 1);
    if (fields_[index]) throw hdf5::Error(fmt::format("two fields at position {}", position));
    fields_[index] = std::move(field);
  }

  std::vector<Field> take() {
    std::vector<Field> result;
    for (auto& field : fields_) {
      if (!field) throw hdf5::Error("a field is missing");
      result.push_back(std::move(*field));
    }
    return result;
  }

 private:
  std::uint64_t file_bytes_;
  std::vector<std::optional<Field>> fields_;
};

StoredState read_file(const std::filesystem::path& path) {
  const Handle file = hdf5::open_file(path);
  if (!hdf5::has(file, "repose") || !hdf5::has(file, "VTKHDF"))
    throw hdf5::Error("it was not written by repose");
  const std::uint64_t bytes = std::filesystem::file_size(path);
  const Handle vtk = hdf5::open_group(file, "VTKHDF");
  const Handle repose = hdf5::open_group(file, "repose");
  const std::int64_t format = hdf5::get_integer(repose, "format");
  if (format != layout::format) {
    throw hdf5::Error(fmt::format("its format is {}, this program reads {}", format, layout::format));
  }
  const std::int64_t dim = hdf5::get_integer(repose, "dim");
  if (dim != 2 && dim != 3) throw hdf5::Error(fmt::format("it has {} dimensions", dim));

  StoredState state;
  state.scene = hdf5::read_text(repose, "scene", bytes);
  state.origin = {.frame = hdf5::get_integer(repose, "frame"),
                  .solver = hdf5::get_text(repose, "solver"),
                  .precision = hdf5::get_text(repose, "precision"),
                  .build = {.version = hdf5::get_text(repose, "version"),
                            .revision = hdf5::get_text(repose, "revision"),
                            .compiler = hdf5::get_text(repose, "compiler"),
                            .flags = hdf5::get_text(repose, "flags"),
                            .build_type = hdf5::get_text(repose, "build_type")}};
  Snapshot& snapshot = state.snapshot;
  snapshot.method = hdf5::get_text(repose, "method");
  snapshot.at = layout::boundary_of(snapshot.method, hdf5::get_text(repose, "boundary"));
  snapshot.time = hdf5::get_double(repose, "time_s");
  snapshot.dt = hdf5::get_double(repose, "dt_s");
  snapshot.step = hdf5::get_integer(repose, "step");
  const Handle ids = hdf5::open_group(file, layout::ids);
  snapshot.next_id = hdf5::get_integer(ids, "next_particle");
  for (const std::string& place : hdf5::names(ids))
    snapshot.ids(layout::place_of(place)) = hdf5::read_integers(hdf5::open_dataset(ids, place), bytes);

  FieldList fields(bytes);
  fields.read(vtk, "Points", static_cast<int>(dim));
  for (const std::string& name : layout::field_groups()) {
    if (!hdf5::has(file, name)) continue;
    const Handle group = hdf5::open_group(file, name);
    for (const std::string& dataset : hdf5::names(group)) fields.read(group, dataset, static_cast<int>(dim));
  }
  snapshot.fields = fields.take();
  return state;
}

}  // namespace

StoredState read_state(const std::filesystem::path& file) {
  require_sealed(file);
  try {
    return read_file(file);
  } catch (const hdf5::Error& error) {
    throw BadInput(fmt::format("{}: no usable state: {}", file.string(), error.what()));
  } catch (const std::logic_error& error) {  // a field's name that none can have
    throw BadInput(fmt::format("{}: no usable state: {}", file.string(), error.what()));
  }
}

}  // namespace repose
