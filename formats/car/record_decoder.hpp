#pragma once

#include "formats/car/cbor_items.hpp"
#include "formats/car/records.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// CBOR items as records, in all forms that releases have had.
namespace touchstone::formats::car::internal {

// Walking over CBOR items that must follow a grammar.

/// Why an item is not what the grammar has in its place. Does not leave the room.
struct WrongItem {
  std::uint64_t offset = 0;  ///< in the file
  std::string what;          ///< the sentence after file and offset
};

/// One item of a tree.
class View {
 public:
  View(const ItemTree& tree, std::uint32_t index) : tree_(&tree), index_(index) {}

  ItemKind kind() const noexcept { return item().kind; }
  bool is_array() const noexcept { return item().kind == ItemKind::kArray; }
  bool is_text() const noexcept { return item().kind == ItemKind::kText || item().kind == ItemKind::kBytes; }
  std::uint32_t size() const noexcept { return item().count; }
  std::uint32_t index() const noexcept { return index_; }
  std::uint32_t end() const noexcept { return item().end; }
  const ItemTree& tree() const noexcept { return *tree_; }

  // Throw WrongItem. `name` is what the grammar calls the item.
  [[noreturn]] void fail(const std::string& what) const;
  /// Of a text or byte string, which must be UTF-8.
  std::string text(const char* name) const;
  std::uint64_t number(const char* name) const;

 private:
  const Item& item() const noexcept { return tree_->items[index_]; }

  const ItemTree* tree_;
  std::uint32_t index_;
};

/// Walks over the items of an array.
class Walk {
 public:
  /// Throws WrongItem if it is none.
  Walk(const View& array, const char* name);

  std::uint32_t size() const noexcept { return array_.size(); }
  bool done() const noexcept { return next_ >= array_.end(); }
  /// \pre !done()
  View next() {
    const View view(array_.tree(), next_);
    next_ = view.end();
    return view;
  }

 private:
  View array_;
  std::uint32_t next_;
};

/// Opens an array that begins with its number in the grammar; "section" is number 0 of the page elements, for example.
struct Tagged {
  Tagged(const View& array, const char* name);

  Walk items;
  std::uint64_t tag = 0;
};

// Throw WrongItem.

void need_size(const View& array, const char* name, std::uint32_t least, std::uint32_t most);
[[noreturn]] void fail_unknown(const View& array, const char* name, std::uint64_t tag);
/// [] or [text]; the text itself is accepted too.
std::optional<std::string> optional_text(const View& view, const char* name);
/// [text...]; lists of lists are joined, since pages of 5 elements have [[text...]].
std::vector<std::string> texts(const View& view, const char* name);

// Throw WrongItem. Memory and time are linear in the tree.

/// A page or an outline.
Page decode_page(const ItemTree& tree);
Paragraph decode_paragraph(const ItemTree& tree);

/// Whether the item has the shape of a paragraph rather than that of a page.
bool looks_like_paragraph(const ItemTree& tree) noexcept;

struct Header {
  FileType type = FileType::kPages;
  Provenance provenance;
};

/// The header of a file, in the form of any release. Throws WrongItem.
Header decode_header(const ItemTree& tree);

}  // namespace touchstone::formats::car::internal
