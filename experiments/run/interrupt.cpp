#include "experiments/run/interrupt.h"

#include <unistd.h>

#include <string_view>

namespace repose::experiments {

namespace {

volatile std::sig_atomic_t signalled = 0;
int guards = 0;

void note_signal(int) { signalled = 1; }

/// Calls only what is allowed inside a handler of signals.
void leave(int) {
  constexpr std::string_view message =
      "repose: interrupted before the first step; there is nothing to continue\n";
  // Who cannot read it is no reason to stay.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(130);
}

struct sigaction action_of(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  // RESETHAND: a second signal is not caught. RESTART: no write in progress fails because of the first.
  action.sa_flags = static_cast<int>(static_cast<unsigned>(SA_RESETHAND) | static_cast<unsigned>(SA_RESTART));
  return action;
}

}  // namespace

InterruptGuard::InterruptGuard() : outermost_(guards == 0) {
  ++guards;
  if (!outermost_) return;
  signalled = 0;
  const struct sigaction action = action_of(note_signal);
  sigaction(SIGINT, &action, &old_int_);
  sigaction(SIGTERM, &action, &old_term_);
}

InterruptGuard::~InterruptGuard() {
  --guards;
  if (!outermost_) return;
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
}

bool InterruptGuard::requested() { return signalled != 0; }

NothingToKeep::NothingToKeep() {
  const struct sigaction action = action_of(leave);
  sigaction(SIGINT, &action, &old_int_);
  sigaction(SIGTERM, &action, &old_term_);
  if (guards > 0 && signalled != 0) leave(SIGTERM);
}

NothingToKeep::~NothingToKeep() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
}

}  // namespace repose::experiments
