#pragma once

namespace touchstone::testing {

/// Whether the address or the thread sanitizer is in the program. They keep memory for a while that was given back, and
/// end the program where it asks for more than there can be, of which others are told by an exception.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)  // as clang tells it
inline constexpr bool kIsSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kIsSanitized = false;
#endif

}  // namespace touchstone::testing
