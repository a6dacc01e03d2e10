// Any bytes as a ZIM file, with the right length and checksum put in, since a file with wrong ones is refused before
// libzim sees it. What is read is well-formed, and what is wrong is a FormatError.
#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/zim/zim_source.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <openssl/evp.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace touchstone;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kPlaceOfSum = 72, kSumBytes = 16;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.size() >= kPlaceOfSum + 8 + kSumBytes) {
    bytes.resize(bytes.size() - kSumBytes);
    for (std::size_t i = 0; i < 8; ++i) bytes[kPlaceOfSum + i] = static_cast<char>(bytes.size() >> (8 * i));
    unsigned char sum[kSumBytes];
    if (EVP_Digest(bytes.data(), bytes.size(), sum, nullptr, EVP_md5(), nullptr) != 1) std::abort();
    bytes.append(reinterpret_cast<const char*>(sum), kSumBytes);
  }
  const int file = ::memfd_create("zim", 0);
  if (file < 0 || ::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  try {
    extractors::zim::ZimOptions options;
    options.max_page_bytes = std::size_t{1} << 20;
    extractors::zim::ZimSource source("/proc/self/fd/" + std::to_string(file), options);
    while (auto batch = source.next()) {
      for (const auto& page : source.read(std::move(*batch)).pages) {
        if (!is_valid_utf8(page.head.title.text) || page.head.title.text.empty()) std::abort();
        for (const auto& block : page.document->blocks) {
          if (!is_valid_utf8(block.content.text)) std::abort();
        }
      }
    }
  } catch (const FormatError&) {
  }
  ::close(file);
  return 0;
}
