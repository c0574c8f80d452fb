#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What state files need of HDF5: identifiers that close themselves, arrays of doubles and integers, attributes.
/// Nothing here depends on the time of day, so equal content gives equal files.
namespace repose::hdf5 {

/// An operation that failed, and the operating system's reason where HDF5 knows it.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Owns an identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// @param what names the operation that gave the identifier @throws Error if it is invalid
  Handle(hid_t id, Close close, std::string_view what);
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle();

  hid_t id() const { return id_; }
  /// Closes now. @throws Error: for a file this is when the last bytes are written
  void finish(std::string_view what);

 private:
  hid_t id_;
  Close close_;
};

using Dims = std::vector<hsize_t>;

/// Replaces a file. The user block is space at its front that HDF5 leaves alone: 0, 512, 1024, … [B]
Handle create_file(const std::filesystem::path& file, std::size_t user_block);
Handle open_file(const std::filesystem::path& file);

Handle create_group(const Handle& parent, const std::string& name);
Handle open_group(const Handle& parent, const std::string& name);
Handle open_dataset(const Handle& parent, const std::string& name);
/// Names in a group, ascending.
std::vector<std::string> names(const Handle& group);
bool has(const Handle& parent, const std::string& name);

/// Row-major arrays; a rank of 1 or 2 as dims says.
Handle write(const Handle& parent, const std::string& name, std::span<const double> values, const Dims& dims);
Handle write(const Handle& parent, const std::string& name, std::span<const std::int64_t> values);
Handle write(const Handle& parent, const std::string& name, std::span<const std::uint8_t> values);
void write_text(const Handle& parent, const std::string& name, std::string_view text);

/// Size of a dataset along each axis. @throws Error if it claims more than `limit_bytes` [B]
Dims dims(const Handle& dataset, std::uint64_t limit_bytes);
std::vector<double> read_doubles(const Handle& dataset, std::uint64_t limit_bytes);
std::vector<std::int64_t> read_integers(const Handle& dataset, std::uint64_t limit_bytes);
std::string read_text(const Handle& parent, const std::string& name, std::uint64_t limit_bytes);

void set_attribute(const Handle& object, const std::string& name, double value);
void set_attribute(const Handle& object, const std::string& name, std::int64_t value);
void set_attribute(const Handle& object, const std::string& name, std::span<const std::int64_t> values);
void set_attribute(const Handle& object, const std::string& name, std::string_view text);
double get_double(const Handle& object, const std::string& name);
std::int64_t get_integer(const Handle& object, const std::string& name);
std::string get_text(const Handle& object, const std::string& name);

}  // namespace repose::hdf5
