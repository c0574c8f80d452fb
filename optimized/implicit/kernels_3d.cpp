#include "optimized/implicit/kernels.h"

#include "optimized/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/implicit/kernels_3d.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "optimized/implicit/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

const ImplicitKernels<3>* ImplicitTable3() { return ImplicitTable<3>(); }
const ImplicitKernels<3>* WaterTable3() { return WaterTable<3>(); }

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "optimized/simd/choose_target.h"

namespace repose::optimized {

HWY_EXPORT(ImplicitTable3);
HWY_EXPORT(WaterTable3);

template <>
const ImplicitKernels<3>& implicit_kernels<3>(std::string_view name) {
  return *HWY_DISPATCH_TABLE(ImplicitTable3)[target_index(name, HWY_TARGETS)]();
}
template <>
const ImplicitKernels<3>& implicit_water_kernels<3>(std::string_view name) {
  return *HWY_DISPATCH_TABLE(WaterTable3)[target_index(name, HWY_TARGETS)]();
}

}  // namespace repose::optimized
#endif
