#include "optimized/threads.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace repose::optimized {

namespace {

/// Lets waiting threads sleep, unless the environment says how they wait.
///
/// By default both OpenMP runtimes let them spin, for milliseconds, in which they take the processor from the thread that
/// they wait for: beside other work a step of few particles takes 5 to 40 times as long.
///
/// Neither runtime can be told by a call; both read their variables, LLVM's (libomp) at the first parallel region, GNU's
/// (libgomp) in a constructor. As a shared library it would run that before anything of the program: a setenv() in main()
/// comes too late, and one in .preinit_array too early, since glibc forgets it when it starts itself. Therefore GNU's
/// runtime is linked into the program (CMakeLists.txt beside this file), where constructors of a priority run before
/// those without one. The program starting itself anew with the variable set would do as well, but debuggers, valgrind
/// and whoever looks for a process by its name would lose it.
///
/// It stands in this file because every program that shares loops needs Team: so no linker leaves it out.
[[gnu::constructor(101)]] void wait_passively() {
  constexpr std::array by_user{"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY"};
  for (const char* const name : by_user)
    if (std::getenv(name) != nullptr) return;
  setenv("OMP_WAIT_POLICY", "passive", 1);
  // LLVM's yields on the way to sleep where there are more threads than processors: beside other work each time costs what
  // all others then take.
  setenv("KMP_USE_YIELD", "0", 0);
}

}  // namespace

Team Team::part_for(double ns) const {
  if (always_) return *this;
  const double worth = std::clamp(ns / worth_waking_ns, 1.0, static_cast<double>(size_));
  return Team(static_cast<int>(worth));
}

int Team::chunk(std::size_t iterations, int most) const {
  constexpr std::size_t turns = 8;  // of each thread
  const std::size_t chunk = iterations / (turns * static_cast<std::size_t>(size_));
  return static_cast<int>(std::clamp<std::size_t>(chunk, 1, static_cast<std::size_t>(most)));
}

}  // namespace repose::optimized
