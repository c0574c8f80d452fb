#pragma once

#include "reference/interface/methods/mixture_parts.h"
#include "validation/crosscheck/judge.h"

#include <memory>

namespace repose::crosscheck {

/// A scene in which each particle of a state is of a material of its own: its own, with the cohesion that the particle has. So
/// whoever knows the law of a material alone can be asked for grains of any wetness.
/// @param part of mpm; its materials become 0 … n − 1  @param c_C of its particles [Pa]
void give_each_its_cohesion(Scene& scene, Snapshot& part, const std::vector<double>& c_C);

/// A state's phase with each grain's own cohesion, and its scene.
struct PartState {
  PartState(const Snapshot& whole, const Scene& of, mixture::Phase phase);
  PartState(const PartState&) = delete;
  PartState& operator=(const PartState&) = delete;
  ~PartState() = default;

  Scene scene;
  mixture::Members members;
  Snapshot state;
};

/// Adds what was counted of one phase to what was counted of both, and by itself under "sand: NAME" or "water: NAME".
void count_phase(mixture::Phase phase, const Counters& own, Counters& all);

/// A stage of a mixture that is one of mpm's for each phase, seen as that of one phase.
class PartStage {
 public:
  PartStage(const Stage& whole, mixture::Phase phase);
  PartStage(const PartStage&) = delete;
  PartStage& operator=(const PartStage&) = delete;
  ~PartStage();

  Stage stage() const;
  mixture::Phase phase() const { return phase_; }
  const mixture::Members& before() const { return before_members_; }
  const mixture::Members& after() const { return after_members_; }
  const Scene& scene() const { return scene_; }
  const Snapshot& state_before() const { return before_; }
  const Snapshot& state_after() const { return after_; }

 private:
  class OwnSums;

  const Stage& whole_;
  mixture::Phase phase_;
  mixture::Members before_members_, after_members_;
  Scene scene_;
  Snapshot before_, after_;
  Carried carried_;
  std::unique_ptr<OwnSums> sums_;
};

}  // namespace repose::crosscheck
