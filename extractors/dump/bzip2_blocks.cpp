#include "extractors/dump/bzip2_blocks.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include <bzlib.h>
#include <oneapi/tbb/parallel_for.h>

namespace touchstone::extractors::dump::internal {
namespace {

constexpr std::uint64_t kBlockMark = 0x314159265359, kEndMark = 0x177245385090;
constexpr std::size_t kMarkBits = 48, kChecksumBits = 32;
/// A block is at most 900,000 bytes before it is compressed, and never becomes much larger.
constexpr std::size_t kMaxPieceBytes = std::size_t{1} << 20;
/// Runs of 255 equal bytes are five bytes of a block.
constexpr std::size_t kMaxTextBytes = std::size_t{900'000} * 255 / 5;
constexpr std::size_t kReadBytes = std::size_t{1} << 20;
/// As many threads work. A file that is made for it has blocks of 46 MB of text, so that more of them cost much memory.
constexpr std::size_t kPiecesAtOnce = 4;

/// The CRC-32 of bzip2, whose bits come in the other order than those of zlib's.
std::uint32_t bzip2_crc(std::string_view text) noexcept {
  constexpr std::uint32_t kPolynomial = 0x04c11db7;
  static constexpr auto kTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
      std::uint32_t crc = byte << 24U;
      for (int bit = 0; bit < 8; ++bit) crc = (crc << 1U) ^ ((crc >> 31U) != 0 ? kPolynomial : 0);
      table[byte] = crc;
    }
    return table;
  }();
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char c : text) crc = (crc << 8U) ^ kTable[(crc >> 24U) ^ static_cast<unsigned char>(c)];
  return ~crc;
}

/// Appends bits to bytes.
class BitWriter {
 public:
  explicit BitWriter(std::string start) : bytes_(std::move(start)) {}

  /// \pre what was written is whole bytes
  void add(const Bzip2Piece& piece) {
    const auto byte = [&](std::size_t i) {
      return i < piece.bytes.size() ? static_cast<unsigned char>(piece.bytes[i]) : 0U;
    };
    const std::size_t whole = piece.bits / 8, rest = piece.bits % 8;
    const auto at = [&](std::size_t i) { return (byte(i) << 8U | byte(i + 1)) >> (8 - piece.shift) & 0xFFU; };
    for (std::size_t i = 0; i < whole; ++i) bytes_.push_back(static_cast<char>(at(i)));
    if (rest > 0) add(at(whole) >> (8 - rest), rest);
  }
  void add(std::uint64_t value, std::size_t bits) {
    while (bits-- > 0) {
      if (free_ == 0) {
        bytes_.push_back('\0');
        free_ = 8;
      }
      bytes_.back() = static_cast<char>(static_cast<unsigned char>(bytes_.back()) | (value >> bits & 1U) << --free_);
    }
  }
  std::string& bytes() noexcept { return bytes_; }

 private:
  std::string bytes_;
  std::size_t free_ = 0;  ///< bits of the last byte
};

class UndamagedSource : public FileSource {
 public:
  explicit UndamagedSource(std::unique_ptr<RawFile> file) : FileSource(std::move(file)), cutter_(*file_) {}

  std::size_t read(char* buffer, std::size_t size) override {
    while (used_ == text_.size() && !done_) go_on();
    const auto got = std::min(size, text_.size() - used_);
    std::memcpy(buffer, text_.data() + used_, got);
    used_ += got;
    return got;
  }

 private:
  /// Goes to the text of the next piece.
  void go_on() {
    text_.clear();
    used_ = 0;
    if (next_ < texts_.size())
      next_ += 1 + add(next_);
    else if (!ended_)
      fill();
    else {
      if (in_stream_) lose();  // the file is cut off
      done_ = true;
    }
  }

  /// Decompresses the next pieces. One more is cut off, which may belong to the last of them.
  void fill() {
    pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(std::min(next_, pieces_.size())));
    next_ = 0;
    while (!ended_ && pieces_.size() < kPiecesAtOnce + 1) {
      if (auto piece = cutter_.next())
        pieces_.push_back(std::move(*piece));
      else
        ended_ = true;
    }
    texts_.assign(ended_ ? pieces_.size() : kPiecesAtOnce, std::nullopt);
    tbb::parallel_for(std::size_t{0}, texts_.size(), [&](std::size_t i) {
      if (pieces_[i].is_block) texts_[i] = decompress_block(pieces_[i]);
    });
  }

  /// Gives the text of a piece, and returns how many of those behind it belong to it.
  std::size_t add(std::size_t i) {
    const auto& piece = pieces_[i];
    if (!piece.is_block) {
      if (piece.bits < kMarkBits + kChecksumBits || (in_stream_ && is_whole_ && piece.checksum() != checksum_)) lose();
      in_stream_ = false;
      return 0;
    }
    if (!in_stream_) {
      in_stream_ = is_whole_ = true;
      checksum_ = 0;
    }
    const std::size_t behind = texts_[i] || i + 1 == pieces_.size() ? 0 : 1;
    if (behind > 0) texts_[i] = decompress_block(joined(piece, pieces_[i + 1]));
    if (texts_[i]) {
      keep(std::move(*texts_[i]), piece.checksum());
      return behind;
    }
    lose();
    return 0;
  }

  void keep(std::string&& text, std::uint32_t checksum) {
    text_ = std::move(text);
    checksum_ = (checksum_ << 1U | checksum_ >> 31U) ^ checksum;
  }
  void lose() {
    text_ += '\0';
    is_whole_ = false;
  }

  Bzip2Cutter cutter_;
  std::vector<Bzip2Piece> pieces_;
  std::vector<std::optional<std::string>> texts_;  ///< of the first of them
  std::size_t next_ = 0;                           ///< of the texts
  std::string text_;
  std::size_t used_ = 0;
  bool ended_ = false, done_ = false;  ///< nothing is left of the file, of its texts
  bool in_stream_ = false;
  bool is_whole_ = true;        ///< nothing of the stream is lost so far
  std::uint32_t checksum_ = 0;  ///< of its blocks
};

}  // namespace

std::uint32_t Bzip2Piece::checksum() const noexcept {
  std::uint32_t value = 0;
  for (std::size_t bit = shift + kMarkBits; bit < shift + kMarkBits + kChecksumBits; ++bit)
    value = value << 1U | (static_cast<unsigned char>(bytes[bit / 8]) >> (7 - bit % 8) & 1U);
  return value;
}

bool Bzip2Cutter::fill() {
  if (ended_) return false;
  const auto done = static_cast<std::size_t>(bit_ / 8);
  window_.erase(0, done);
  window_place_ += done;
  bit_ -= std::uint64_t{done} * 8;
  const auto held = window_.size();
  window_.resize(held + kReadBytes);
  const auto got = file_.read(window_.data() + held, kReadBytes);
  window_.resize(held + got);
  ended_ = got == 0;
  return !ended_;
}

/// The 48 bits at a place. \pre they are in the window
std::uint64_t Bzip2Cutter::bits_at(std::uint64_t bit) const noexcept {
  std::uint64_t value = 0;
  const auto byte = static_cast<std::size_t>(bit / 8);
  for (std::size_t i = 0; i < 7; ++i) {
    const auto at = byte + i;
    value = value << 8U | (at < window_.size() ? static_cast<unsigned char>(window_[at]) : 0U);
  }
  return value >> (8 - bit % 8) & ((std::uint64_t{1} << kMarkBits) - 1);
}

std::optional<std::uint64_t> Bzip2Cutter::find_mark(std::uint64_t bit) const {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kMarkBits) - 1;
  const std::uint64_t bits = std::uint64_t{window_.size()} * 8;
  if (bit + kMarkBits > bits) return std::nullopt;
  std::uint64_t value = 0;
  const auto first = static_cast<std::size_t>(bit / 8);
  for (std::size_t byte = first; byte < window_.size(); ++byte) {
    value = value << 8U | static_cast<unsigned char>(window_[byte]);
    if (byte + 1 < first + 6) continue;
    for (std::size_t behind = 8; behind-- > 0;) {  // bits of this byte that are behind the mark
      const auto candidate = value >> behind & kMask;
      if (candidate != kBlockMark && candidate != kEndMark) continue;
      const std::uint64_t begin = (std::uint64_t{byte} + 1) * 8 - behind;
      if (begin >= kMarkBits && begin - kMarkBits >= bit) return begin - kMarkBits;
    }
  }
  return std::nullopt;
}

std::optional<Bzip2Piece> Bzip2Cutter::next() {
  constexpr std::uint64_t kMaxBits = std::uint64_t{kMaxPieceBytes} * 8;
  auto begin = find_mark(bit_);
  while (!begin) {  // bytes that are no block are passed over
    const std::uint64_t bits = std::uint64_t{window_.size()} * 8;
    bit_ = std::max(bit_, bits - std::min<std::uint64_t>(bits, kMarkBits - 1));
    if (!fill()) return std::nullopt;
    begin = find_mark(bit_);
  }
  bit_ = *begin;
  auto end = find_mark(bit_ + kMarkBits);
  while (!end && std::uint64_t{window_.size()} * 8 - bit_ < kMaxBits && fill()) end = find_mark(bit_ + kMarkBits);
  Bzip2Piece piece;
  piece.is_block = bits_at(bit_) == kBlockMark;
  const auto first = static_cast<std::size_t>(bit_ / 8);
  piece.place = window_place_ + first;
  piece.shift = static_cast<std::size_t>(bit_ % 8);
  const auto stop = std::min(end.value_or(std::uint64_t{window_.size()} * 8), bit_ + kMaxBits);
  piece.bits = static_cast<std::size_t>(stop - bit_);
  piece.bytes = window_.substr(first, static_cast<std::size_t>((stop + 7) / 8) - first);
  bit_ = stop;
  return piece;
}

std::optional<std::string> decompress_block(const Bzip2Piece& piece) {
  if (piece.bits < kMarkBits + kChecksumBits) return std::nullopt;
  BitWriter writer("BZh9");
  writer.add(piece);
  writer.add(kEndMark, kMarkBits);
  writer.add(piece.checksum(), kChecksumBits);
  auto& stream = writer.bytes();
  bz_stream bz{};
  if (BZ2_bzDecompressInit(&bz, 0, 0) != BZ_OK) return std::nullopt;
  bz.next_in = stream.data();
  bz.avail_in = static_cast<unsigned>(stream.size());
  std::string text;
  std::size_t size = 0;
  for (int status = BZ_OK; status == BZ_OK && size < kMaxTextBytes;) {
    text.resize(std::max(std::size_t{1} << 20, 2 * size));
    bz.next_out = text.data() + size;
    bz.avail_out = static_cast<unsigned>(text.size() - size);
    status = BZ2_bzDecompress(&bz);
    const auto before = std::exchange(size, text.size() - bz.avail_out);
    if (bz.avail_in == 0 && size == before) break;  // it ends within the block
  }
  BZ2_bzDecompressEnd(&bz);
  text.resize(size);
  return bzip2_crc(text) == piece.checksum() ? std::optional(std::move(text)) : std::nullopt;
}

Bzip2Piece joined(const Bzip2Piece& first, const Bzip2Piece& second) {
  Bzip2Piece both = first;
  if (second.shift > 0) both.bytes.pop_back();  // the byte that both have
  both.bytes += second.bytes;
  both.bits += second.bits;
  return both;
}

std::unique_ptr<ByteSource> make_undamaged_bzip2_source(std::unique_ptr<RawFile> file) {
  return std::make_unique<UndamagedSource>(std::move(file));
}

std::optional<std::uint64_t> find_bzip2_damage(const std::filesystem::path& path, std::uint64_t first,
                                               std::uint64_t end, const StopFlag* stop) {
  RawFile file(path, stop);
  file.seek(first);
  Bzip2Cutter cutter(file);
  std::optional<Bzip2Piece> last;
  while (auto piece = cutter.next()) {
    if (stop != nullptr) stop->check();
    if (last && !decompress_block(joined(*last, *piece))) return first + last->place;
    last.reset();
    if (first + piece->place >= end) break;
    if (piece->is_block && !decompress_block(*piece)) last = std::move(piece);
  }
  return last ? std::optional(first + last->place) : std::nullopt;
}

void throw_damaged_bzip2(const RawFile& file, const std::string& why, const StopFlag* stop) {
  constexpr std::uint64_t kReadAhead = std::uint64_t{64} << 20;  // more than lbzip2 and its pipes hold
  const auto end = file.offset();
  const auto place =
      file.size() == 0 ? std::nullopt : find_bzip2_damage(file.path(), end - std::min(end, kReadAhead), end, stop);
  if (!place) throw_damaged(file, why);
  throw FormatError(file.name() + ": the bzip2 block at byte " + grouped_digits(*place) +
                    " is damaged or cut off; compare the size and checksum of the file with the published ones and "
                    "download it again, or pass over the damage with --set ingest.on_damage=skip");
}

}  // namespace touchstone::extractors::dump::internal
