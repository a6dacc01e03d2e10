#include "extractors/zim/zim_checks.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <openssl/evp.h>

namespace touchstone::extractors::zim {
namespace {

constexpr std::string_view kMagic{"ZIM\x04", 4};
constexpr std::size_t kHeaderBytes = 80, kSumBytes = 16;
constexpr std::uint32_t kMostLists = 1000;  // entries behind the articles: metadata, indexes, lists
constexpr std::uint16_t kRedirect = 0xFFFF, kLinkTarget = 0xFFFE, kDeleted = 0xFFFD;

/// Bytes of the file at places, as little-endian numbers. Source: openzim.org/wiki/ZIM_file_format (read 2026-11).
class Numbers {
 public:
  explicit Numbers(const std::filesystem::path& path) : in_(path, std::ios::binary) {
    std::error_code error;
    size_ = std::filesystem::file_size(path, error);
    if (error) size_ = 0;
  }
  std::uint64_t file_size() const noexcept { return size_; }
  /// Nothing for places out of the file. \param bytes  of the number, at most 8
  std::optional<std::uint64_t> at(std::uint64_t place, unsigned bytes) {
    std::array<unsigned char, 8> raw{};
    if (place > size_ || size_ - place < bytes) return std::nullopt;
    in_.seekg(static_cast<std::streamoff>(place));
    if (!in_.read(reinterpret_cast<char*>(raw.data()), bytes)) return std::nullopt;
    std::uint64_t number = 0;
    for (unsigned i = bytes; i-- > 0;) number = number << 8 | raw[i];
    return number;
  }

 private:
  std::ifstream in_;
  std::uint64_t size_ = 0;
};

/// What the header says.
struct Header {
  std::uint64_t entries = 0, clusters = 0, entry_list = 0, cluster_list = 0, sum = 0;
};

/// Whether a place and what it lists are inside the file, in front of the checksum.
bool fits(const Header& header, std::uint64_t place, std::uint64_t count) {
  return place >= kHeaderBytes && place <= header.sum && count <= (header.sum - place) / 8;
}

/// Whether the part `blob` of an unpacked cluster is inside the file. Others are unpacked, and checked then.
bool is_sound_blob(Numbers& file, const Header& header, std::uint64_t cluster, std::uint64_t blob) {
  constexpr std::uint64_t kExtended = 0x10, kKind = 0x0F, kUnpacked = 1;
  if (cluster >= header.clusters) return false;
  const auto place = file.at(header.cluster_list + 8 * cluster, 8);
  const auto info = place ? file.at(*place, 1) : std::nullopt;
  if (!info) return false;
  if ((*info & kKind) > kUnpacked) return true;
  const std::uint64_t width = (*info & kExtended) != 0 ? 8 : 4;
  const auto bytes = static_cast<unsigned>(width);
  const auto first = file.at(*place + 1, bytes);
  if (!first || *first < 2 * width || *first % width != 0 || blob + 1 >= *first / width) return false;
  const auto begin = file.at(*place + 1 + blob * width, bytes);
  const auto end = file.at(*place + 1 + (blob + 1) * width, bytes);
  return begin && end && *first <= *begin && *begin <= *end && *end <= header.sum - *place - 1;
}

/// Whether an entry that libzim may read while it opens the file is sound. \param is_article  set for those it does not
bool is_sound_entry(Numbers& file, const Header& header, std::uint64_t index, bool& is_article) {
  const auto place = file.at(header.entry_list + 8 * index, 8);
  const auto type = place ? file.at(*place, 2) : std::nullopt;
  const auto space = place ? file.at(*place + 3, 1) : std::nullopt;
  if (!type || !space) return false;
  is_article = *space < 'X';
  if (is_article || *type == kLinkTarget || *type == kDeleted) return true;
  if (*type == kRedirect) return *space != 'X';
  const auto cluster = file.at(*place + 8, 4), blob = file.at(*place + 12, 4);
  return cluster && blob && is_sound_blob(file, header, *cluster, *blob);
}

}  // namespace

void throw_damaged(const std::filesystem::path& path, std::string_view why) {
  why.remove_prefix(std::min(why.find_first_not_of(" \n"), why.size()));
  const auto line = why.empty() ? "it does not hold what its header says" : why.substr(0, why.find('\n'));
  throw FormatError(fmt::format("{}: this ZIM file is damaged or cut short: {}; download it again", path.string(),
                                repair_utf8(line)));
}

bool is_zim(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::string head(kMagic.size(), '\0');
  std::ifstream in(path, std::ios::binary);
  return in.read(head.data(), static_cast<std::streamsize>(head.size())) && head == kMagic;
}

void check_before_opening(const std::filesystem::path& path) {
  Numbers file(path);
  Header header;
  if (file.file_size() < kHeaderBytes + kSumBytes) throw_damaged(path, "it ends in its header");
  header.entries = file.at(24, 4).value_or(0);
  header.clusters = file.at(28, 4).value_or(0);
  header.entry_list = file.at(32, 8).value_or(0);
  header.cluster_list = file.at(48, 8).value_or(0);
  header.sum = file.at(72, 8).value_or(0);
  if (header.sum != file.file_size() - kSumBytes) throw_damaged(path, "it is not as long as its header says");
  if (!fits(header, header.entry_list, header.entries) || !fits(header, header.cluster_list, header.clusters)) {
    throw_damaged(path, "its lists of entries do not fit into it");
  }
  bool is_article = false;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(header.entries, kMostLists) && !is_article; ++i) {
    if (!is_sound_entry(file, header, header.entries - 1 - i, is_article)) {
      throw_damaged(path, "its list of titles does not fit into it");
    }
  }
}

void check_sum(const std::filesystem::path& path) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  TS_CHECK(digest && EVP_DigestInit_ex(digest.get(), EVP_md5(), nullptr) == 1, "MD5");
  std::error_code error;
  auto left = std::filesystem::file_size(path, error);
  if (error || left < kSumBytes) throw_damaged(path, "it ends in its header");
  left -= kSumBytes;
  std::ifstream in(path, std::ios::binary);
  std::vector<char> piece(std::size_t{1} << 20);
  while (left > 0) {
    const auto size = std::min<std::uint64_t>(piece.size(), left);
    if (!in.read(piece.data(), static_cast<std::streamsize>(size))) throw StorageError("cannot read " + path.string());
    TS_CHECK(EVP_DigestUpdate(digest.get(), piece.data(), size) == 1, "MD5");
    left -= size;
  }
  std::array<unsigned char, kSumBytes> computed{}, written{};
  TS_CHECK(EVP_DigestFinal_ex(digest.get(), computed.data(), nullptr) == 1, "MD5");
  if (!in.read(reinterpret_cast<char*>(written.data()), kSumBytes)) throw StorageError("cannot read " + path.string());
  if (computed != written) throw_damaged(path, "its bytes do not match its checksum");
}

}  // namespace touchstone::extractors::zim
