#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace touchstone {

/// SHA-256 over a stream of bytes. Not thread-safe.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  /// Goes on from what `other` has read: for many digests with the same beginning.
  Sha256(const Sha256& other);
  Sha256& operator=(const Sha256&) = delete;

  Sha256& update(std::string_view bytes);
  /// Adds the length and the bytes, so that ("ab","c") and ("a","bc") differ.
  Sha256& update_field(std::string_view bytes);
  /// 64 lower-case hexadecimal digits; the object must not be used afterwards.
  std::string hex();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::string sha256_hex(std::string_view bytes);
/// Two lower-case hexadecimal digits for each byte.
std::string to_hex(const std::uint8_t* bytes, std::size_t size);
std::string sha256_file(const std::filesystem::path& path);

using Sha1Digest = std::array<std::uint8_t, 20>;
Sha1Digest sha1(std::string_view bytes);

/// SHA-1 over a stream of bytes, for files whose publisher lists no other digest. Not thread-safe.
class Sha1 {
 public:
  Sha1();
  ~Sha1();
  Sha1(Sha1&&) noexcept;
  Sha1& operator=(Sha1&&) noexcept;

  Sha1& update(std::string_view bytes);
  /// 40 lower-case hexadecimal digits; the object must not be used afterwards.
  std::string hex();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};
/// SHA-1 in MediaWiki's notation: 31 digits of base 36, as the `<sha1>` of a revision.
std::string sha1_base36(std::string_view bytes);
/// SHA-1 as 40 lower-case hexadecimal digits.
std::string sha1_hex(std::string_view bytes);

/// XXH3, 64 bits: for hash joins and fast fingerprints inside one machine; the same on all platforms.
std::uint64_t xxh3_64(std::string_view bytes, std::uint64_t seed = 0) noexcept;

/// 128 bits that represent a content: equal for equal bytes, and different for any others that occur in practice.
using Digest128 = std::array<std::uint8_t, 16>;

/// XXH3, 128 bits, in its canonical byte order: to tell whether a content changed; the same on all platforms. Not safe
/// against someone who wants two contents to have one digest.
Digest128 xxh3_128(std::string_view bytes) noexcept;

}  // namespace touchstone
