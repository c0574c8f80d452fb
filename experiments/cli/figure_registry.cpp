#include "experiments/figures/figure.h"
#include "experiments/klar2016/fig09_kernels/kernels.h"
#include "experiments/klar2016/fig10_youngs_modulus/youngs_modulus.h"
#include "experiments/klar2016/fig13_friction_angle/friction_angle.h"
#include "experiments/klar2016/fig14_column_cases/column_cases.h"
#include "experiments/klar2016/fig15_yield_surface/yield_surface.h"
#include "experiments/klar2016/fig16_hardening/hardening.h"
#include "experiments/klar2016/fig17_apic_vs_flip/apic_vs_flip.h"
#include "experiments/klar2016/sec5_implicit/implicit.h"
#include "experiments/klar2016/table2_performance/performance.h"
#include "experiments/liu2021/fig01_water/water.h"
#include "experiments/liu2021/fig02_sand/sand.h"
#include "experiments/measured/martin_moyce/martin_moyce.h"
#include "experiments/tampubolon2017/fig01_dam_breach_3d/dam_breach_3d.h"
#include "experiments/tampubolon2017/fig02_levee/levee.h"
#include "experiments/tampubolon2017/fig03_wedge/wedge.h"
#include "experiments/tampubolon2017/fig04_dam_2d/dam_2d.h"
#include "experiments/tampubolon2017/fig05_multiplier/multiplier.h"
#include "experiments/tampubolon2017/fig06_c0/c0.h"
#include "experiments/tampubolon2017/fig08_hourglass_flip/hourglass_flip.h"
#include "experiments/tampubolon2017/fig09_pouring/pouring.h"
#include "experiments/tampubolon2017/fig10_pile_unilateral/pile_unilateral.h"
#include "experiments/tampubolon2017/fig11_fully_implicit/fully_implicit.h"
#include "experiments/tampubolon2017/sec434_volume_drop/volume_drop.h"
#include "experiments/tampubolon2017/table2_performance/performance.h"

namespace repose::experiments {

const std::vector<Figure>& figures() {
  static const std::vector<Figure> all{klar2016::kernels(),
                                       klar2016::youngs_modulus(),
                                       klar2016::friction_angle(),
                                       klar2016::column_cases(),
                                       klar2016::yield_surface(),
                                       klar2016::hardening(),
                                       klar2016::apic_vs_flip(),
                                       klar2016::implicit_steps(),
                                       klar2016::table2_performance(),
                                       tampubolon2017::dam_breach_3d(),
                                       tampubolon2017::levee(),
                                       tampubolon2017::dropped_on_wedge(),
                                       tampubolon2017::dam_2d(),
                                       tampubolon2017::multiplier_regions(),
                                       tampubolon2017::growing_c0(),
                                       tampubolon2017::hourglass_flip(),
                                       tampubolon2017::pouring(),
                                       tampubolon2017::pile_unilateral(),
                                       tampubolon2017::fully_implicit(),
                                       tampubolon2017::volume_drop(),
                                       tampubolon2017::table2_performance(),
                                       liu2021::water(),
                                       liu2021::sand(),
                                       measured::martin_moyce()};
  return all;
}

}  // namespace repose::experiments
