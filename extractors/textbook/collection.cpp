#include "common/error.hpp"
#include "extractors/html/xml_tree.hpp"
#include "extractors/textbook/book.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace touchstone::extractors::textbook {
namespace {

using html::attribute;
using html::element_name;
using html::find_element;
using html::text_below;

struct CollectionReader {
  const BookFiles& files;
  const std::string& name;
  std::string root;  ///< of the modules, with '/' at the end unless it is empty
  Book& book;
  std::set<std::string> seen = {};

  void module(const std::string& id, const std::string& chapter) {
    const auto file = path_within("", root + "modules/" + id + "/index.cnxml");
    if (!file || !files.contains(*file)) {
      book.warnings.push_back(fmt::format("{}: the collection names module \"{}\", which is not there", name, id));
    } else if (!seen.insert(*file).second) {
      book.warnings.push_back(fmt::format("{}: the collection names module \"{}\" twice; it is read once", name, id));
    } else {
      book.pages.push_back({*file, "", chapter});
    }
  }

  void content(const xmlNode* node, const std::string& chapter, int depth) {
    for (const auto* child = node->children; child != nullptr && depth < html::kMaxDepth; child = child->next) {
      const auto element = element_name(child);
      if (element == "module") module(attribute(child, "document"), chapter);
      if (element == "subcollection") {
        const auto title = text_below(find_element(child, "title"));
        content(child, title.empty() ? chapter : title, depth + 1);
      }
      if (element == "content") content(child, chapter, depth + 1);
    }
  }
};

bool is_collection(std::string_view file) {
  const auto slash = file.rfind('/');
  const auto last = slash == std::string_view::npos ? file : file.substr(slash + 1);
  return last == "collection.xml" || last.ends_with(".collection.xml");
}

}  // namespace

std::optional<Book> read_collection(const BookFiles& files, const std::string& name) {
  const auto& all = files.names();
  std::vector<std::string> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found), is_collection);
  if (found.empty()) return std::nullopt;
  Book book;
  book.markup = PageMarkup::kCnxml;
  const auto& file = found.front();
  if (found.size() > 1) {
    book.warnings.push_back(fmt::format("{}: {} collections; the first, {}, is read", name, found.size(), file));
  }
  const auto bytes = files.read(file);
  std::string problem = "it is too large";
  const auto tree = bytes && bytes->size() <= html::kMaxTreeBytes ? html::parse_xml(*bytes, problem) : nullptr;
  if (!tree) throw FormatError(fmt::format("{}: {} cannot be read: {}; get the book again", name, file, problem));
  const auto* collection = xmlDocGetRootElement(tree.get());
  const auto* metadata = find_element(collection, "metadata");
  book.title = text_below(find_element(metadata, "title"));
  const auto* licence = find_element(metadata, "license");
  book.licence = text_below(licence);
  if (const auto url = attribute(licence, "url"); !url.empty()) {
    book.licence += (book.licence.empty() ? "" : " ") + url;
  }
  // The modules lie beside the collection, or beside the folder "collections" that holds it.
  std::string root = file.substr(0, file.rfind('/') == std::string::npos ? 0 : file.rfind('/') + 1);
  constexpr std::string_view kFolder = "collections/";
  if (root.ends_with(kFolder)) root.resize(root.size() - kFolder.size());
  CollectionReader{files, name, root, book}.content(collection, "", 0);
  return book;
}

}  // namespace touchstone::extractors::textbook
