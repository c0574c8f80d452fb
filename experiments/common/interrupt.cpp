#include "experiments/common/interrupt.h"

namespace repose::experiments {

namespace {

volatile std::sig_atomic_t signalled = 0;
int guards = 0;

void note_signal(int) { signalled = 1; }

}  // namespace

InterruptGuard::InterruptGuard() : outermost_(guards == 0) {
  ++guards;
  if (!outermost_) return;
  signalled = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  // RESETHAND: a second signal is not caught. RESTART: no write in progress fails because of the first.
  action.sa_flags = static_cast<int>(static_cast<unsigned>(SA_RESETHAND) | static_cast<unsigned>(SA_RESTART));
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

}  // namespace repose::experiments
