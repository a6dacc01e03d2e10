#pragma once

#include "common/error.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

/// Numbers and texts as bytes: what records are made of.
namespace touchstone::records {

/// Appends numbers as LEB128 varints and texts with their length in front.
class Encoder {
 public:
  void number(std::uint64_t value) {
    while (value >= 0x80) {
      bytes_.push_back(static_cast<char>(value | 0x80));
      value >>= 7;
    }
    bytes_.push_back(static_cast<char>(value));
  }
  void signed_number(std::int64_t value) {
    number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void raw(std::string_view bytes) { bytes_.append(bytes); }
  void text(std::string_view value) {
    number(value.size());
    raw(value);
  }
  std::string_view bytes() const noexcept { return bytes_; }
  void clear() noexcept { bytes_.clear(); }
  std::string take() { return std::exchange(bytes_, {}); }

 private:
  std::string bytes_;
};

/// Reads what Encoder writes. Throws FormatError for other bytes, and reads nothing outside of them.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : Decoder(bytes, throw_damaged, "") {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) fail();
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    fail();
  }
  /// Fails if the number is larger than any of this type.
  template <class Number>
  Number number_as() {
    const auto value = number();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<Number>::max())) fail();
    return static_cast<Number>(value);
  }
  std::int64_t signed_number() {
    const auto value = number();
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
  }
  /// Valid as long as the bytes.
  std::string_view raw(std::uint64_t size) {
    if (size > rest_.size()) fail();
    const auto bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  std::string_view text() { return raw(number()); }
  /// A count of things that take at least one byte each: never more than there are bytes left.
  std::size_t count() {
    const auto value = number();
    if (value > rest_.size()) fail();
    return value;
  }
  bool at_end() const noexcept { return rest_.empty(); }
  void end() const {
    if (!rest_.empty()) fail();
  }
  [[noreturn]] void fail() const {
    failure_(what_);
    throw_damaged(what_);  // if it came back
  }

  /// Counts records within records while it exists: bytes that nest without end must not exhaust the stack.
  class Nested {
   public:
    explicit Nested(Decoder& from) : from_(from) {
      if (++from_.depth_ > kDeepest) from_.fail();
    }
    ~Nested() { --from_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Decoder& from_;
  };

 protected:
  /// Throws what a user should read about damaged bytes.
  /// \param what  as it was given to the constructor
  using Failure = void (*)(const char* what);

  Decoder(std::string_view bytes, Failure failure, const char* what) : rest_(bytes), failure_(failure), what_(what) {}

 private:
  static constexpr int kDeepest = 600;  ///< a page of wikitext nests at most 255 sections, which are two records each

  [[noreturn]] static void throw_damaged(const char* /*what*/) { throw FormatError("a record is damaged"); }

  std::string_view rest_;
  Failure failure_;
  const char* what_;
  int depth_ = 0;
};

}  // namespace touchstone::records
