#include "validation/states/hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace repose::hdf5 {

namespace {

/// Keeps the deepest reason on HDF5's error stack that the operating system gave.
herr_t find_reason(unsigned, const H5E_error2_t* error, void* reason) {
  constexpr std::string_view mark = "error message = '";
  const std::string_view text = error->desc == nullptr ? "" : error->desc;
  const auto start = text.find(mark);
  if (start == std::string_view::npos) return 0;
  const auto end = text.find('\'', start + mark.size());
  *static_cast<std::string*>(reason) = text.substr(start + mark.size(), end - start - mark.size());
  return 0;
}

[[noreturn]] void fail(std::string_view what) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, find_reason, &reason);
  throw Error(reason.empty() ? fmt::format("cannot {}", what) : fmt::format("cannot {}: {}", what, reason));
}

void check(herr_t status, std::string_view what) {
  if (status < 0) fail(what);
}

/// Failures are reported by exceptions, not by the library's traces on stderr. And a file that a full disk kept from
/// being closed stays open: the library's own clean-up at the program's end would crash over it.
void start_library() {
  static const herr_t no_clean_up = H5dont_atexit();
  check(no_clean_up, "start HDF5");
  check(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr), "silence HDF5");
}

/// Creation properties without times.
Handle timeless(hid_t kind) {
  Handle properties(H5Pcreate(kind), H5Pclose, "make properties");
  check(H5Pset_obj_track_times(properties.id(), 0), "switch times off");
  return properties;
}

Handle text_type(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a text type");
  check(H5Tset_size(type.id(), std::max<std::size_t>(length, 1)), "size a text type");
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "pad a text type");
  return type;
}

std::size_t text_length(hid_t type, const std::string& name) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) {
    throw Error(fmt::format("'{}' is not a fixed-length text", name));
  }
  return H5Tget_size(type);
}

void trim(std::string& text) { text.resize(std::min(text.find('\0'), text.size())); }

Handle write_values(const Handle& parent, const std::string& name, hid_t file_type, hid_t memory_type,
                    const void* values, const Dims& dims) {
  const Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose,
                     "make a space");
  const Handle properties = timeless(H5P_DATASET_CREATE);
  const std::string what = fmt::format("write '{}'", name);
  Handle dataset(
      H5Dcreate2(parent.id(), name.c_str(), file_type, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
      H5Dclose, what);
  const bool empty = std::find(dims.begin(), dims.end(), hsize_t{0}) != dims.end();
  if (!empty) check(H5Dwrite(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), what);
  return dataset;
}

void write_attribute(const Handle& object, const std::string& name, hid_t file_type, hid_t memory_type,
                     const Handle& space, const void* value) {
  const std::string what = fmt::format("write attribute '{}'", name);
  const Handle attribute(
      H5Acreate2(object.id(), name.c_str(), file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  check(H5Awrite(attribute.id(), memory_type, value), what);
}

Handle scalar() { return {H5Screate(H5S_SCALAR), H5Sclose, "make a scalar space"}; }

Handle open_attribute(const Handle& object, const std::string& name) {
  return {H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), H5Aclose,
          fmt::format("find attribute '{}'", name)};
}

/// Reads a scalar attribute of one number.
template <class T>
T read_number(const Handle& object, const std::string& name, hid_t memory_type, H5T_class_t expected) {
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, "get a space");
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, "get a type");
  if (H5Sget_simple_extent_npoints(space.id()) != 1 || H5Tget_class(type.id()) != expected) {
    throw Error(fmt::format("attribute '{}' is not one number of its kind", name));
  }
  T value{};
  check(H5Aread(attribute.id(), memory_type, &value), fmt::format("read attribute '{}'", name));
  return value;
}

std::size_t count(const Dims& dims) {
  return static_cast<std::size_t>(std::accumulate(dims.begin(), dims.end(), hsize_t{1}, std::multiplies<>()));
}

template <class T>
std::vector<T> read_values(const Handle& dataset, hid_t memory_type, H5T_class_t expected,
                           std::uint64_t limit_bytes) {
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "get a type");
  if (H5Tget_class(type.id()) != expected) throw Error("a dataset holds values of the wrong kind");
  std::vector<T> values(count(dims(dataset, limit_bytes)));
  if (!values.empty()) {
    check(H5Dread(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "read a dataset");
  }
  return values;
}

}  // namespace

Handle::Handle(hid_t id, Close close, std::string_view what) : id_(id), close_(close) {
  if (id_ < 0) fail(what);
}

Handle::~Handle() {
  if (id_ >= 0) close_(id_);
}

void Handle::finish(std::string_view what) { check(close_(std::exchange(id_, H5I_INVALID_HID)), what); }

Handle create_file(const std::filesystem::path& file, std::size_t user_block) {
  start_library();
  const Handle properties = timeless(H5P_FILE_CREATE);
  check(H5Pset_userblock(properties.id(), user_block), "make a user block");
  return {H5Fcreate(file.c_str(), H5F_ACC_TRUNC, properties.id(), H5P_DEFAULT), H5Fclose, "create the file"};
}

Handle open_file(const std::filesystem::path& file) {
  start_library();
  return {H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "open it as HDF5"};
}

Handle create_group(const Handle& parent, const std::string& name) {
  const Handle properties = timeless(H5P_GROUP_CREATE);
  return {H5Gcreate2(parent.id(), name.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Gclose,
          fmt::format("write group '{}'", name)};
}

Handle open_group(const Handle& parent, const std::string& name) {
  return {H5Gopen2(parent.id(), name.c_str(), H5P_DEFAULT), H5Gclose, fmt::format("find group '{}'", name)};
}

Handle open_dataset(const Handle& parent, const std::string& name) {
  return {H5Dopen2(parent.id(), name.c_str(), H5P_DEFAULT), H5Dclose, fmt::format("find dataset '{}'", name)};
}

std::vector<std::string> names(const Handle& group) {
  std::vector<std::string> result;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  hsize_t index = 0;
  check(H5Literate(group.id(), H5_INDEX_NAME, H5_ITER_INC, &index, collect, &result), "list a group");
  return result;
}

bool has(const Handle& parent, const std::string& name) {
  return H5Lexists(parent.id(), name.c_str(), H5P_DEFAULT) > 0;
}

Handle write(const Handle& parent, const std::string& name, std::span<const double> values,
             const Dims& dims) {
  return write_values(parent, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data(), dims);
}

Handle write(const Handle& parent, const std::string& name, std::span<const std::int64_t> values) {
  return write_values(parent, name, H5T_STD_I64LE, H5T_NATIVE_INT64, values.data(), {values.size()});
}

Handle write(const Handle& parent, const std::string& name, std::span<const std::uint8_t> values) {
  return write_values(parent, name, H5T_STD_U8LE, H5T_NATIVE_UINT8, values.data(), {values.size()});
}

void write_text(const Handle& parent, const std::string& name, std::string_view text) {
  const Handle type = text_type(text.size());
  const Handle space = scalar();
  const Handle properties = timeless(H5P_DATASET_CREATE);
  const std::string what = fmt::format("write '{}'", name);
  const Handle dataset(
      H5Dcreate2(parent.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
      H5Dclose, what);
  check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, std::string(text).c_str()), what);
}

Dims dims(const Handle& dataset, std::uint64_t limit_bytes) {
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, "get a space");
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 1 || rank > 2) throw Error("a dataset has neither one nor two axes");
  Dims result(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space.id(), result.data(), nullptr), "get the size of a dataset");
  // Before memory is asked for: a damaged header may claim any size.
  const hsize_t most = limit_bytes / sizeof(double);
  if (result[0] > most || (rank == 2 && result[1] > most) || count(result) > most) {
    throw Error("a dataset claims to be larger than its file");
  }
  return result;
}

std::vector<double> read_doubles(const Handle& dataset, std::uint64_t limit_bytes) {
  return read_values<double>(dataset, H5T_NATIVE_DOUBLE, H5T_FLOAT, limit_bytes);
}

std::vector<std::int64_t> read_integers(const Handle& dataset, std::uint64_t limit_bytes) {
  return read_values<std::int64_t>(dataset, H5T_NATIVE_INT64, H5T_INTEGER, limit_bytes);
}

std::string read_text(const Handle& parent, const std::string& name, std::uint64_t limit_bytes) {
  const Handle dataset = open_dataset(parent, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "get a type");
  const std::size_t length = text_length(type.id(), name);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, "get a space");
  if (length > limit_bytes || H5Sget_simple_extent_npoints(space.id()) != 1) {
    throw Error(fmt::format("'{}' is not one text", name));
  }
  std::string text(length, '\0');
  check(H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()),
        fmt::format("read '{}'", name));
  trim(text);
  return text;
}

void set_attribute(const Handle& object, const std::string& name, double value) {
  write_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, scalar(), &value);
}

void set_attribute(const Handle& object, const std::string& name, std::int64_t value) {
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, scalar(), &value);
}

void set_attribute(const Handle& object, const std::string& name, std::span<const std::int64_t> values) {
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, "make a space");
  write_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, space, values.data());
}

void set_attribute(const Handle& object, const std::string& name, std::string_view text) {
  const Handle type = text_type(text.size());
  write_attribute(object, name, type.id(), type.id(), scalar(), std::string(text).c_str());
}

double get_double(const Handle& object, const std::string& name) {
  return read_number<double>(object, name, H5T_NATIVE_DOUBLE, H5T_FLOAT);
}

std::int64_t get_integer(const Handle& object, const std::string& name) {
  return read_number<std::int64_t>(object, name, H5T_NATIVE_INT64, H5T_INTEGER);
}

std::string get_text(const Handle& object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, "get a type");
  const std::size_t length = text_length(type.id(), name);
  constexpr std::size_t largest = 1U << 16;  // an attribute holds no more
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, "get a space");
  if (length > largest || H5Sget_simple_extent_npoints(space.id()) != 1) {
    throw Error(fmt::format("attribute '{}' is not one text", name));
  }
  std::string text(length, '\0');
  check(H5Aread(attribute.id(), type.id(), text.data()), fmt::format("read attribute '{}'", name));
  trim(text);
  return text;
}

}  // namespace repose::hdf5
