
#include "reference/interface/scene/scene_names.h"
#include "reference/interface/scene_file/scene_file.h"
#include "validation/file_output.h"
#include "validation/states/state_file.h"
#include "validation/states/state_layout.h"
#include "validation/states/state_seal.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <numeric>
#include <stdexcept>

namespace repose {

namespace {

using hdf5::Handle;

/// Number of elements of a field's place. @throws std::logic_error if the field has another length
std::size_t elements(const Field& field, const Snapshot& snapshot) {
  const auto k = static_cast<std::size_t>(field.components);
  if (field.components < 1 || field.value.size() % k != 0) {
    throw std::logic_error(fmt::format("field '{}' has {} values for {} components", field.name,
                                       field.value.size(), field.components));
  }
  const std::size_t count = field.value.size() / k;
  if (field.name.starts_with(field::native_prefix)) return count;  // a solver's own business
  // How much is kept once is its owner's business.
  const std::size_t expected = field.place == Place::scene ? count : snapshot.count(field.place);
  if (count != expected) {
    throw std::logic_error(fmt::format("field '{}' has {} elements, not {}", field.name, count, expected));
  }
  return count;
}

/// The cells and points of VTKHDF's unstructured grid: one vertex per particle.
void write_vertices(const Handle& vtk, std::size_t particles) {
  const auto n = static_cast<std::int64_t>(particles);
  const std::array<std::int64_t, 2> version{1, 0};
  hdf5::set_attribute(vtk, "Version", std::span<const std::int64_t>(version));
  hdf5::set_attribute(vtk, "Type", std::string_view("UnstructuredGrid"));
  const std::array count{n};
  for (const char* name : {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"}) {
    hdf5::write(vtk, name, std::span<const std::int64_t>(count));
  }
  std::vector<std::int64_t> ids(particles + 1);
  std::iota(ids.begin(), ids.end(), std::int64_t{0});
  hdf5::write(vtk, "Offsets", std::span<const std::int64_t>(ids));
  hdf5::write(vtk, "Connectivity", std::span<const std::int64_t>(ids).first(particles));
  constexpr std::uint8_t vertex = 1;
  hdf5::write(vtk, "Types", std::span<const std::uint8_t>(std::vector<std::uint8_t>(particles, vertex)));
}

void write_moment(const Handle& vtk, const Snapshot& snapshot, std::int64_t frame) {
  const Handle data = hdf5::create_group(vtk, "FieldData");
  const std::array time{snapshot.time};
  const std::array step{snapshot.step};
  const std::array frames{frame};
  hdf5::write(data, "time_s", time, {1});
  hdf5::write(data, "step", std::span<const std::int64_t>(step));
  hdf5::write(data, "frame", std::span<const std::int64_t>(frames));
}

void write_field(const Handle& group, const Field& field, const layout::Location& where, std::size_t count,
                 std::int64_t position) {
  const bool padded = where.stored != field.components;
  const std::vector<double> filled =
      padded ? layout::resize_elements(field.value, field.components, where.stored) : std::vector<double>{};
  const hdf5::Dims dims =
      where.stored == 1 ? hdf5::Dims{count} : hdf5::Dims{count, static_cast<hsize_t>(where.stored)};
  const Handle dataset = hdf5::write(group, where.dataset, padded ? filled : field.value, dims);
  hdf5::set_attribute(dataset, "name", std::string_view(field.name));
  hdf5::set_attribute(dataset, "unit", std::string_view(field.unit));
  hdf5::set_attribute(dataset, "place", names::of(field.place).one);
  hdf5::set_attribute(dataset, "components", std::int64_t{field.components});
  hdf5::set_attribute(dataset, "position", position);
}

/// Of each place that lists any, and the next particle's.
void write_ids(const Handle& group, const Snapshot& snapshot) {
  hdf5::set_attribute(group, "next_particle", snapshot.next_particle());
  for (const auto& [place, one, several] : names::places)
    if (const auto& ids = snapshot.ids(place); !ids.empty())
      hdf5::write(group, std::string(one), std::span<const std::int64_t>(ids));
}

void write_materials(const Handle& repose, const Scene& scene) {
  const Handle group = hdf5::create_group(repose, "materials");
  for (std::size_t i = 0; i < scene.materials.size(); ++i) {
    const Material& material = scene.materials[i];
    const Handle entry = hdf5::create_group(group, fmt::format("{:03}", i));
    hdf5::set_attribute(entry, "name", std::string_view(material.name));
    hdf5::set_attribute(entry, "kind", names::of(material.kind, names::material_kind));
    hdf5::set_attribute(entry, "density", material.density);
    hdf5::set_attribute(entry, "youngs_modulus", material.youngs_modulus);
    hdf5::set_attribute(entry, "poisson_ratio", material.poisson_ratio);
    hdf5::set_attribute(entry, "h0_rad", material.friction.h0);
    hdf5::set_attribute(entry, "h1_rad", material.friction.h1);
    hdf5::set_attribute(entry, "h2", material.friction.h2);
    hdf5::set_attribute(entry, "h3_rad", material.friction.h3);
    hdf5::set_attribute(entry, "cohesion", material.cohesion);
    hdf5::set_attribute(entry, "volume_correction", std::int64_t{material.volume_correction ? 1 : 0});
    hdf5::set_attribute(entry, "hardening_apart",
                        names::of(material.hardening_apart, names::hardening_apart));
  }
}

void write_origin(const Handle& repose, const Snapshot& snapshot, const Scene& scene,
                  const StateOrigin& origin) {
  hdf5::set_attribute(repose, "format", layout::format);
  hdf5::set_attribute(repose, "method", std::string_view(snapshot.method));
  hdf5::set_attribute(repose, "boundary", snapshot.at);
  hdf5::set_attribute(repose, "time_s", snapshot.time);
  hdf5::set_attribute(repose, "dt_s", snapshot.dt);
  hdf5::set_attribute(repose, "step", snapshot.step);
  hdf5::set_attribute(repose, "frame", origin.frame);
  hdf5::set_attribute(repose, "dim", std::int64_t{scene.dim()});
  hdf5::set_attribute(repose, "solver", std::string_view(origin.solver));
  hdf5::set_attribute(repose, "precision", std::string_view(origin.precision));
  hdf5::set_attribute(repose, "version", std::string_view(origin.build.version));
  hdf5::set_attribute(repose, "revision", std::string_view(origin.build.revision));
  hdf5::set_attribute(repose, "compiler", std::string_view(origin.build.compiler));
  hdf5::set_attribute(repose, "flags", std::string_view(origin.build.flags));
  hdf5::set_attribute(repose, "build_type", std::string_view(origin.build.build_type));
  hdf5::set_attribute(repose, "scene_hash", std::string_view(scene_hash(scene)));
  hdf5::write_text(repose, "scene", scene_to_toml(scene));
}

void write_file(const std::filesystem::path& path, const Snapshot& snapshot, const Scene& scene,
                const StateOrigin& origin) {
  Handle file = hdf5::create_file(path, seal_bytes);
  {
    const Handle vtk = hdf5::create_group(file, "VTKHDF");
    const Handle repose = hdf5::create_group(file, "repose");
    write_vertices(vtk, snapshot.particles());
    write_moment(vtk, snapshot, origin.frame);
    write_origin(repose, snapshot, scene, origin);
    write_materials(repose, scene);
    hdf5::create_group(file, "VTKHDF/PointData");
    hdf5::create_group(repose, "fields");
    write_ids(hdf5::create_group(file, layout::ids), snapshot);
    for (std::size_t i = 0; i < snapshot.fields.size(); ++i) {
      const Field& field = snapshot.fields[i];
      const layout::Location where = layout::locate(field, scene.dim());
      if (!hdf5::has(file, where.group)) hdf5::create_group(file, where.group);
      write_field(hdf5::open_group(file, where.group), field, where, elements(field, snapshot),
                  static_cast<std::int64_t>(i));
    }
  }
  file.finish("write its last bytes");
  seal(path);
}

}  // namespace

void write_state(const std::filesystem::path& file, const Snapshot& snapshot, const Scene& scene,
                 const StateOrigin& origin) {
  if (snapshot.find(field::x) == nullptr)
    throw std::logic_error("a state without positions cannot be stored");
  try {
    replace_file(file, [&](const std::filesystem::path& temporary) {
      write_file(temporary, snapshot, scene, origin);
    });
  } catch (const hdf5::Error& error) {
    throw WriteError(fmt::format("cannot write {}: {}", file.string(), error.what()));
  }
}

std::string state_file_name(std::int64_t frame) { return fmt::format("state_{:04}.hdf", frame); }

}  // namespace repose
