#pragma once

#include "formats/car/reader.hpp"
#include "tests/support/memory_input.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace touchstone::formats::car::testing {

/// Text from hexadecimal digits; blanks are ignored.
inline std::string from_hex(std::string_view digits) {
  std::string bytes;
  int high = -1;
  for (const char c : digits) {
    if (c == ' ') continue;
    const int value = c <= '9' ? c - '0' : c - 'a' + 10;
    if (high < 0) {
      high = value;
    } else {
      bytes += static_cast<char>(high * 16 + value);
      high = -1;
    }
  }
  return bytes;
}

/// CBOR of a short text (kind 0x60) or byte string (kind 0x40) of less than 24 bytes.
inline std::string short_text(std::string_view text, unsigned char kind = 0x60) {
  return static_cast<char>(kind + text.size()) + std::string(text);
}

/// A page of 4 elements with nothing in it: [0, name, id, []].
inline std::string bare_page(std::string_view name) {
  return from_hex("84 00") + short_text(name) + short_text(name, 0x40) + from_hex("80");
}

/// The header of a file of this type with an empty provenance.
inline std::string header(char type) {
  return from_hex("83 63 434152 81") + type + from_hex("85 00 80 60 80 80");
}

inline CarReader reader_of(std::string bytes, std::size_t piece_bytes = 7, const ReadLimits& limits = {}) {
  return CarReader(make_memory_input("x.cbor", std::move(bytes), piece_bytes), limits);
}

}  // namespace touchstone::formats::car::testing
