#include "formats/car/item_view.hpp"

#include "common/unicode.hpp"

#include <string_view>
#include <utility>

namespace touchstone::formats::car::internal {

void View::fail(const std::string& what) const {
  throw WrongItem{tree_->offset + item().at, what + "; fetch or write the file again"};
}

std::string View::text(const char* name) const {
  if (!is_text()) fail(std::string("the ") + name + " is no text");
  const auto text = std::string_view(tree_->texts).substr(item().value, item().count);
  if (!is_valid_utf8(text)) fail(std::string("the ") + name + " is not UTF-8");
  return std::string(text);
}

std::uint64_t View::number(const char* name) const {
  if (kind() != ItemKind::kUnsigned) fail(std::string("the ") + name + " is not a whole number from 0 on");
  return item().value;
}

Walk::Walk(const View& array, const char* name) : array_(array), next_(array.index() + 1) {
  if (!array.is_array()) array.fail(std::string("the ") + name + " is no array");
}

Tagged::Tagged(const View& array, const char* name) : items(array, name) {
  if (items.done()) array.fail(std::string("the ") + name + " is an empty array");
  tag = items.next().number(name);
}

void need_size(const View& array, const char* name, std::uint32_t least, std::uint32_t most) {
  if (array.size() >= least && array.size() <= most) return;
  array.fail(std::string("the ") + name + " has " + std::to_string(array.size()) + " items instead of " +
             std::to_string(least) + (most > least ? " to " + std::to_string(most) : ""));
}

[[noreturn]] void fail_unknown(const View& array, const char* name, std::uint64_t tag) {
  array.fail(std::string("the ") + name + " is of the unknown kind " + std::to_string(tag));
}

std::optional<std::string> optional_text(const View& view, const char* name) {
  if (view.is_text()) return view.text(name);
  Walk items(view, name);
  if (items.done()) return std::nullopt;
  need_size(view, name, 0, 1);
  return items.next().text(name);
}

std::vector<std::string> texts(const View& view, const char* name) {
  std::vector<std::string> values;
  for (Walk items(view, name); !items.done();) {
    const auto item = items.next();
    if (item.is_array()) {
      for (auto& value : texts(item, name)) values.push_back(std::move(value));
    } else {
      values.push_back(item.text(name));
    }
  }
  return values;
}

}  // namespace touchstone::formats::car::internal
