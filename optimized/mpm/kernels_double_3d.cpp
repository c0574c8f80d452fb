#include "optimized/mpm/kernels.h"

#include "optimized/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/mpm/kernels_double_3d.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "optimized/mpm/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

const Kernels<double, 3>* TableDouble3() { return KernelTable<double, 3>(); }

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "optimized/simd/choose_target.h"

namespace repose::optimized {

HWY_EXPORT(TableDouble3);

template <>
const Kernels<double, 3>& kernels<double, 3>(std::string_view name) {
  return *HWY_DISPATCH_TABLE(TableDouble3)[target_index(name, HWY_TARGETS)]();
}

}  // namespace repose::optimized
#endif
