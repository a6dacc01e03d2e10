#include "formats/car/reader.hpp"

#include "common/error.hpp"
#include "formats/car/record_decoder.hpp"

#include <utility>

namespace touchstone::formats::car {

using internal::ItemReader;
using internal::ItemTree;
using internal::Token;
using internal::TokenKind;

namespace {

constexpr const char* kNoCar =
    "the file is no TREC CAR file in CBOR; those begin with an array of \"CAR\" or of a page or paragraph";

bool is_array_token(const Token& token) {
  return token.kind == TokenKind::kArray || token.kind == TokenKind::kOpenArray;
}

}  // namespace

void CarReader::start() {
  const bool may_be_car = items_.may_begin_array();
  const auto* token = may_be_car ? items_.peek() : nullptr;
  if (token == nullptr && !items_.has_read()) items_.fail(0, "the file is empty; fetch or write it again");
  if (token == nullptr || !is_array_token(*token)) items_.fail(0, kNoCar);
  const auto first = items_.take();
  const auto* second = items_.peek();
  const bool is_header = second != nullptr && (first.kind == TokenKind::kOpenArray || first.value > 0) &&
                         (second->kind == TokenKind::kText || second->kind == TokenKind::kTextPieces);
  if (!is_header) {
    start_records(first);
    return;
  }
  read_header(first);
  if (items_.peek() == nullptr) {
    items_.fail(items_.offset(), "the file ends behind its header; it is truncated, so fetch or write it again");
  }
  const auto list = items_.take();
  if (!is_array_token(list)) items_.fail(list.offset, "no list of records follows the header; fetch the file again");
  start_records(list);
}

void CarReader::read_header(const Token& first) {
  items_.read(tree_, first);
  try {
    auto header = internal::decode_header(tree_);
    type_ = header.type;
    provenance_ = std::move(header.provenance);
    has_header_ = true;
  } catch (const internal::WrongItem& wrong) {
    items_.fail(wrong.offset, wrong.what);
  }
}

/// Tells whether an array is the list of all records or the first of them, by what it begins with.
void CarReader::start_records(const Token& first) {
  const auto* second = items_.peek();
  const bool is_list = (first.kind == TokenKind::kArray && first.value == 0) ||
                       (second != nullptr && (is_array_token(*second) || second->kind == TokenKind::kBreak));
  if (is_list) {
    layout_ = first.kind == TokenKind::kArray ? Layout::kCountedArray : Layout::kOpenArray;
    missing_ = first.value;
    if (!at_end() && !type_) {
      items_.read(tree_);
      has_item_ = true;
    }
  } else {
    items_.read(tree_, first);
    has_item_ = true;
  }
  if (!type_ && has_item_) type_ = record_type();
}

FileType CarReader::record_type() const {
  return internal::looks_like_paragraph(tree_) ? FileType::kParagraphs : FileType::kPages;
}

void CarReader::check_nothing_follows() {
  is_finished_ = true;
  if (items_.peek() == nullptr) return;
  items_.fail(
      items_.offset(),
      "something follows the end of the list of records; the file is damaged or two files were joined, so fetch "
      "or write it again");
}

bool CarReader::at_end() {
  if (is_finished_) return true;
  if (layout_ == Layout::kCountedArray) {
    if (missing_ > 0) return false;
    check_nothing_follows();
    return true;
  }
  const auto* token = items_.peek();
  if (token == nullptr) {
    is_finished_ = true;
    if (layout_ == Layout::kSequence) return true;
    items_.fail(items_.offset(), "the list of records has no end; the file is truncated, so fetch or write it again");
  }
  if (layout_ == Layout::kSequence || token->kind != TokenKind::kBreak) return false;
  items_.take();
  check_nothing_follows();
  return true;
}

std::string CarReader::place() const {
  return items_.file() + ": record " + std::to_string(number_) + " at byte " + std::to_string(tree_.offset) + ": ";
}

ReadRecord CarReader::decode() {
  using Decoded = Result<Record, std::string>;
  ++number_;
  if (layout_ == Layout::kCountedArray) --missing_;
  const auto length = items_.offset() - tree_.offset;
  const auto expected = has_header_ ? *type_ : record_type();
  try {
    auto record = expected == FileType::kParagraphs ? Record(internal::decode_paragraph(tree_))
                                                    : Record(internal::decode_page(tree_));
    return {tree_.offset, number_, length, Decoded(std::move(record))};
  } catch (const internal::WrongItem& wrong) {
    return {tree_.offset, number_, length,
            Decoded::failure(place() + wrong.what + " (byte " + std::to_string(wrong.offset) + ")")};
  }
}

CarReader::CarReader(const std::filesystem::path& path, const ReadLimits& limits)
    : CarReader(open_file_input(path), limits) {}

CarReader::CarReader(std::unique_ptr<ByteInput> input, const ReadLimits& limits) : items_(std::move(input), limits) {
  start();
}

std::optional<ReadRecord> CarReader::next() {
  if (!has_item_) {
    if (at_end()) return std::nullopt;
    items_.read(tree_);
  }
  has_item_ = false;
  return decode();
}

}  // namespace touchstone::formats::car
