#pragma once

namespace touchstone {

/// Throws Error, with what to do, when the system does not allow this many more threads now. It starts them and ends
/// them again (about 20 microseconds each). Libraries that start threads later end the program when they cannot, so a
/// command that needs many asks first. Thread-safe.
void check_thread_limit(int threads);

}  // namespace touchstone
