#include "tests/fuzz/forge_state.h"

#include "validation/states/hdf5.h"
#include "validation/states/state_layout.h"
#include "validation/states/state_seal.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace repose::fuzz {

namespace {

using hdf5::Handle;

constexpr double inf = std::numeric_limits<double>::infinity();
const std::vector<double> nasty_doubles{std::numeric_limits<double>::quiet_NaN(),
                                        inf,
                                        -inf,
                                        1e308,
                                        -1e308,
                                        1e300,
                                        1e154,
                                        1e20,
                                        1e10,
                                        1e6,
                                        100.0,
                                        2.5,
                                        2.0,
                                        1.0,
                                        0.5,
                                        0.0,
                                        -0.0,
                                        -1.0,
                                        -3.0,
                                        1e-300,
                                        5e-324,
                                        4294967296.0,
                                        -1e10,
                                        9e18};
const std::vector<std::int64_t> nasty_integers{std::numeric_limits<std::int64_t>::min(),
                                               std::numeric_limits<std::int64_t>::max(),
                                               -1,
                                               0,
                                               1,
                                               2,
                                               3,
                                               4,
                                               5,
                                               7,
                                               9,
                                               1000,
                                               4097,
                                               1LL << 32,
                                               1LL << 53};
const std::vector<std::string> words{"step_start", "p2g",       "forces",      "collisions", "friction",
                                     "g2p",        "update",    "plasticity",  "nowhere",    "",
                                     "reference",  "optimized", "float",       "double",     "particle",
                                     "node",       "scene",     "a\nb\x1b[31m"};

constexpr std::size_t most_text = 1U << 26U;

/// A dataset of a field and the group it lies in.
struct Place {
  std::string group;
  std::string name;
};

std::vector<Place> fields_of(const Handle& file) {
  std::vector<Place> all{{"VTKHDF", "Points"}};
  for (const std::string& group : layout::field_groups()) {
    if (!hdf5::has(file, group)) continue;
    for (const std::string& name : hdf5::names(hdf5::open_group(file, group))) all.push_back({group, name});
  }
  return all;
}

void remove_attribute(const Handle& object, const char* name) { H5Adelete(object.id(), name); }

/// What describes a field stays with it when its dataset is replaced.
struct Description {
  std::string name, unit, place;
  std::int64_t components = 1;
  std::int64_t position = 0;

  static Description of(const Handle& dataset) {
    return {hdf5::get_text(dataset, "name"), hdf5::get_text(dataset, "unit"),
            hdf5::get_text(dataset, "place"), hdf5::get_integer(dataset, "components"),
            hdf5::get_integer(dataset, "position")};
  }
  void write(const Handle& dataset) const {
    hdf5::set_attribute(dataset, "name", std::string_view(name));
    hdf5::set_attribute(dataset, "unit", std::string_view(unit));
    hdf5::set_attribute(dataset, "place", std::string_view(place));
    hdf5::set_attribute(dataset, "components", components);
    hdf5::set_attribute(dataset, "position", position);
  }
};

/// Another number of elements, or other values.
void replace_values(const Handle& file, const Place& place, Dice& dice) {
  const Handle group = hdf5::open_group(file, place.group);
  std::vector<double> values;
  hdf5::Dims dims;
  Description description;
  {
    const Handle dataset = hdf5::open_dataset(group, place.name);
    dims = hdf5::dims(dataset, most_text);
    values = hdf5::read_doubles(dataset, most_text);
    description = Description::of(dataset);
  }
  if (dice.one_in(3)) {
    const std::vector<hsize_t> rows{0, dims[0] / 2, dims[0] + 1, 2 * dims[0], dims[0] > 0 ? dims[0] - 1 : 0,
                                    1};
    dims[0] = dice.of(rows);
    values.resize(dims[0] * (dims.size() == 2 ? dims[1] : 1), 1.0);
  } else if (dice.one_in(10) && dims.size() == 2) {
    dims.pop_back();
    values.resize(dims[0]);
  } else if (!values.empty()) {
    const double value = dice.of(nasty_doubles);
    const std::size_t count = dice.one_in(4) ? values.size() : 1 + dice.below(3);
    for (std::size_t i = 0; i < count; ++i)
      values[count == values.size() ? i : dice.below(values.size())] = value;
  }
  H5Ldelete(group.id(), place.name.c_str(), H5P_DEFAULT);
  description.write(hdf5::write(group, place.name, values, dims));
}

void change_description(const Handle& file, const Place& place, const std::vector<Place>& all, Dice& dice) {
  const Handle group = hdf5::open_group(file, place.group);
  const Handle dataset = hdf5::open_dataset(group, place.name);
  Description description = Description::of(dataset);
  switch (dice.below(5)) {
    case 0:
      description.components = dice.of(nasty_integers);
      break;
    case 1:
      description.position = dice.of(nasty_integers);
      break;
    case 2:
      description.name = dice.of(all).name;
      break;
    case 3:
      description.name = dice.of(words);
      break;
    default:
      description.place = dice.of(words);
  }
  for (const char* name : {"name", "unit", "place", "components", "position"})
    remove_attribute(dataset, name);
  description.write(dataset);
}

void change_moment(const Handle& file, Dice& dice) {
  const Handle repose = hdf5::open_group(file, "repose");
  const std::vector<std::string> doubles{"time_s", "dt_s"};
  const std::vector<std::string> integers{"step", "frame", "dim", "format"};
  const std::vector<std::string> texts{"method", "boundary", "solver", "precision", "scene_hash", "version"};
  const std::size_t kind = dice.below(3);
  const std::string name = dice.of(kind == 0 ? doubles : kind == 1 ? integers : texts);
  remove_attribute(repose, name.c_str());
  if (dice.one_in(10)) return;  // it is gone
  if (kind == 0) hdf5::set_attribute(repose, name, dice.of(nasty_doubles));
  if (kind == 1) hdf5::set_attribute(repose, name, dice.of(nasty_integers));
  if (kind == 2) hdf5::set_attribute(repose, name, std::string_view(dice.of(words)));
}

void change_nodes(const Handle& file, Dice& dice) {
  const Handle repose = hdf5::open_group(file, layout::ids);
  const std::vector<std::string> places = hdf5::names(repose);
  const std::string place = places.empty() || dice.one_in(4) ? "cell" : dice.of(places);
  std::vector<std::int64_t> ids;
  if (hdf5::has(repose, place)) ids = hdf5::read_integers(hdf5::open_dataset(repose, place), most_text);
  if (dice.one_in(3) || ids.empty()) {
    ids.resize(dice.one_in(2) ? ids.size() / 2 : ids.size() + 3, 17);
  } else {
    ids[dice.below(ids.size())] = dice.of(nasty_integers);
  }
  if (hdf5::has(repose, place)) H5Ldelete(repose.id(), place.c_str(), H5P_DEFAULT);
  hdf5::write(repose, place, std::span<const std::int64_t>(ids));
}

void change_once(const Handle& file, Dice& dice) {
  const std::vector<Place> fields = fields_of(file);
  const Place& place = dice.of(fields);
  const std::size_t what = dice.below(10);
  if (what < 5) {
    replace_values(file, place, dice);
  } else if (what < 6) {
    H5Ldelete(hdf5::open_group(file, place.group).id(), place.name.c_str(), H5P_DEFAULT);
  } else if (what < 7) {
    change_description(file, place, fields, dice);
  } else if (what < 9) {
    change_moment(file, dice);
  } else {
    change_nodes(file, dice);
  }
}

}  // namespace

void forge(const std::filesystem::path& path, Dice& dice) {
  hdf5::open_file(path);  // starts the library
  {
    Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open a state to forge");
    const std::size_t changes = 1 + dice.below(2);
    for (std::size_t i = 0; i < changes; ++i) {
      try {
        change_once(file, dice);
      } catch (const hdf5::Error&) {
        // The first change left nothing that the second could find.
      }
    }
    file.finish("write a forged state");
  }
  seal(path);
}

}  // namespace repose::fuzz
