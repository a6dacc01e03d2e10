#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/html/xml_tree.hpp"
#include "extractors/textbook/book.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace touchstone::extractors::textbook {
namespace {

using namespace html;

struct CollectionReader {
  const BookFiles& files;
  const std::string& name;
  std::string root;  ///< of the modules, with '/' at the end unless it is empty
  Book& book;
  std::set<std::string> seen = {};

  void module(const std::string& id, const std::vector<std::string>& chapters) {
    const auto file = path_within("", root + "modules/" + id + "/index.cnxml");
    if (!file || !files.contains(*file)) {
      book.warnings.push_back(fmt::format("{}: the collection names module \"{}\", which is not there", name, id));
    } else if (!seen.insert(*file).second) {
      book.warnings.push_back(fmt::format("{}: the collection names module \"{}\" twice; it is read once", name, id));
    } else {
      book.pages.push_back({*file, "", chapters, PageMarkup::kCnxml});
    }
  }

  void content(const xmlNode* node, const std::vector<std::string>& chapters, int depth) {
    for (const auto* child = node->children; child != nullptr && depth < html::kMaxDepth; child = child->next) {
      const auto element = element_name(child);
      if (element == "module") module(attribute(child, "document"), chapters);
      if (element == "subcollection") {
        content(child, with_part(chapters, text_below(find_element(child, "title"))), depth + 1);
      }
      if (element == "content") content(child, chapters, depth + 1);
    }
  }
};

bool is_collection(std::string_view file) {
  const auto slash = file.rfind('/');
  const auto last = slash == std::string_view::npos ? file : file.substr(slash + 1);
  return last == "collection.xml" || last.ends_with(".collection.xml");
}

constexpr const char* kContainer = "META-INF/container.xml";

/// The tree of a file of the book that has to be there.
html::XmlTree tree_of(const BookFiles& files, const std::string& file, const std::string& book) {
  const auto bytes = files.read(file);
  if (!bytes)
    throw FormatError(fmt::format("{}: {} is missing, so this is no complete EPUB; get it again", book, file));
  std::string problem = "it is too large";
  auto tree = bytes->size() <= html::kMaxTreeBytes ? html::parse_xml(*bytes, problem) : nullptr;
  if (!tree) throw FormatError(fmt::format("{}: {} cannot be read: {}; get the book again", book, file, problem));
  return tree;
}

const xmlNode* root_of(const html::XmlTree& tree) {
  return xmlDocGetRootElement(tree.get());
}

struct ManifestItem {
  std::string file, type, properties;
};

/// Files by the id that the package gives them.
std::map<std::string, ManifestItem> manifest_of(const xmlNode* package, const std::string& package_file) {
  std::map<std::string, ManifestItem> items;
  const auto* manifest = find_element(package, "manifest");
  for (const auto* item = manifest != nullptr ? manifest->children : nullptr; item != nullptr; item = item->next) {
    if (element_name(item) != "item") continue;
    const auto file = path_within(package_file, attribute(item, "href"));
    if (file) items[attribute(item, "id")] = {*file, attribute(item, "media-type"), attribute(item, "properties")};
  }
  return items;
}

/// What a table of contents says of a file.
struct Label {
  std::string text;
  std::vector<std::string> parts;  ///< what is above it, the outermost first
  bool is_of_file = false;         ///< an entry leads to the file, and not to a place in it
  std::uint64_t entries = 0;       ///< that lead into the file

  /// Empty where the table only names parts of the file.
  std::string_view of_file() const { return is_of_file || entries == 1 ? std::string_view(text) : std::string_view(); }
};

using Labels = std::map<std::string, Label>;  ///< by file

void add_label(Labels& labels, const std::string& file, std::string_view href, const std::string& text,
               const std::vector<std::string>& parts) {
  const auto target = href.empty() ? std::nullopt : path_within(file, href);
  if (!target) return;
  Label& label = labels[*target];
  const bool is_of_file = href.find('#') == std::string_view::npos;
  if (label.entries == 0 || (is_of_file && !label.is_of_file)) {
    label.text = text;
    label.parts = parts;
  }
  label.is_of_file = label.is_of_file || is_of_file;
  ++label.entries;
}

/// Entries of an EPUB 3 table of contents: nested lists of links.
void read_nav(const xmlNode* node, const std::string& file, const std::vector<std::string>& parts, int depth,
              Labels& labels) {
  std::string last;
  for (const auto* child = node->children; child != nullptr && depth < html::kMaxDepth; child = child->next) {
    const auto name = element_name(child);
    if (name == "a" || name == "span") {
      last = text_below(child);
      add_label(labels, file, attribute(child, "href"), last, parts);
    } else if (!name.empty()) {
      read_nav(child, file, name == "ol" ? with_part(parts, last) : parts, depth + 1, labels);
    }
  }
}

/// Entries of an EPUB 2 table of contents: nested navPoints.
void read_ncx(const xmlNode* node, const std::string& file, const std::vector<std::string>& parts, int depth,
              Labels& labels) {
  for (const auto* child = node->children; child != nullptr && depth < html::kMaxDepth; child = child->next) {
    if (element_name(child) != "navPoint") {
      if (element_name(child) == "navMap") read_ncx(child, file, parts, depth + 1, labels);
      continue;
    }
    const auto label = text_below(find_element(child, "navLabel"));
    add_label(labels, file, attribute(find_element(child, "content"), "src"), label, parts);
    read_ncx(child, file, with_part(parts, label), depth + 1, labels);
  }
}

/// The tables of contents that the book has; a damaged one is left out, since the pages have headings too.
Labels labels_of(const BookFiles& files, const std::map<std::string, ManifestItem>& items, Book& book) {
  Labels labels;
  for (const auto& [id, item] : items) {
    const bool nav = item.properties.find("nav") != std::string::npos;
    const bool ncx = item.type == "application/x-dtbncx+xml";
    if (!nav && !ncx) continue;
    const auto bytes = files.read(item.file);
    if (!bytes || bytes->size() > html::kMaxTreeBytes) continue;
    std::string problem;
    const auto tree = nav ? html::parse_html(*bytes) : html::parse_xml(*bytes, problem);
    Labels of_table;
    if (!tree) {
      book.warnings.push_back(fmt::format("the table of contents {} cannot be read: {}", item.file, problem));
    } else if (nav) {
      if (const auto* list = find_element(root_of(tree), "nav")) read_nav(list, item.file, {}, 0, of_table);
    } else {
      read_ncx(root_of(tree), item.file, {}, 0, of_table);
    }
    labels.merge(of_table);
  }
  return labels;
}

}  // namespace

std::optional<Book> read_collection(const BookFiles& files, const std::string& name) {
  const auto& all = files.names();
  std::vector<std::string> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found), is_collection);
  if (found.empty()) return std::nullopt;
  Book book;
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
  book.language = text_below(find_element(metadata, "language"));
  const auto* licence = find_element(metadata, "license");
  book.licence = text_below(licence);
  if (const auto url = attribute(licence, "url"); !url.empty()) {
    book.licence += (book.licence.empty() ? "" : " ") + url;
  }
  // The modules lie beside the collection, or beside the folder "collections" that holds it.
  std::string root = file.substr(0, file.rfind('/') == std::string::npos ? 0 : file.rfind('/') + 1);
  constexpr std::string_view kFolder = "collections/";
  if (root.ends_with(kFolder)) root.resize(root.size() - kFolder.size());
  CollectionReader{files, name, root, book}.content(collection, {}, 0);
  return book;
}

std::optional<Book> read_epub(const BookFiles& files, const std::string& name) {
  if (!files.contains(kContainer)) return std::nullopt;
  const auto container = tree_of(files, kContainer, name);
  const auto package_file = path_within("", attribute(find_element(root_of(container), "rootfile"), "full-path"));
  if (!package_file || package_file->empty()) {
    throw FormatError(fmt::format("{}: {} names no package file; get the book again", name, kContainer));
  }
  const auto package = tree_of(files, *package_file, name);
  Book book;
  const auto* metadata = find_element(root_of(package), "metadata");
  book.title = text_below(find_element(metadata, "title"));
  book.licence = text_below(find_element(metadata, "rights"));
  book.language = text_below(find_element(metadata, "language"));
  const auto items = manifest_of(root_of(package), *package_file);
  const auto labels = labels_of(files, items, book);
  const auto* spine = find_element(root_of(package), "spine");
  std::set<std::string> seen;
  for (const auto* entry = spine != nullptr ? spine->children : nullptr; entry != nullptr; entry = entry->next) {
    if (element_name(entry) != "itemref") continue;
    const auto id = attribute(entry, "idref");
    const auto item = items.find(id);
    if (item == items.end() || !files.contains(item->second.file)) {
      book.warnings.push_back(fmt::format("{}: the book names a part \"{}\" that is not there", name, id));
      continue;
    }
    if (item->second.properties.find("nav") != std::string::npos) continue;  // the table of contents
    if (!seen.insert(item->second.file).second) continue;
    const auto label = labels.find(item->second.file);
    BookPage page;
    page.file = item->second.file;
    if (label != labels.end()) {
      page.label = label->second.of_file();
      page.chapters = label->second.parts;
    }
    book.pages.push_back(std::move(page));
  }
  return book;
}

}  // namespace touchstone::extractors::textbook
