#include "optimized/implicit/kernels.h"

#include "optimized/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/implicit/kernels_2d.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "optimized/implicit/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

const ImplicitKernels<2>* ImplicitTable2() { return ImplicitTable<2>(); }
const ImplicitKernels<2>* WaterTable2() { return WaterTable<2>(); }

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "optimized/simd/choose_target.h"

namespace repose::optimized {

HWY_EXPORT(ImplicitTable2);
HWY_EXPORT(WaterTable2);

template <>
const ImplicitKernels<2>& implicit_kernels<2>(std::string_view name) {
  return *HWY_DISPATCH_TABLE(ImplicitTable2)[target_index(name, HWY_TARGETS)]();
}
template <>
const ImplicitKernels<2>& implicit_water_kernels<2>(std::string_view name) {
  return *HWY_DISPATCH_TABLE(WaterTable2)[target_index(name, HWY_TARGETS)]();
}

}  // namespace repose::optimized
#endif
