#include "validation/states/state_seal.h"

#include "validation/file_output.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace repose {

namespace {

constexpr std::string_view mark = "repose state, HDF5 behind 512 bytes; XXH3-128 of what follows ";
constexpr std::string_view old_mark = "repose state, HDF5 behind 512 bytes; sum of what follows ";

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

/// XXH3-128 of all that lies behind the seal, as 32 hexadecimal digits.
std::string sum_behind_seal(std::istream& in) {
  const std::unique_ptr<XXH3_state_t, FreeState> sum(XXH3_createState());
  if (!sum) throw std::bad_alloc();
  XXH3_128bits_reset(sum.get());
  std::vector<char> block(1U << 20);
  in.seekg(static_cast<std::streamoff>(seal_bytes));
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    XXH3_128bits_update(sum.get(), block.data(), static_cast<std::size_t>(in.gcount()));
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(sum.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string seal_text(std::string_view sum) {
  std::string text = fmt::format("{}{}\n", mark, sum);
  text.resize(seal_bytes, '\0');
  return text;
}

}  // namespace

void seal(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text = seal_text(sum_behind_seal(in));
  std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!in.eof() || in.bad() || !out) {
    throw WriteError(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
  }
}

void require_sealed(const std::filesystem::path& file) {
  const auto refuse = [&](std::string_view why) {
    throw BadInput(fmt::format("{}: no usable state: {}", file.string(), why));
  };
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) refuse("no such file");
  if (std::filesystem::is_directory(status)) refuse("it is a folder");
  // A pipe would make the program wait.
  if (!std::filesystem::is_regular_file(status)) refuse("it is no file");
  std::ifstream in(file, std::ios::binary);
  std::string text(seal_bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in.is_open() || in.bad()) refuse(std::strerror(errno));
  if (text.starts_with(old_mark)) {
    throw OldSeal(
        fmt::format("{}: no usable state: an earlier version sealed it, with a sum that overlooks some "
                    "damage; start the run anew",
                    file.string()));
  }
  if (!text.starts_with(mark)) refuse("it was not written by repose, or its beginning is damaged");
  if (text != seal_text(sum_behind_seal(in)))
    refuse("it is damaged or was changed: its checksum does not fit");
}

}  // namespace repose
