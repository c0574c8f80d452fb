#include "optimized/mpm/kernels.h"

#include "optimized/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/mpm/kernels_float_3d.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "optimized/mpm/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

const Kernels<float, 3>* TableFloat3() { return KernelTable<float, 3>(); }

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "optimized/simd/choose_target.h"

namespace repose::optimized {

HWY_EXPORT(TableFloat3);

template <>
const Kernels<float, 3>& kernels<float, 3>(std::string_view name) {
  return *HWY_DISPATCH_TABLE(TableFloat3)[target_index(name, HWY_TARGETS)]();
}

}  // namespace repose::optimized
#endif
