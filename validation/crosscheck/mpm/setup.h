#pragma once

#include "reference/interface/methods/mpm_options.h"
#include "validation/crosscheck/cases.h"

namespace repose::crosscheck {

/// A setup of mpm by its options: transfer is the first factor, kernel the second.
struct MpmSetup {
  int dim = 2;
  Kernel kernel = Kernel::quadratic;
  Transfer transfer = Transfer::apic;
  Precision precision = Precision::double_;
  int threads = 1;

  operator Setup() const;  // NOLINT(google-explicit-constructor): it is one
};

Kernel kernel_of(const Setup& setup);
Transfer transfer_of(const Setup& setup);

std::string_view name_of(Transfer transfer);
std::string_view name_of(Kernel kernel);

}  // namespace repose::crosscheck
