#include "formats/car/reader.hpp"

#include "common/error.hpp"
#include "formats/car/header_decoder.hpp"
#include "formats/car/item_view.hpp"
#include "formats/car/record_decoder.hpp"

#include <utility>

namespace touchstone::formats::car {

using internal::ItemReader;
using internal::ItemTree;
using internal::Token;
using internal::TokenKind;

struct CarReader::Impl {
  /// How the records follow one another.
  enum class Layout : std::uint8_t { kSequence, kCountedArray, kOpenArray };

  Impl(std::unique_ptr<ByteInput> input, const ReadLimits& limits) : items(std::move(input), limits) { start(); }

  void start();
  void read_header(const Token& first);
  void start_records(const Token& first);
  bool at_end();
  void check_nothing_follows();
  ReadRecord decode();
  FileType record_type() const;
  std::string place() const;

  ItemReader items;
  ItemTree tree;
  Layout layout = Layout::kSequence;
  std::uint64_t missing = 0;  ///< records still to come in an array of known length
  std::uint64_t number = 0;
  bool has_header = false, has_item = false, is_finished = false;
  std::optional<FileType> type;
  Provenance provenance;
};

namespace {

constexpr const char* kNoCar =
    "the file is no TREC CAR file in CBOR; those begin with an array of \"CAR\" or of a page or paragraph";

bool is_array_token(const Token& token) {
  return token.kind == TokenKind::kArray || token.kind == TokenKind::kOpenArray;
}

}  // namespace

void CarReader::Impl::start() {
  const bool may_be_car = items.may_begin_array();
  const auto* token = may_be_car ? items.peek() : nullptr;
  if (token == nullptr && !items.has_read()) items.fail(0, "the file is empty; fetch or write it again");
  if (token == nullptr || !is_array_token(*token)) items.fail(0, kNoCar);
  const auto first = items.take();
  const auto* second = items.peek();
  const bool is_header = second != nullptr && (first.kind == TokenKind::kOpenArray || first.value > 0) &&
                         (second->kind == TokenKind::kText || second->kind == TokenKind::kTextPieces);
  if (!is_header) {
    start_records(first);
    return;
  }
  read_header(first);
  if (items.peek() == nullptr) {
    items.fail(items.offset(), "the file ends behind its header; it is truncated, so fetch or write it again");
  }
  const auto list = items.take();
  if (!is_array_token(list)) items.fail(list.offset, "no list of records follows the header; fetch the file again");
  start_records(list);
}

void CarReader::Impl::read_header(const Token& first) {
  items.read(tree, first);
  try {
    auto header = internal::decode_header(tree);
    type = header.type;
    provenance = std::move(header.provenance);
    has_header = true;
  } catch (const internal::WrongItem& wrong) {
    items.fail(wrong.offset, wrong.what);
  }
}

/// Tells whether an array is the list of all records or the first of them, by what it begins with.
void CarReader::Impl::start_records(const Token& first) {
  const auto* second = items.peek();
  const bool is_list = (first.kind == TokenKind::kArray && first.value == 0) ||
                       (second != nullptr && (is_array_token(*second) || second->kind == TokenKind::kBreak));
  if (is_list) {
    layout = first.kind == TokenKind::kArray ? Layout::kCountedArray : Layout::kOpenArray;
    missing = first.value;
    if (!at_end() && !type) {
      items.read(tree);
      has_item = true;
    }
  } else {
    items.read(tree, first);
    has_item = true;
  }
  if (!type && has_item) type = record_type();
}

FileType CarReader::Impl::record_type() const {
  return internal::looks_like_paragraph(tree) ? FileType::kParagraphs : FileType::kPages;
}

void CarReader::Impl::check_nothing_follows() {
  is_finished = true;
  if (items.peek() == nullptr) return;
  items.fail(items.offset(),
             "something follows the end of the list of records; the file is damaged or two files were joined, so fetch "
             "or write it again");
}

bool CarReader::Impl::at_end() {
  if (is_finished) return true;
  if (layout == Layout::kCountedArray) {
    if (missing > 0) return false;
    check_nothing_follows();
    return true;
  }
  const auto* token = items.peek();
  if (token == nullptr) {
    is_finished = true;
    if (layout == Layout::kSequence) return true;
    items.fail(items.offset(), "the list of records has no end; the file is truncated, so fetch or write it again");
  }
  if (layout == Layout::kSequence || token->kind != TokenKind::kBreak) return false;
  items.take();
  check_nothing_follows();
  return true;
}

std::string CarReader::Impl::place() const {
  return items.file() + ": record " + std::to_string(number) + " at byte " + std::to_string(tree.offset) + ": ";
}

ReadRecord CarReader::Impl::decode() {
  using Decoded = Result<Record, std::string>;
  ++number;
  if (layout == Layout::kCountedArray) --missing;
  const auto length = items.offset() - tree.offset;
  const auto expected = has_header ? *type : record_type();
  try {
    auto record = expected == FileType::kParagraphs ? Record(internal::decode_paragraph(tree))
                                                    : Record(internal::decode_page(tree));
    return {tree.offset, number, length, Decoded(std::move(record))};
  } catch (const internal::WrongItem& wrong) {
    return {tree.offset, number, length,
            Decoded::failure(place() + wrong.what + " (byte " + std::to_string(wrong.offset) + ")")};
  }
}

CarReader::CarReader(const std::filesystem::path& path, const ReadLimits& limits)
    : CarReader(open_file_input(path), limits) {}
CarReader::CarReader(std::unique_ptr<ByteInput> input, const ReadLimits& limits)
    : impl_(std::make_unique<Impl>(std::move(input), limits)) {}
CarReader::~CarReader() = default;
CarReader::CarReader(CarReader&&) noexcept = default;
CarReader& CarReader::operator=(CarReader&&) noexcept = default;

bool CarReader::has_header() const noexcept {
  return impl_->has_header;
}
std::optional<FileType> CarReader::type() const noexcept {
  return impl_->type;
}
const Provenance& CarReader::provenance() const noexcept {
  return impl_->provenance;
}

std::optional<ReadRecord> CarReader::next() {
  auto& reader = *impl_;
  if (!reader.has_item) {
    if (reader.at_end()) return std::nullopt;
    reader.items.read(reader.tree);
  }
  reader.has_item = false;
  return reader.decode();
}

}  // namespace touchstone::formats::car
