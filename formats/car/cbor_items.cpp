#include "formats/car/cbor_items.hpp"

#include "common/error.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <system_error>

#include <cbor.h>
#include <zlib.h>

namespace touchstone::formats::car {
namespace {

std::string errno_text() {
  return std::generic_category().message(errno);
}

/// zlib reads plain files as they are.
class FileInput : public ByteInput {
 public:
  explicit FileInput(const std::filesystem::path& path) : name_(path.string()), is_gzip_(begins_as_gzip(path)) {
    file_ = gzopen(path.c_str(), "rb");
    if (file_ == nullptr) throw StorageError("cannot read " + name_ + ": " + errno_text());
    gzbuffer(file_, 1 << 18);
  }
  ~FileInput() override { gzclose(file_); }
  FileInput(const FileInput&) = delete;
  FileInput& operator=(const FileInput&) = delete;

  std::size_t read(char* into, std::size_t size) override {
    const int got = gzread(file_, into, static_cast<unsigned>(std::min<std::size_t>(size, 1U << 30)));
    if (got > 0) return static_cast<std::size_t>(got);
    int code = Z_OK;
    const char* message = gzerror(file_, &code);
    if (got < 0 && code == Z_ERRNO) throw StorageError("cannot read " + name_ + ": " + errno_text());
    if (got < 0 || (is_gzip_ && code != Z_OK && code != Z_STREAM_END)) {
      throw FormatError(name_ + ": is a damaged or truncated gzip file (" + message + "); fetch or write it again");
    }
    return 0;
  }

  const std::string& name() const noexcept override { return name_; }

 private:
  std::string name_;
  bool is_gzip_;
  gzFile file_ = nullptr;
};

}  // namespace

bool begins_as_gzip(const std::filesystem::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) throw StorageError("cannot read " + path.string() + ": " + errno_text());
  std::array<unsigned char, 2> magic{};
  const bool is_gzip = std::fread(magic.data(), 1, magic.size(), file) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
  const bool failed = std::ferror(file) != 0;
  const int code = errno;
  std::fclose(file);
  errno = code;
  if (failed) throw StorageError("cannot read " + path.string() + ": " + errno_text());
  return is_gzip;
}

std::unique_ptr<ByteInput> open_file_input(const std::filesystem::path& path) {
  return std::make_unique<FileInput>(path);
}

namespace internal {
namespace {

constexpr std::size_t kReadBytes = std::size_t{256} << 10;

Token& token_of(void* context) {
  return *static_cast<Token*>(context);
}

void set_number(void* context, TokenKind kind, std::uint64_t value) {
  token_of(context).kind = kind;
  token_of(context).value = value;
}

void set_text(void* context, TokenKind kind, cbor_data bytes, std::size_t size) {
  token_of(context).kind = kind;
  token_of(context).text = {reinterpret_cast<const char*>(bytes), size};
}

template <class Number>
void on_unsigned(void* context, Number value) {
  set_number(context, TokenKind::kUnsigned, value);
}
template <class Number>
void on_negative(void* context, Number value) {
  set_number(context, TokenKind::kNegative, value);
}
template <TokenKind kind>
void on_sign(void* context) {
  token_of(context).kind = kind;
}
template <TokenKind kind>
void on_text(void* context, cbor_data bytes, std::size_t size) {
  set_text(context, kind, bytes, size);
}
template <TokenKind kind>
void on_count(void* context, std::size_t count) {
  set_number(context, kind, count);
}
template <class Number>
void on_float(void* context, Number) {
  token_of(context).kind = TokenKind::kOther;
}

cbor_callbacks token_callbacks() {
  cbor_callbacks callbacks = cbor_empty_callbacks;
  callbacks.uint8 = on_unsigned<std::uint8_t>;
  callbacks.uint16 = on_unsigned<std::uint16_t>;
  callbacks.uint32 = on_unsigned<std::uint32_t>;
  callbacks.uint64 = on_unsigned<std::uint64_t>;
  callbacks.negint8 = on_negative<std::uint8_t>;
  callbacks.negint16 = on_negative<std::uint16_t>;
  callbacks.negint32 = on_negative<std::uint32_t>;
  callbacks.negint64 = on_negative<std::uint64_t>;
  callbacks.byte_string_start = on_sign<TokenKind::kBytesPieces>;
  callbacks.byte_string = on_text<TokenKind::kBytes>;
  callbacks.string = on_text<TokenKind::kText>;
  callbacks.string_start = on_sign<TokenKind::kTextPieces>;
  callbacks.indef_array_start = on_sign<TokenKind::kOpenArray>;
  callbacks.array_start = on_count<TokenKind::kArray>;
  callbacks.indef_map_start = on_sign<TokenKind::kOpenMap>;
  callbacks.map_start = on_count<TokenKind::kMap>;
  callbacks.tag = [](void* context, std::uint64_t value) { set_number(context, TokenKind::kTag, value); };
  callbacks.float2 = on_float<float>;
  callbacks.float4 = on_float<float>;
  callbacks.float8 = on_float<double>;
  callbacks.undefined = on_sign<TokenKind::kOther>;
  callbacks.null = on_sign<TokenKind::kOther>;
  callbacks.boolean = [](void* context, bool) { token_of(context).kind = TokenKind::kOther; };
  callbacks.indef_break = on_sign<TokenKind::kBreak>;
  return callbacks;
}

}  // namespace

void ItemReader::fail(std::uint64_t offset, const std::string& what) const {
  throw FormatError(file_ + ": byte " + std::to_string(offset) + ": " + what);
}

/// Reads until the buffer holds `wanted` bytes from its position on. Returns false if the file ends before. The buffer
/// grows with what is really there, whatever a length claims.
bool ItemReader::fill(std::size_t wanted) {
  while (buffer_.size() - position_ < wanted && !at_end_) {
    if (position_ > 0) {
      buffer_.erase(0, position_);
      base_ += position_;
      position_ = 0;
    }
    const auto old_size = buffer_.size();
    buffer_.resize(old_size + std::max(kReadBytes, old_size));
    const auto got = input_->read(buffer_.data() + old_size, buffer_.size() - old_size);
    buffer_.resize(old_size + got);
    at_end_ = got == 0;
  }
  return buffer_.size() - position_ >= wanted;
}

/// Returns false at the end of the file.
bool ItemReader::decode(Token& token) {
  static const cbor_callbacks kCallbacks = token_callbacks();
  if (!fill(1)) return false;
  for (;;) {
    token = Token{};
    token.offset = base_ + position_;
    const auto available = buffer_.size() - position_;
    const auto result =
        cbor_stream_decode(reinterpret_cast<cbor_data>(buffer_.data()) + position_, available, &kCallbacks, &token);
    if (result.status == CBOR_DECODER_FINISHED) {
      position_ += result.read;
      return true;
    }
    if (result.status == CBOR_DECODER_ERROR) {
      fail(token.offset, "no CBOR begins here; the file is damaged, so fetch or write it again");
    }
    // A length near 2^64 wraps round in libcbor.
    if (result.required <= available || result.required > limits_.max_record_bytes + 9) {
      fail(token.offset, "a text claims to be longer than " + with_commas(limits_.max_record_bytes) +
                             " bytes; the file is damaged, so fetch or write it again");
    }
    if (!fill(result.required)) {
      fail(base_ + buffer_.size(), "the file ends within an item that begins at byte " + std::to_string(token.offset) +
                                       "; it is truncated, so fetch or write it again");
    }
  }
}

bool ItemReader::may_begin_array() {
  if (!fill(1)) return false;
  const int major_type = static_cast<unsigned char>(buffer_[position_]) >> 5;
  return major_type == CBOR_TYPE_ARRAY || major_type == CBOR_TYPE_TAG;
}

const Token* ItemReader::peek() {
  while (!has_peeked_) {
    if (!decode(peeked_)) return nullptr;
    has_peeked_ = peeked_.kind != TokenKind::kTag;
  }
  return &peeked_;
}

Token ItemReader::take() {
  has_peeked_ = false;
  return peeked_;
}

Token ItemReader::next_or_fail(const ItemTree& tree) {
  if (peek() == nullptr) {
    fail(base_ + buffer_.size(), "the file ends within a record that begins at byte " + std::to_string(tree.offset) +
                                     "; it is truncated, so fetch or write it again");
  }
  return take();
}

void ItemReader::read(ItemTree& tree, const std::optional<Token>& first) {
  tree.items.clear();
  tree.texts.clear();
  open_.clear();
  tree.offset = first ? first->offset : offset();
  add(tree, first ? *first : next_or_fail(tree));
  while (!open_.empty()) add(tree, next_or_fail(tree));
}

void ItemReader::check_size(const ItemTree& tree, std::uint64_t offset) const {
  if (offset - tree.offset > limits_.max_record_bytes) {
    fail(tree.offset, "the record is longer than " + with_commas(limits_.max_record_bytes) +
                          " bytes; the file is damaged, so fetch or write it again");
  }
  if (tree.items.size() >= limits_.max_record_items) {
    fail(tree.offset, "the record has more than " + with_commas(limits_.max_record_items) +
                          " items; the file is damaged, so fetch or write it again");
  }
}

void ItemReader::add(ItemTree& tree, const Token& token) {
  if (token.kind == TokenKind::kBreak) {
    close_break(tree, token);
    close_full(tree);
    return;
  }
  check_size(tree, base_ + position_);
  if (!open_.empty()) {
    auto& parent = open_.back();
    ++tree.items[parent.index].count;
    if (!parent.until_break) --parent.missing;
  }
  Item item;
  item.at = static_cast<std::uint32_t>(token.offset - tree.offset);
  item.end = static_cast<std::uint32_t>(tree.items.size() + 1);
  item.value = token.value;
  item.kind = token.kind == TokenKind::kUnsigned   ? ItemKind::kUnsigned
              : token.kind == TokenKind::kNegative ? ItemKind::kNegative
                                                   : ItemKind::kOther;
  tree.items.push_back(item);
  switch (token.kind) {
    case TokenKind::kBytes:
      add_text(tree, token, ItemKind::kBytes);
      break;
    case TokenKind::kText:
      add_text(tree, token, ItemKind::kText);
      break;
    case TokenKind::kBytesPieces:
      add_pieces(tree, token, ItemKind::kBytes);
      break;
    case TokenKind::kTextPieces:
      add_pieces(tree, token, ItemKind::kText);
      break;
    case TokenKind::kArray:
    case TokenKind::kOpenArray:
      open(tree, token, ItemKind::kArray, token.kind == TokenKind::kOpenArray);
      break;
    case TokenKind::kMap:
    case TokenKind::kOpenMap:
      open(tree, token, ItemKind::kMap, token.kind == TokenKind::kOpenMap);
      break;
    default:
      break;
  }
  close_full(tree);
}

void ItemReader::add_text(ItemTree& tree, const Token& token, ItemKind kind) {
  auto& item = tree.items.back();
  item.kind = kind;
  item.value = tree.texts.size();
  item.count = static_cast<std::uint32_t>(token.text.size());
  tree.texts += token.text;
}

void ItemReader::add_pieces(ItemTree& tree, const Token& token, ItemKind kind) {
  const auto begin = tree.texts.size();
  const auto piece_kind = kind == ItemKind::kText ? TokenKind::kText : TokenKind::kBytes;
  for (;;) {
    const auto piece = next_or_fail(tree);
    if (piece.kind == TokenKind::kBreak) break;
    if (piece.kind != piece_kind) {
      fail(piece.offset,
           "the text that begins at byte " + std::to_string(token.offset) +
               " has a piece that is no text of its kind; the file is damaged, so fetch or write it again");
    }
    tree.texts += piece.text;
    check_size(tree, base_ + position_);
  }
  auto& item = tree.items.back();
  item.kind = kind;
  item.value = begin;
  item.count = static_cast<std::uint32_t>(tree.texts.size() - begin);
}

void ItemReader::open(ItemTree& tree, const Token& token, ItemKind kind, bool until_break) {
  if (open_.size() >= limits_.max_depth) {
    fail(token.offset, "more than " + std::to_string(limits_.max_depth) +
                           " arrays are within each other; no page is like that, so fetch or write the file again");
  }
  if (token.value > limits_.max_record_items) {
    fail(token.offset, "an array claims to have " + with_commas(token.value) + " items, more than the " +
                           with_commas(limits_.max_record_items) +
                           " of a record; the file is damaged, so fetch or write it again");
  }
  auto& item = tree.items.back();
  item.kind = kind;
  item.value = 0;
  open_.push_back({static_cast<std::uint32_t>(tree.items.size() - 1),
                   kind == ItemKind::kMap ? 2 * token.value : token.value, until_break});
}

void ItemReader::close_break(ItemTree& tree, const Token& token) {
  const bool has_open = !open_.empty() && open_.back().until_break;
  const bool is_whole = has_open && (tree.items[open_.back().index].kind != ItemKind::kMap ||
                                     tree.items[open_.back().index].count % 2 == 0);
  if (!is_whole) {
    fail(token.offset, "there is a 'break' where no array ends; the file is damaged, so fetch or write it again");
  }
  tree.items[open_.back().index].end = static_cast<std::uint32_t>(tree.items.size());
  open_.pop_back();
}

/// Closes the arrays of known length that have all their items.
void ItemReader::close_full(ItemTree& tree) {
  while (!open_.empty() && !open_.back().until_break && open_.back().missing == 0) {
    tree.items[open_.back().index].end = static_cast<std::uint32_t>(tree.items.size());
    open_.pop_back();
  }
}

}  // namespace internal

}  // namespace touchstone::formats::car
