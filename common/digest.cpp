#include "common/digest.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include <openssl/evp.h>
#include <xxhash.h>

namespace touchstone {

std::string to_hex(const std::uint8_t* bytes, std::size_t size) {
  constexpr char kHexDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * size);
  for (std::size_t i = 0; i < size; ++i) {
    text.push_back(kHexDigits[bytes[i] >> 4]);
    text.push_back(kHexDigits[bytes[i] & 15]);
  }
  return text;
}

namespace {

using Algorithm = std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)>;

/// Looked up once: EVP_sha256() has OpenSSL look for its implementation each time.
const EVP_MD* sha256_algorithm() {
  static const Algorithm algorithm(EVP_MD_fetch(nullptr, "SHA256", nullptr), &EVP_MD_free);
  return algorithm.get();
}

const EVP_MD* sha1_algorithm() {
  static const Algorithm algorithm(EVP_MD_fetch(nullptr, "SHA1", nullptr), &EVP_MD_free);
  return algorithm.get();
}

}  // namespace

struct Sha256::Impl {
  Impl() : context(EVP_MD_CTX_new()) {
    TS_CHECK(context != nullptr && EVP_DigestInit_ex(context, sha256_algorithm(), nullptr) == 1, "SHA-256");
  }
  Impl(const Impl& other) : context(EVP_MD_CTX_new()) {
    TS_CHECK(context != nullptr && EVP_MD_CTX_copy_ex(context, other.context) == 1, "SHA-256");
  }
  Impl& operator=(const Impl&) = delete;
  ~Impl() { EVP_MD_CTX_free(context); }
  EVP_MD_CTX* context;
};

Sha256::Sha256() : impl_(std::make_unique<Impl>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::Sha256(const Sha256& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}

Sha256& Sha256::update(std::string_view bytes) {
  TS_CHECK(EVP_DigestUpdate(impl_->context, bytes.data(), bytes.size()) == 1, "SHA-256");
  return *this;
}

Sha256& Sha256::update_field(std::string_view bytes) {
  std::array<char, 8> length{};
  for (int i = 0; i < 8; ++i) length[i] = static_cast<char>((std::uint64_t{bytes.size()} >> (56 - 8 * i)) & 255);
  return update({length.data(), length.size()}).update(bytes);
}

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest{};
  unsigned size = 0;
  TS_CHECK(EVP_DigestFinal_ex(impl_->context, digest.data(), &size) == 1, "SHA-256");
  return to_hex(digest.data(), digest.size());
}

std::string sha256_hex(std::string_view bytes) {
  return Sha256().update(bytes).hex();
}

std::string sha256_file(const std::filesystem::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) throw StorageError("cannot read " + path.string());
  Sha256 digest;
  constexpr std::size_t kBufferBytes = 1 << 20;
  const auto buffer = std::make_unique_for_overwrite<char[]>(kBufferBytes);  // zeros take long for small files
  std::size_t got = 0;
  while ((got = std::fread(buffer.get(), 1, kBufferBytes, file)) > 0) digest.update({buffer.get(), got});
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) throw StorageError("cannot read all of " + path.string());
  return digest.hex();
}

struct Sha1::Impl {
  Impl() { TS_CHECK(context && EVP_DigestInit_ex(context.get(), sha1_algorithm(), nullptr) == 1, "SHA-1"); }
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

Sha1::Sha1() : impl_(std::make_unique<Impl>()) {}
Sha1::~Sha1() = default;
Sha1::Sha1(Sha1&&) noexcept = default;
Sha1& Sha1::operator=(Sha1&&) noexcept = default;

Sha1& Sha1::update(std::string_view bytes) {
  TS_CHECK(EVP_DigestUpdate(impl_->context.get(), bytes.data(), bytes.size()) == 1, "SHA-1");
  return *this;
}

std::string Sha1::hex() {
  Sha1Digest digest{};
  TS_CHECK(EVP_DigestFinal_ex(impl_->context.get(), digest.data(), nullptr) == 1, "SHA-1");
  return to_hex(digest.data(), digest.size());
}

Sha1Digest sha1(std::string_view bytes) {
  Sha1Digest digest{};
  unsigned size = 0;
  TS_CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, sha1_algorithm(), nullptr) == 1, "SHA-1");
  return digest;
}

std::string sha1_hex(std::string_view bytes) {
  const auto digest = sha1(bytes);
  return to_hex(digest.data(), digest.size());
}

std::string sha1_base36(std::string_view bytes) {
  const auto digest = sha1(bytes);
  std::array<std::uint64_t, 5> words{};  // of 32 bits each, the highest first
  for (std::size_t i = 0; i < digest.size(); ++i) words[i / 4] = words[i / 4] << 8U | digest[i];
  // Six digits at a time: 36^6 is the highest power that a word holds.
  constexpr std::uint64_t kSixDigits = 36ULL * 36 * 36 * 36 * 36 * 36;
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string text(31, '0');
  std::uint64_t six = 0;
  for (std::size_t place = text.size(), have = 0; place-- > 0; --have, six /= 36) {
    if (have == 0) {
      six = 0;
      for (auto& word : words) {
        const std::uint64_t value = six << 32U | word;
        word = value / kSixDigits;
        six = value % kSixDigits;
      }
      have = 6;
    }
    text[place] = kDigits[six % 36];
  }
  return text;
}

std::uint64_t xxh3_64(std::string_view bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

Digest128 xxh3_128(std::string_view bytes) noexcept {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  Digest128 digest;
  static_assert(sizeof(canonical.digest) == digest.size());
  std::copy_n(canonical.digest, digest.size(), digest.begin());
  return digest;
}

}  // namespace touchstone
