#include "validation/crosscheck/whereabouts.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>
#include <vector>

namespace repose::crosscheck {

namespace {

/// What one solver is about, where a handler of signals may read it: no memory is asked for, and words end in 0 at any time.
struct Place {
  std::atomic<bool> taken{false};
  std::array<char, 160> of{};
  std::array<char, 64> at{};
};
// More cases at a time than that are run, but not told.
std::array<Place, 64> places;

template <std::size_t n>
void write_down(std::array<char, n>& words, std::string_view text) {
  const std::size_t length = std::min(text.size(), n - 1);
  words[length] = '\0';
  std::copy_n(text.begin(), length, words.begin());
}

/// Calls only what is allowed inside a handler of signals.
void tell_places(int signal) {
  const auto tell = [](std::string_view words) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
  };
  const std::array<char, 2> number{static_cast<char>('0' + signal / 10),
                                   static_cast<char>('0' + signal % 10)};
  for (const Place& place : places) {
    if (!place.taken || place.at.front() == '\0') continue;
    tell("repose: signal ");
    tell(signal < 10 ? std::string_view(&number[1], 1) : std::string_view(number.data(), 2));
    tell(" in ");
    tell({place.of.data(), ::strnlen(place.of.data(), place.of.size())});
    tell(" at ");
    tell({place.at.data(), ::strnlen(place.at.data(), place.at.size())});
    tell("\n");
  }
  ::raise(signal);  // by SA_RESETHAND it is no longer caught
}

class NotedSolver final : public Solver {
 public:
  NotedSolver(std::unique_ptr<Solver> inner, std::string_view case_name) : inner_(std::move(inner)) {
    for (Place& place : places) {
      if (place.taken.exchange(true)) continue;
      write_down(place.at, "");
      write_down(place.of, fmt::format("{} by {}", case_name, inner_->name()));
      place_ = &place;
      return;
    }
  }
  ~NotedSolver() override {
    if (place_ != nullptr) place_->taken = false;
  }
  NotedSolver(const NotedSolver&) = delete;
  NotedSolver& operator=(const NotedSolver&) = delete;

  std::string_view name() const override { return inner_->name(); }
  Rounding rounding() const override { return inner_->rounding(); }
  std::span<const Boundary> boundaries() const override { return inner_->boundaries(); }
  void load(const Snapshot& snapshot) override {
    const Work work(place_, "load");
    inner_->load(snapshot);
  }
  void append(const Snapshot& particles) override {
    const Work work(place_, "append");
    inner_->append(particles);
  }
  Snapshot save(Boundary at, bool native) const override {
    const Work work(place_, "save");
    return inner_->save(at, native);
  }
  std::vector<double> positions() const override { return inner_->positions(); }
  Sums sums(std::string_view field) const override { return inner_->sums(field); }
  std::vector<Field> probe(std::string_view name, std::span<const Field> fields, double dt) const override {
    const Work work(place_, name);
    return inner_->probe(name, fields, dt);
  }
  SolveHistory solve_history(double dt) const override {
    const Work work(place_, "solve history");
    return inner_->solve_history(dt);
  }
  StepReport run(Boundary from, Boundary to, double dt) override {
    const Work work(place_, to);
    return inner_->run(from, to, dt);
  }
  StepReport advance(const std::function<double(double max_speed)>& next_dt) override {
    const Work work(place_, "advance");
    return inner_->advance(next_dt);
  }
  double time() const override { return inner_->time(); }
  std::int64_t steps() const override { return inner_->steps(); }
  std::size_t particles() const override { return inner_->particles(); }
  std::vector<std::pair<std::string, double>> stage_seconds() override { return inner_->stage_seconds(); }
  std::vector<std::pair<std::string, int>> stage_threads() override { return inner_->stage_threads(); }
  Storage storage() const override { return inner_->storage(); }

 private:
  /// One call of the solver.
  class Work {
   public:
    Work(Place* place, std::string_view what) : place_(place) {
      if (place_ != nullptr) write_down(place_->at, what);
    }
    ~Work() {
      if (place_ != nullptr) write_down(place_->at, "");
    }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

   private:
    Place* place_;
  };

  std::unique_ptr<Solver> inner_;
  Place* place_ = nullptr;
};

}  // namespace

std::unique_ptr<Solver> noted(std::unique_ptr<Solver> inner, std::string_view case_name) {
  return std::make_unique<NotedSolver>(std::move(inner), case_name);
}

CrashTold::CrashTold() {
  for (std::size_t k = 0; k < signals.size(); ++k) {
    struct sigaction before {};
    sigaction(signals[k], nullptr, &before);
    if (before.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = tell_places;
    sigemptyset(&action.sa_mask);
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    taken_[k] = sigaction(signals[k], &action, nullptr) == 0;
  }
}

CrashTold::~CrashTold() {
  for (std::size_t k = 0; k < signals.size(); ++k)
    if (taken_[k]) ::signal(signals[k], SIG_DFL);
}

}  // namespace repose::crosscheck
