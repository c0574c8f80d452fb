#include "experiments/common/state_seal.h"

#include "experiments/common/file_output.h"
#include "reference/interface/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace repose::experiments {

namespace {

constexpr std::string_view mark = "repose state, HDF5 behind 512 bytes; sum of what follows ";

/// FNV-1a over words of 64 bits of all that lies behind the seal. Each step is a bijection of the sum, so that one wrong
/// word is always seen; the number of bytes goes in last.
std::uint64_t sum_behind_seal(std::istream& in) {
  constexpr std::uint64_t prime = 0x100000001b3U;
  std::uint64_t sum = 0xcbf29ce484222325U;
  std::uint64_t bytes = 0;
  std::vector<char> block(1U << 20);  // whole words, so that words never straddle blocks
  in.seekg(static_cast<std::streamoff>(seal_bytes));
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto got = static_cast<std::size_t>(in.gcount());
    bytes += got;
    for (std::size_t i = 0; i < got; i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, block.data() + i, std::min(sizeof word, got - i));
      sum = (sum ^ word) * prime;
    }
  }
  return (sum ^ bytes) * prime;
}

std::string seal_text(std::uint64_t sum) {
  std::string text = fmt::format("{}{:016x}\n", mark, sum);
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
  std::ifstream in(file, std::ios::binary);
  std::string text(seal_bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in.is_open() || in.bad()) refuse(std::strerror(errno));
  if (!text.starts_with(mark)) refuse("it was not written by repose, or its beginning is damaged");
  if (text != seal_text(sum_behind_seal(in)))
    refuse("it is damaged or was changed: its checksum does not fit");
}

}  // namespace repose::experiments
