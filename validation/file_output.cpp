#include "validation/file_output.h"

#include "reference/interface/base/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace repose {

namespace {

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view reason) {
  throw WriteError(fmt::format("cannot write {}: {}", file.string(), reason));
}

[[noreturn]] void fail_with_errno(const std::filesystem::path& file) { fail(file, std::strerror(errno)); }

void write_all(int descriptor, std::string_view bytes, const std::filesystem::path& file) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_with_errno(file);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// fsync() of things that cannot be synced (pipes, /dev/null) is no failure.
void sync_descriptor(int descriptor, const std::filesystem::path& file) {
  if (::fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS) fail_with_errno(file);
}

}  // namespace

void replace_file(const std::filesystem::path& file,
                  const std::function<void(const std::filesystem::path& temporary)>& write) {
  std::filesystem::path temporary = file;
  temporary += unfinished_suffix;
  try {
    write(temporary);
    sync(temporary);
    if (std::rename(temporary.c_str(), file.c_str()) != 0) fail_with_errno(file);
  } catch (...) {
    std::error_code ignored;  // the failure that matters is on its way
    std::filesystem::remove(temporary, ignored);
    throw;
  }
  sync(file.has_parent_path() ? file.parent_path() : std::filesystem::path("."));
}

void replace_file(const std::filesystem::path& file, std::string_view content) {
  // A device or pipe cannot be replaced, only written to.
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored)) {
    OutputFile out(file);
    out.append(content);
    out.sync();
    return;
  }
  replace_file(file, [&](const std::filesystem::path& temporary) {
    OutputFile out(temporary);
    out.append(content);
    out.sync();
  });
}

void require_writable(std::string_view option, const std::filesystem::path& file) {
  const auto refuse = [&](std::string_view why) {
    throw BadInput(fmt::format("{} {}: {}", option, file.string(), why));
  };
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::is_directory(status)) refuse("is a folder");
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder, error))
    refuse(fmt::format("there is no folder {}", folder.string()));
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    if (::access(file.c_str(), W_OK) != 0) refuse(std::strerror(errno));
    return;
  }

  std::string probe = fmt::format("{}.XXXXXX{}", file.string(), unfinished_suffix);
  const int descriptor = ::mkstemps(probe.data(), static_cast<int>(unfinished_suffix.size()));
  if (descriptor < 0) refuse(fmt::format("cannot be written: {}", std::strerror(errno)));
  const auto clean_up = [&] {
    ::close(descriptor);
    ::unlink(probe.c_str());
  };
  try {
    write_all(descriptor, std::string(4096, '\0'), file);  // one block: an empty file may fit on a full disk
  } catch (...) {
    clean_up();
    throw;
  }
  clean_up();
}

void require_folder_can_be_made(std::string_view option, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::path there = std::filesystem::absolute(folder);
  while (!std::filesystem::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  const bool usable = ::access(there.c_str(), W_OK | X_OK) == 0;
  const std::string reason = std::strerror(errno);
  if (!std::filesystem::is_directory(there, error))
    throw BadInput(fmt::format("{} {}: {} is not a folder", option, folder.string(), there.string()));
  if (!usable) throw BadInput(fmt::format("{} {}: {}: {}", option, folder.string(), there.string(), reason));
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw WriteError(fmt::format("cannot make folder {}: {}", folder.string(), error.message()));
}

void sync(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_with_errno(file);
  try {
    sync_descriptor(descriptor, file);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
}

OutputFile::OutputFile(std::filesystem::path file, std::uintmax_t keep) : file_(std::move(file)) {
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (keep == 0 ? O_TRUNC : 0), 0666);
  if (descriptor_ < 0) fail_with_errno(file_);
  if (keep == 0) return;
  if (::ftruncate(descriptor_, static_cast<off_t>(keep)) != 0 ||
      ::lseek(descriptor_, 0, SEEK_END) != static_cast<off_t>(keep)) {
    const int error = errno;
    ::close(descriptor_);
    fail(file_, std::strerror(error));
  }
}

OutputFile::~OutputFile() {
  try {
    flush();
  } catch (const WriteError&) {
    // Reached only while another failure is on its way: whoever wants to know calls sync().
  }
  ::close(descriptor_);
}

void OutputFile::append(std::string_view text) {
  constexpr std::size_t enough = 1U << 16;
  buffer_ += text;
  if (buffer_.size() >= enough) flush();
}

void OutputFile::sync() {
  flush();
  sync_descriptor(descriptor_, file_);
}

void OutputFile::flush() {
  const std::string pending = std::exchange(buffer_, {});
  write_all(descriptor_, pending, file_);
}

}  // namespace repose
