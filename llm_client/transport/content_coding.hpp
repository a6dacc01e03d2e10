#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone::llm_client::transport::internal {

/// How undoing a content coding ended.
enum class Decoding : std::uint8_t {
  kDone,
  kTooLong,  ///< the decoded body passes the bound; it was cut there
  kDamaged,  ///< the body is not one whole gzip stream with the right checksum and length
  kUnknown   ///< a coding that was not asked for
};

/// Undoes the coding that `Content-Encoding` names, in place: none, `identity`, or `gzip`. The gzip stream must be
/// whole, with nothing behind it; curl does not check this. `coding` is in lower case. Pure and thread-safe. Source:
/// RFC 9110, section 8.4.1; RFC 1952.
Decoding decode_content(std::string_view coding, std::string& body, std::size_t max_bytes);

}  // namespace touchstone::llm_client::transport::internal
