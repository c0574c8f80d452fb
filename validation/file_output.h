#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace repose {

/// A file that could not be written: one line that names it and the reason (disk full, no permission).
struct WriteError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Suffix of files that are not complete yet.
inline constexpr std::string_view unfinished_suffix = ".tmp";

/// Replaces a file so that at any moment the old or the new one is there in full: `write` makes a temporary file in
/// the same folder, which is synced and renamed. On failure nothing is left behind. @throws WriteError
void replace_file(const std::filesystem::path& file,
                  const std::function<void(const std::filesystem::path& temporary)>& write);

/// The same with given content.
void replace_file(const std::filesystem::path& file, std::string_view content);

/// Finds out before long work whether its result can be written to a file, by writing beside it and removing that. Other
/// reasons than a full disk are the caller's to mend.
/// @param option that names the file, for the message
/// @throws BadInput  @throws WriteError for a full disk
void require_writable(std::string_view option, const std::filesystem::path& file);

/// The same of a folder that may have to be made later, with its parents. Writes nothing. @throws BadInput
void require_folder_can_be_made(std::string_view option, const std::filesystem::path& folder);

/// Makes a folder and its parents. @throws WriteError
void make_folder(const std::filesystem::path& folder);

/// Waits until a file's or folder's bytes are on the disk. @throws WriteError
void sync(const std::filesystem::path& file);

/// A file that is written piece by piece, such as a table that grows with a run. Every failure throws WriteError.
class OutputFile {
 public:
  /// Opens a file behind its first `keep` bytes, dropping what follows; keep = 0 makes a new one.
  explicit OutputFile(std::filesystem::path file, std::uintmax_t keep = 0);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void append(std::string_view text);
  /// Hands all that was appended to the operating system and waits for the disk.
  void sync();

 private:
  void flush();

  std::filesystem::path file_;
  int descriptor_ = -1;
  std::string buffer_;
};

}  // namespace repose
