#include "tests/fuzz/supervise.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <new>
#include <sstream>
#include <thread>

namespace repose::fuzz {

namespace {

constexpr double most_seconds = 10.0;           // of processor time: a busy machine makes no case hang
constexpr double most_waiting_seconds = 300.0;  // of the clock: a case that only waits uses no processor time
constexpr std::uint64_t most_bytes = std::uint64_t{3} << 30U;
constexpr std::size_t enough_findings = 20;

using Clock = std::chrono::steady_clock;

/// What the worker tells its parent, in memory that both see and that outlives a crash.
struct Shared {
  std::atomic<std::uint64_t> number;  ///< of the case in progress
  std::atomic<bool> has_finding;
  std::array<std::atomic<std::uint64_t>, reached_names.size()> reached;
  std::atomic<double> slowest_seconds;
  std::atomic<std::uint64_t> slowest;
  char finding[4096];
};

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Of another process [s]; the numbers behind its name in parentheses, which may hold anything.
double processor_seconds_of(pid_t process) {
  std::ifstream in(fmt::format("/proc/{}/stat", process));
  std::ostringstream text;
  text << in.rdbuf();
  const std::string all = text.str();
  std::istringstream fields(all.substr(std::min(all.rfind(')') + 1, all.size())));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0.0;
  double system = 0.0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::uint64_t resident_bytes_of(pid_t process) {
  std::ifstream in(fmt::format("/proc/{}/statm", process));
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  in >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// In the child: cases until the end or the first finding.
[[noreturn]] void work(const Campaign& campaign, std::uint64_t first, Shared& shared) {
  for (std::uint64_t number = first; number < campaign.first + campaign.count; ++number) {
    shared.number = number;
    const double start = processor_seconds();
    try {
      const Reached reached = campaign.check(number);
      ++shared.reached[static_cast<std::size_t>(reached)];
    } catch (const std::exception& error) {
      std::strncpy(shared.finding, error.what(), sizeof shared.finding - 1);
      shared.has_finding = true;
      ::_exit(0);
    }
    const double seconds = processor_seconds() - start;
    if (seconds > shared.slowest_seconds) {
      shared.slowest_seconds = seconds;
      shared.slowest = number;
    }
  }
  shared.number = campaign.first + campaign.count;
  ::_exit(0);
}

/// Waits for the child's end. @returns why it was ended or how it died; empty if it came to its own end
std::string watch(pid_t child, const Shared& shared) {
  std::uint64_t number = shared.number;
  double processor_start = processor_seconds_of(child);
  auto start = Clock::now();
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) {
      if (WIFSIGNALED(status))
        return fmt::format("killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
      return WEXITSTATUS(status) == 0 ? "" : fmt::format("ended with exit code {}", WEXITSTATUS(status));
    }
    std::string why;
    if (number != shared.number) {
      number = shared.number;
      processor_start = processor_seconds_of(child);
      start = Clock::now();
    } else if (processor_seconds_of(child) - processor_start > most_seconds) {
      why = fmt::format("no end after {} s of processor time", most_seconds);
    } else if (std::chrono::duration<double>(Clock::now() - start).count() > most_waiting_seconds) {
      why = fmt::format("no end after {} s", most_waiting_seconds);
    }
    if (resident_bytes_of(child) > most_bytes) why = "takes more than 3 GiB";
    if (!why.empty()) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return why;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace

Summary supervise(const Campaign& campaign) {
  void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no memory to share with a child");
  Shared& shared = *new (memory) Shared{};
  shared.number = campaign.first;
  const std::uint64_t end = campaign.first + campaign.count;
  Summary summary;
  for (std::uint64_t next = campaign.first; next < end && summary.findings.size() < enough_findings;) {
    shared.has_finding = false;
    std::fflush(nullptr);  // or the child would write it again
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error(std::string("no child: ") + std::strerror(errno));
    if (child == 0) work(campaign, next, shared);
    std::string why = watch(child, shared);
    if (shared.has_finding) why = shared.finding;
    if (!why.empty()) summary.findings.push_back({shared.number, why});
    next = shared.number + 1;
  }
  for (std::size_t i = 0; i < summary.reached.size(); ++i) summary.reached[i] = shared.reached[i];
  summary.slowest_seconds = shared.slowest_seconds;
  summary.slowest = shared.slowest;
  ::munmap(memory, sizeof(Shared));
  return summary;
}

}  // namespace repose::fuzz
