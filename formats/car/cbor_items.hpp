#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Reading CBOR item by item. Source: RFC 8949.
namespace touchstone::formats::car {

/// Bytes of a file, piece by piece. Not thread-safe.
class ByteInput {
 public:
  virtual ~ByteInput() = default;
  /// Reads up to `size` bytes; 0 only at the end. Throws StorageError if the file cannot be read, FormatError if it is
  /// a damaged or truncated gzip file.
  virtual std::size_t read(char* into, std::size_t size) = 0;
  /// The file as messages name it.
  virtual const std::string& name() const noexcept = 0;
};

/// Whether a file begins as gzip does. Throws StorageError if it cannot be read.
bool begins_as_gzip(const std::filesystem::path& path);

/// A plain or gzip file; gzip is told from the content. Throws StorageError if it cannot be opened.
std::unique_ptr<ByteInput> open_file_input(const std::filesystem::path& path);

/// What a file may make the reader hold. Real files stay far below.
struct ReadLimits {
  std::size_t max_record_bytes = std::size_t{256} << 20;  ///< of one record in the file
  std::size_t max_record_items = std::size_t{8} << 20;    ///< arrays, texts and numbers of one record, 24 bytes each
  std::size_t max_depth = 128;                            ///< arrays within each other
};

namespace internal {

enum class ItemKind : std::uint8_t { kUnsigned, kNegative, kBytes, kText, kArray, kMap, kOther };

/// One data item. The items within an array or a map follow it.
struct Item {
  ItemKind kind = ItemKind::kOther;
  std::uint32_t at = 0;     ///< first byte, counted from the first byte of the tree
  std::uint32_t end = 0;    ///< index of the first item behind this one and what is in it
  std::uint32_t count = 0;  ///< of items in an array or map (keys and values), of bytes of a text
  std::uint64_t value = 0;  ///< of a number; where a text begins in `texts`
};

/// A data item with all that is in it. Tags are left out. Pieces of one text are joined.
struct ItemTree {
  std::vector<Item> items;
  std::string texts;
  std::uint64_t offset = 0;  ///< of the first byte in the file
};

enum class TokenKind : std::uint8_t {
  kUnsigned,
  kNegative,
  kBytes,
  kText,
  kBytesPieces,
  kTextPieces,
  kArray,
  kOpenArray,
  kMap,
  kOpenMap,
  kTag,
  kBreak,
  kOther
};

/// What libcbor tells at once: the head of an item, or a whole number or text.
struct Token {
  TokenKind kind = TokenKind::kOther;
  std::uint64_t value = 0;  ///< of a number; how many items an array has, or pairs a map
  std::string_view text;    ///< valid until the next token is read
  std::uint64_t offset = 0;
};

/// Reads tokens and items through libcbor's stream decoder. Throws FormatError with file and byte offset if the bytes
/// are no CBOR, end within an item or exceed the limits. Not thread-safe.
class ItemReader {
 public:
  ItemReader(std::unique_ptr<ByteInput> input, const ReadLimits& limits)
      : input_(std::move(input)), limits_(limits), file_(input_->name()) {}

  /// Whether the next byte can begin an array, with or without tags. False at the end of the file.
  bool may_begin_array();
  /// The next token without taking it; nullptr at the end of the file. Tags are skipped.
  const Token* peek();
  /// Takes the next token. \pre peek() is not nullptr
  Token take();

  /// Reads one item with all that is in it.
  /// \param first  its first token if that has been taken already
  void read(ItemTree& tree, const std::optional<Token>& first = std::nullopt);

  /// Offset of the next token.
  std::uint64_t offset() const noexcept { return has_peeked_ ? peeked_.offset : base_ + position_; }
  /// Whether the file has any bytes. \pre the first byte was asked for
  bool has_read() const noexcept { return base_ + buffer_.size() > 0; }
  const std::string& file() const noexcept { return file_; }

  [[noreturn]] void fail(std::uint64_t offset, const std::string& what) const;

 private:
  struct Open {
    std::uint32_t index = 0;
    std::uint64_t missing = 0;  ///< items that are still to come
    bool until_break = false;
  };

  bool decode(Token& token);
  bool fill(std::size_t wanted);
  void add(ItemTree& tree, const Token& token);
  void add_text(ItemTree& tree, const Token& token, ItemKind kind);
  void add_pieces(ItemTree& tree, const Token& token, ItemKind kind);
  void open(ItemTree& tree, const Token& token, ItemKind kind, bool until_break);
  void close_break(ItemTree& tree, const Token& token);
  void close_full(ItemTree& tree);
  void check_size(const ItemTree& tree, std::uint64_t offset) const;
  Token next_or_fail(const ItemTree& tree);

  std::unique_ptr<ByteInput> input_;
  ReadLimits limits_;
  std::string file_;
  std::string buffer_;
  std::size_t position_ = 0;  ///< in the buffer
  std::uint64_t base_ = 0;    ///< offset of the buffer in the file
  bool at_end_ = false;
  Token peeked_;
  bool has_peeked_ = false;
  std::vector<Open> open_;
};

}  // namespace internal

}  // namespace touchstone::formats::car
