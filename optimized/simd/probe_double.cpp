#include "optimized/simd/probe.h"

#include "optimized/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/simd/probe_double.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "optimized/simd/probe-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

const Probe<double>* ProbeDouble() { return ProbeTable<double>(); }

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "optimized/simd/choose_target.h"

namespace repose::optimized {

HWY_EXPORT(ProbeDouble);

template <>
const Probe<double>& probe<double>(std::string_view name) {
  return *HWY_DISPATCH_TABLE(ProbeDouble)[target_index(name, HWY_TARGETS)]();
}

}  // namespace repose::optimized
#endif
