#include "experiments/run/run_folder.h"

#include "reference/interface/base/error.h"
#include "validation/file_output.h"
#include "validation/states/state_seal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace repose::experiments {

namespace {

namespace fs = std::filesystem;

std::string identity_text(const RunFolder::Identity& identity) {
  return identity.scene + "\n" + identity.options;
}

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw BadInput(fmt::format("{}: cannot be read", file.string()));
  return text.str();
}

/// First line in which the recorded run is another one, or nothing.
std::optional<std::string> first_difference(const std::string& recorded, const std::string& wanted) {
  std::istringstream a(recorded);
  std::istringstream b(wanted);
  std::string was;
  std::string is;
  for (int line = 1; std::getline(b, is); ++line) {
    if (!std::getline(a, was)) was = "(its end)";
    if (was != is) return fmt::format("{}: has '{}', not '{}'", line, was, is);
  }
  return std::nullopt;
}

/// Files of states/, those of later frames first.
std::vector<fs::path> state_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder / "states", error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("state_") && name.ends_with(".hdf")) files.push_back(entry.path());
  }
  // Longer names are later frames once four digits do not suffice.
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    const std::string left = a.filename().string();
    const std::string right = b.filename().string();
    return left.size() != right.size() ? left.size() > right.size() : left > right;
  });
  return files;
}

std::optional<RunFolder::LastState> try_read(const fs::path& file, std::vector<std::string>& notes) {
  try {
    return RunFolder::LastState{.file = file, .state = read_state(file)};
  } catch (const OldSeal&) {
    throw;  // not damage: to start over would replace a whole run
  } catch (const BadInput& error) {
    notes.push_back(fmt::format("passed over {}", error.what()));
    return std::nullopt;
  }
}

bool is_unfinished(const fs::path& file) { return file.string().ends_with(unfinished_suffix); }

/// Whether a folder holds no more than what a run leaves that ends before its run.toml is there: see RunFolder().
bool is_unstarted(const fs::path& folder, std::error_code& error) {
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const fs::path& path = entry.path();
    if (path.filename() == fs::path("run.toml").concat(unfinished_suffix)) continue;
    if (path.filename() != "states" || !entry.is_directory(error)) return false;
    for (const auto& state : fs::directory_iterator(path, error))
      if (!is_unfinished(state.path())) return false;
  }
  return !error;
}

void remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw WriteError(fmt::format("cannot remove {}: {}", file.string(), error.message()));
}

}  // namespace

void RunFolder::require_unused(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) throw BadInput(fmt::format("--out {}: is not a folder", folder.string()));
  const bool unstarted = is_unstarted(folder, error);
  if (error) throw BadInput(fmt::format("--out {}: {}", folder.string(), error.message()));
  if (unstarted) return;
  const bool run = fs::exists(folder / "run.toml", error);
  throw BadInput(fmt::format("--out {}: {}", folder.string(),
                             run ? "holds a run; continue it with --resume, or choose another folder"
                                 : "is not empty and holds no run; choose another folder"));
}

void RunFolder::require_same_run(const fs::path& folder, const Identity& identity) {
  const fs::path record = folder / "run.toml";
  std::error_code error;
  if (!fs::exists(record, error)) {
    const bool unstarted = fs::exists(folder, error) && is_unstarted(folder, error);
    throw BadInput(fmt::format("--resume: {} is missing, so there is no run to continue{}", record.string(),
                               unstarted ? "; start it without --resume" : ""));
  }
  if (const auto difference = first_difference(read_text(record), identity_text(identity))) {
    throw BadInput(fmt::format("--resume: this is another run: {}:{}", record.string(), *difference));
  }
}

void RunFolder::require_run(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) throw BadInput(fmt::format("{}: no such folder", folder.string()));
  if (!fs::is_directory(status))
    throw BadInput(fmt::format("{}: is not a folder; a run is named by its folder", folder.string()));
  if (!fs::exists(folder / "run.toml", error))
    throw BadInput(fmt::format("{}: holds no run: run.toml is missing", folder.string()));
}

std::vector<fs::path> RunFolder::states(const fs::path& folder) {
  std::vector<fs::path> files = state_files(folder);
  std::reverse(files.begin(), files.end());
  const fs::path checkpoint = folder / "states" / "checkpoint.hdf";
  std::error_code error;
  if (fs::exists(checkpoint, error)) files.push_back(checkpoint);
  return files;
}

std::optional<RunFolder::LastState> RunFolder::last_state(const fs::path& folder,
                                                          std::vector<std::string>& notes) {
  std::optional<LastState> best;
  for (const fs::path& file : state_files(folder)) {
    best = try_read(file, notes);
    if (best) break;
  }
  const fs::path checkpoint = folder / "states" / "checkpoint.hdf";
  std::error_code error;
  if (!fs::exists(checkpoint, error)) return best;
  std::optional<LastState> inside_frame = try_read(checkpoint, notes);
  const bool later = inside_frame && (!best || inside_frame->state.snapshot.step > best->state.snapshot.step);
  return later ? inside_frame : best;
}

RunFolder::RunFolder(const fs::path& folder) : folder_(folder) {
  try {
    make_folder(folder_ / "states");
  } catch (const WriteError& error) {
    throw BadInput(fmt::format("--out: {}", error.what()));
  }
  lock_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ >= 0 && ::flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  const bool busy = lock_ >= 0 && errno == EWOULDBLOCK;
  if (lock_ >= 0) ::close(lock_);
  lock_ = -1;
  if (busy) throw BadInput(fmt::format("--out {}: another process is running there", folder_.string()));
  // A file system without locks: nothing to rely on, nothing lost.
}

RunFolder::~RunFolder() {
  if (lock_ >= 0) ::close(lock_);
}

void RunFolder::record(const Identity& identity, std::string_view about) const {
  replace_file(folder_ / "run.toml", fmt::format("{}{}", identity_text(identity), about));
}

void RunFolder::remove_unfinished() const {
  for (const fs::path& where : {folder_, folder_ / "states"}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(where, error)) {
      if (is_unfinished(entry.path())) fs::remove(entry.path(), error);
    }
  }
}

void RunFolder::remove_checkpoint() const { remove_file(checkpoint()); }

void RunFolder::remove_other_states(std::int64_t frame) const {
  for (const fs::path& file : state_files(folder_)) {
    if (file != state(frame)) remove_file(file);
  }
}

}  // namespace repose::experiments
