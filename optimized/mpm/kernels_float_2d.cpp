#include "optimized/mpm/kernels.h"

#include "optimized/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/mpm/kernels_float_2d.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "optimized/mpm/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

const Kernels<float, 2>* TableFloat2() { return KernelTable<float, 2>(); }

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "optimized/simd/choose_target.h"

namespace repose::optimized {

HWY_EXPORT(TableFloat2);

template <>
const Kernels<float, 2>& kernels<float, 2>(std::string_view name) {
  return *HWY_DISPATCH_TABLE(TableFloat2)[target_index(name, HWY_TARGETS)]();
}

}  // namespace repose::optimized
#endif
