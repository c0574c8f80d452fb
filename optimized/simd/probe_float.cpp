#include "optimized/simd/probe.h"

#include "optimized/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/simd/probe_float.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include "optimized/simd/probe-inl.h"

HWY_BEFORE_NAMESPACE();
namespace repose::optimized::HWY_NAMESPACE {

const Probe<float>* ProbeFloat() { return ProbeTable<float>(); }

}  // namespace repose::optimized::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "optimized/simd/choose_target.h"

namespace repose::optimized {

HWY_EXPORT(ProbeFloat);

template <>
const Probe<float>& probe<float>(std::string_view name) {
  return *HWY_DISPATCH_TABLE(ProbeFloat)[target_index(name, HWY_TARGETS)]();
}

}  // namespace repose::optimized
#endif
