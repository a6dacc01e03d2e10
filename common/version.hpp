#pragma once

namespace touchstone {

/// Version of the program and the commit it was built from, "0.1.0+6f62703a1b"; ".changed" behind it when the checkout
/// had changes that were not committed. Without the commit when it was not built from a checkout.
const char* program_version() noexcept;

}  // namespace touchstone
