#pragma once

#include <cstddef>

namespace repose::optimized {

/// The threads among which a solver shares its loops.
///
/// A second thread helps only where its part of a loop takes longer than to wake it, so short loops keep to one thread,
/// and steps of few particles to few. The bound looks at the amount of work alone, and no sum depends on the number of
/// threads: it changes no bit.
///
/// All loops of a step get one and the same team (part_for) or one thread. Numbers that change from loop to loop would cost
/// more than they save: GNU's runtime ends the threads that a smaller team does not need and starts others for the next
/// larger one.
class Team {
 public:
  /// What a thread must have to do in a loop to be worth waking [ns]. Waking one and waiting for it took 9 to 30 µs
  /// (two cores of an AMD EPYC, sleeping threads).
  static constexpr double worth_waking_ns = 25e3;

  /// @param threads ≥ 1, asked for  @param always every loop takes all of them (SolverOptions::all_threads)
  explicit Team(int threads, bool always = false) : size_(threads), always_(always) {}

  /// The part of this team that is worth waking for loops that take one thread `ns` in all.
  Team part_for(double ns) const;

  int size() const { return size_; }
  bool always() const { return always_; }  ///< every loop takes all of them

  /// Threads of a loop that takes one thread `ns`: all or one.
  int of(double ns) const { return always_ || ns >= 2.0 * worth_waking_ns ? size_ : 1; }

  /// Iterations that a thread takes at a time of a loop whose iterations differ in length: few enough that each thread
  /// comes back some times, so that the last to finish is not far behind the others, and at most `most`.
  int chunk(std::size_t iterations, int most) const;

 private:
  int size_;
  bool always_;
};

}  // namespace repose::optimized
