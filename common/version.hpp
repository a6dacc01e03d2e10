#pragma once

namespace touchstone {

/// Version of the program and the commit it was built from, such as "0.1.0+6f62703a1b". ".changed" follows if the
/// checkout had uncommitted changes. The commit is missing if the program was not built from a checkout.
const char* program_version() noexcept;

}  // namespace touchstone
