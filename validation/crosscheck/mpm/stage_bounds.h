#pragma once

#include "validation/crosscheck/judge.h"

#include <vector>

namespace repose::crosscheck {

/// Bounds of the fields that the stage ending at `stage.after.at` computes. F and F_trial are bounded as Hencky
/// strains: every component by the Frobenius norm. Counts what the stage exercised.
/// @throws std::logic_error if the reference keeps no sums of a summed field
std::vector<FieldBound> stage_bounds(const Stage& stage, Counters& counters);

/// Bounds of a node field at a node that only the candidate has active: the reference's value is zero there.
/// @param particles any snapshot of the step with x, v, C, F and the constants
std::vector<Bound> absent_node_bound(const Scene& scene, const Arithmetic& arithmetic, double dt,
                                     const Snapshot& particles, std::int64_t node, std::string_view field);

/// Bounds of a field that only went through storage: from one solver's to the other's, or unchanged by a stage.
FieldBound stored_bound(const Scene& scene, const Arithmetic& arithmetic, const Field& field);

// The stages one by one.
std::vector<FieldBound> p2g_bounds(const Stage& stage);
std::vector<FieldBound> force_bounds(const Stage& stage, Counters& counters);
std::vector<FieldBound> collision_bounds(const Stage& stage, Counters& counters);
std::vector<FieldBound> friction_bounds(const Stage& stage, Counters& counters);
std::vector<FieldBound> g2p_bounds(const Stage& stage);
std::vector<FieldBound> update_bounds(const Stage& stage);
std::vector<FieldBound> plasticity_bounds(const Stage& stage, Counters& counters);

}  // namespace repose::crosscheck
