#pragma once

#include "reference/interface/methods/mpm_options.h"
#include "reference/interface/scene/scene_names.h"

namespace repose::names {

inline const Names<Kernel> kernel{{"quadratic", Kernel::quadratic}, {"cubic", Kernel::cubic}};
inline const Names<Transfer> transfer{{"apic", Transfer::apic},
                                      {"pic", Transfer::pic},
                                      {"flip", Transfer::flip},
                                      {"flip_pic", Transfer::flip_pic}};
inline const Names<ParticleMotion> motion{{"before_friction", ParticleMotion::before_friction},
                                          {"after_friction", ParticleMotion::after_friction}};
inline const Names<Energy> energy{{"hencky", Energy::hencky}, {"unilateral", Energy::unilateral}};
inline const Names<Integrator> integrator{{"explicit", Integrator::explicit_},
                                          {"semi_implicit", Integrator::semi_implicit},
                                          {"implicit", Integrator::implicit_}};
inline const Names<Unconverged> unconverged{{"cut", Unconverged::cut}, {"keep", Unconverged::keep}};
/// Those of a mixture.
inline const Names<Integrator> integrator_of_two{{"explicit", Integrator::explicit_},
                                                 {"semi_implicit", Integrator::semi_implicit}};

}  // namespace repose::names
