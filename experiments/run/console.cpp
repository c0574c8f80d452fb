#include "experiments/run/console.h"

#include "validation/file_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace repose::experiments {

namespace {

[[noreturn]] void lost(int error) {
  throw WriteError(fmt::format("cannot write standard output: {}",
                               error == 0 ? "some of it was lost" : std::strerror(error)));
}

}  // namespace

void open_standard_streams() noexcept {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free descriptor is this one. The wrong way round: reading or writing it fails.
    const int mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (::open("/dev/null", mode) != descriptor) return;
  }
}

void tell(std::string_view text) noexcept { std::fwrite(text.data(), 1, text.size(), stderr); }

void print(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) lost(errno);
}

void flush_output() {
  errno = 0;
  if (std::fflush(stdout) != 0) lost(errno);
  if (std::ferror(stdout) != 0) lost(0);
}

}  // namespace repose::experiments
