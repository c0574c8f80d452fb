#pragma once

// Instruction sets that kernels are compiled for, before any Highway header: SSE4, AVX2, AVX3 (AVX-512). SSSE3 adds
// nothing to SSE4, which every machine of the last fifteen years has.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS HWY_SSSE3
#endif
