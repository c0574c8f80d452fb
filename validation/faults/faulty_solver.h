#pragma once

#include "reference/interface/solver.h"
#include "validation/faults/model.h"

#include <memory>

namespace repose::faults {

/// A correct solver of which one stage is replaced by the model's, with a mistake or (no_mistake) without. Of a solved stage
/// the answers to probes are replaced, not the solution.
/// The stage's result goes through the solver's own storage, in its precision.
/// @param stage boundary at the end of the replaced stage; a solver that fuses it with others has them all replaced
std::unique_ptr<Solver> make_faulty_solver(std::unique_ptr<Solver> correct, const Scene& scene,
                                           const Model& model, Precision precision, std::string_view stage,
                                           std::size_t mistake);

}  // namespace repose::faults
