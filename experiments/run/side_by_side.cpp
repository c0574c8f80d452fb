#include "experiments/run/side_by_side.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace repose::experiments {

namespace {

class Room {
 public:
  Room(const Jobs& jobs, int workers)
      : jobs_(jobs), ahead_(64 * static_cast<std::size_t>(workers)), done_(jobs.count), thrown_(jobs.count) {
    for (int n = 0; n < workers; ++n) threads_.emplace_back([this] { work(); });
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  ~Room() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void take_all() {
    for (std::size_t n = 0; n < jobs_.count; ++n) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return done_[n]; });
        if (thrown_[n]) std::rethrow_exception(thrown_[n]);
      }
      if (!jobs_.take(n)) return;
      {
        const std::lock_guard lock(mutex_);
        taken_ = n + 1;
      }
      changed_.notify_all();
    }
  }

 private:
  bool over() const { return closed_ || next_ == jobs_.count; }
  bool may_begin() const { return next_ < taken_ + ahead_; }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return over() || may_begin(); });
      if (over()) return;
      const std::size_t n = next_++;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        jobs_.run(n);
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      thrown_[n] = thrown;
      done_[n] = true;
      changed_.notify_all();
    }
  }

  const Jobs& jobs_;
  const std::size_t ahead_;
  std::mutex mutex_;  ///< of all below
  std::condition_variable changed_;
  std::vector<bool> done_;
  std::vector<std::exception_ptr> thrown_;
  std::size_t next_ = 0;   ///< the first that is not begun
  std::size_t taken_ = 0;  ///< as many are taken
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

void side_by_side(const Jobs& jobs, int workers) {
  if (workers > 1) {
    Room(jobs, workers).take_all();
    return;
  }
  for (std::size_t n = 0; n < jobs.count; ++n) {
    jobs.run(n);
    if (!jobs.take(n)) return;
  }
}

}  // namespace repose::experiments
