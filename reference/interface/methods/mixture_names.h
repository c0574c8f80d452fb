#pragma once

#include "reference/interface/methods/mixture_options.h"
#include "reference/interface/scene/scene_names.h"

namespace repose::names {

inline const Names<Drag> drag{
    {"none", Drag::none}, {"printed", Drag::printed}, {"mesh_consistent", Drag::mesh_consistent}};
inline const Names<ReversibleTerm> reversible_term{{"none", ReversibleTerm::none},
                                                   {"mass", ReversibleTerm::mass},
                                                   {"volume", ReversibleTerm::volume},
                                                   {"printed", ReversibleTerm::printed}};
inline const Names<Softening> softening{{"none", Softening::none},
                                        {"linear", Softening::linear},
                                        {"beyond_two_fifths", Softening::beyond_two_fifths}};
inline const Names<WaterContact> water_contact{{"slipping", WaterContact::slipping},
                                               {"as_given", WaterContact::as_given}};

}  // namespace repose::names
