#include "common/json_tree.hpp"
#include "common/unicode.hpp"
#include "extractors/file_format/file_format.hpp"
#include "extractors/markup/front_matter.hpp"
#include "extractors/textbook/book.hpp"
#include "extractors/textbook/book_navigation.hpp"
#include "extractors/textbook/page_reading.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::extractors::textbook {
namespace {

using file_format::Reading;

constexpr std::size_t kMaxLicenceBytes = 120, kMaxLicenceHead = 4096;

/// The folder of a file, with '/' at its end unless it is empty.
std::string folder_of(std::string_view file) {
  const auto slash = file.rfind('/');
  return std::string(slash == std::string_view::npos ? std::string_view() : file.substr(0, slash + 1));
}

/// What a folder of Docusaurus says of itself in `_category_.json`.
struct Category {
  std::string label;
  double position = std::numeric_limits<double>::infinity();
};

Category category_of(const BookFiles& files, const std::string& folder) {
  Category category;
  const auto bytes = files.read(folder + "_category_.json");
  if (!bytes) return category;
  const auto json = parse_json_or_discard(*bytes);
  if (!json.is_object()) return category;
  if (const auto label = json.find("label"); label != json.end() && label->is_string()) {
    category.label = repair_utf8(label->get<std::string>());
  }
  if (const auto position = json.find("position"); position != json.end() && position->is_number()) {
    category.position = position->get<double>();
  }
  return category;
}

/// Puts the pages of folders without a table of contents in order: the index of a folder first, then by the positions
/// that pages and folders state, then by name.
class FolderOrder {
 public:
  explicit FolderOrder(const BookFiles& files) : files_(files) {}

  /// Where a page is: for each folder above it and for itself, whether it is no index, the stated position, the name,
  /// and whether it is a folder.
  using Place = std::vector<std::tuple<bool, double, std::string, bool>>;

  Place place_of(const BookPage& page, double position) {
    Place place;
    for (std::size_t slash = page.file.find('/'), from = 0; slash != std::string::npos;) {
      const auto& category = category_at(page.file.substr(0, slash + 1));
      place.emplace_back(true, category.position, page.file.substr(from, slash - from), true);
      from = slash + 1;
      slash = page.file.find('/', from);
    }
    place.emplace_back(!is_index(page.file), position, std::filesystem::path(page.file).stem().string(), false);
    return place;
  }

  const Category& category_at(const std::string& folder) {
    const auto found = categories_.find(folder);
    return found != categories_.end() ? found->second
                                      : categories_.emplace(folder, category_of(files_, folder)).first->second;
  }

  /// Tells a page the parts of the book that it is in, which are the folders below `root` by their labels or names. The
  /// index of a folder opens the last of them.
  void place_in_parts(BookPage& page, const std::string& root) {
    const auto folder = folder_of(page.file);
    for (auto end = folder.find('/', root.size()); end != std::string::npos; end = folder.find('/', end + 1)) {
      const auto part = folder.substr(0, end + 1);
      const auto& label = category_at(part).label;
      page.chapters.push_back(label.empty() ? repair_utf8(std::filesystem::path(part).parent_path().filename().string())
                                            : label);
    }
    if (!is_index(page.file) || page.chapters.empty()) return;
    page.opens = std::move(page.chapters.back());
    page.chapters.pop_back();
  }

 private:
  const BookFiles& files_;
  std::map<std::string, Category> categories_;
};

/// \param root  the folder that holds all pages
void order_by_folders(const BookFiles& files, const std::string& root, std::vector<BookPage>& pages) {
  FolderOrder order(files);
  std::vector<std::pair<FolderOrder::Place, BookPage>> placed;
  for (auto& page : pages) {
    double position = std::numeric_limits<double>::infinity();
    if (page.markup == PageMarkup::kMarkdown) {
      const auto bytes = files.read(page.file).value_or("");
      std::string_view text = bytes;
      if (const auto metadata = markup::take_front_matter(text)) {
        position = metadata->position.value_or(position);
        page.slug = metadata->slug;
      }
    }
    order.place_in_parts(page, root);
    placed.emplace_back(order.place_of(page, position), std::move(page));
  }
  std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.file) < std::tie(b.first, b.second.file);
  });
  pages.clear();
  for (auto& [place, page] : placed) pages.push_back(std::move(page));
}

/// Puts the pages in the order of a table of contents, which names them and the parts they are in.
void order_by_navigation(const Navigation& navigation, const std::string& name, Book& book) {
  std::map<std::string, BookPage> rest;
  for (auto& page : book.pages) rest.emplace(page.file, std::move(page));
  book.pages.clear();
  std::size_t missing = 0;
  std::set<std::string> taken;
  for (const auto& entry : navigation.entries) {
    const auto found = rest.find(entry.file);
    if (found == rest.end()) {
      missing += taken.contains(entry.file) ? 0 : 1;
      continue;
    }
    taken.insert(entry.file);
    found->second.label = entry.label;
    found->second.chapters = entry.parts;
    book.pages.push_back(std::move(found->second));
    rest.erase(found);
  }
  std::size_t left_out = 0;
  for (auto& [file, page] : rest) {
    if (file == navigation.file) continue;
    if (navigation.names_all_pages || !file.starts_with(navigation.root)) {
      ++left_out;
    } else {
      book.pages.push_back(std::move(page));
    }
  }
  if (missing > 0) {
    book.warnings.push_back(fmt::format("{}: {} names {} pages that are not there", name, navigation.file, missing));
  }
  if (left_out > 0) {
    book.warnings.push_back(
        fmt::format("{}: {} pages that {} does not name were left out", name, left_out, navigation.file));
  }
}

/// The folder that holds all pages, with '/' at its end unless it is empty.
std::string common_folder(const std::vector<BookPage>& pages) {
  auto folder = folder_of(pages.front().file);
  for (const auto& page : pages) {
    while (!page.file.starts_with(folder)) folder = folder_of(folder.substr(0, folder.size() - 1));
  }
  return folder;
}

/// The folder that holds all pages. That of a DokuWiki is called "pages", and its namespaces are folders in it.
std::string root_of(const std::vector<BookPage>& pages) {
  auto folder = common_folder(pages);
  const bool wiki =
      std::any_of(pages.begin(), pages.end(), [](const auto& page) { return page.markup == PageMarkup::kDokuWiki; });
  if (!wiki) return folder;
  constexpr std::string_view kPages = "pages/";
  for (auto at = folder.find(kPages); at != std::string::npos; at = folder.find(kPages, at + 1)) {
    if (at == 0 || folder[at - 1] == '/') return folder.substr(0, at + kPages.size());
  }
  return folder;
}

/// Adds files of plain text that are pages of DokuWiki: they hold a heading of it, or lie in the folder "pages" of a
/// wiki.
void add_dokuwiki_pages(const BookFiles& files, Book& book) {
  std::vector<std::string> others;
  const auto before = book.pages.size();
  for (const auto& file : files.names()) {
    if (!file.ends_with(".txt") || is_licence_file(file) || is_beside_pages(file)) continue;
    const auto head = files.read(file).value_or("").substr(0, file_format::kHeadBytes);
    const auto* format = file_format::format_of(file, head);
    if (format != nullptr && format->reading == Reading::kDokuWiki) {
      book.pages.push_back({file, "", {}, PageMarkup::kDokuWiki});
    } else if (file.starts_with("pages/") || file.find("/pages/") != std::string::npos) {
      others.push_back(file);
    }
  }
  if (book.pages.size() == before) return;
  for (const auto& file : others) book.pages.push_back({file, "", {}, PageMarkup::kDokuWiki});
}

/// What the text of a licence is called: its SPDX identifier if it is a usual one, else its first line.
std::string name_of_licence(const std::string& text) {
  constexpr std::pair<std::string_view, std::string_view> kKnown[] = {
      {"Permission is hereby granted, free of charge", "MIT"},
      {"Apache License Version 2.0", "Apache-2.0"},
      {"GNU Free Documentation License Version 1.3", "GFDL-1.3"},
      {"Attribution-NonCommercial-ShareAlike 4.0 International", "CC-BY-NC-SA-4.0"},
      {"Attribution-NonCommercial-NoDerivatives 4.0 International", "CC-BY-NC-ND-4.0"},
      {"Attribution-NonCommercial 4.0 International", "CC-BY-NC-4.0"},
      {"Attribution-NoDerivatives 4.0 International", "CC-BY-ND-4.0"},
      {"Attribution-ShareAlike 4.0 International", "CC-BY-SA-4.0"},
      {"Attribution 4.0 International", "CC-BY-4.0"},
      {"CC0 1.0 Universal", "CC0-1.0"},
  };
  std::string words;  // with single blanks
  for (const char c : std::string_view(text).substr(0, kMaxLicenceHead)) {
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!blank) words += c;
    if (blank && !words.empty() && words.back() != ' ') words += ' ';
  }
  for (const auto& [phrase, name] : kKnown) {
    if (words.find(phrase) != std::string::npos) return std::string(name);
  }
  const auto begin = text.find_first_not_of(" \t\r\n#");
  if (begin == std::string::npos) return "";
  const auto end = std::min(text.find_first_of("\r\n", begin), begin + kMaxLicenceBytes);
  return repair_utf8(text.substr(begin, end - begin));
}

/// The licences that lie beside the pages; of several, with the names of their files.
std::string licence_of(const BookFiles& files) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& name : files.names()) {
    if (!is_licence_file(name) || std::count(name.begin(), name.end(), '/') > 1) continue;
    auto licence = name_of_licence(files.read(name).value_or(""));
    if (!licence.empty()) found.emplace_back(std::move(licence), name);
  }
  if (found.size() == 1) return found.front().first;
  std::string licences;
  for (const auto& [licence, name] : found)
    licences += fmt::format("{}{} ({})", licences.empty() ? "" : ", ", licence, name);
  return licences;
}

}  // namespace

Book read_folder(const BookFiles& files, const std::string& name) {
  Book book;
  for (const auto& file : files.names()) {
    const auto* format = file_format::format_of_name(file);
    if (format == nullptr || is_licence_file(file) || is_beside_pages(file)) continue;
    if (auto page = page_of(file, *format)) {
      book.pages.push_back(std::move(*page));
    } else if (format->reading == Reading::kNotRead || format->reading == Reading::kZim ||
               format->reading == Reading::kJsonLines || format->reading == Reading::kPandoc) {
      book.unread.push_back(file_format::refusal(file, *format));
    }
  }
  add_dokuwiki_pages(files, book);
  if (book.pages.empty()) return book;
  book.licence = licence_of(files);
  auto navigation = read_summary(files, book.warnings);
  if (!navigation) navigation = read_mkdocs(files, book.warnings);
  if (navigation) {
    book.title = navigation->title;
    book.root = navigation->root;
    order_by_navigation(*navigation, name, book);
  } else {
    book.root = root_of(book.pages);
    order_by_folders(files, book.root, book.pages);
    book.in_order = false;
  }
  return book;
}

}  // namespace touchstone::extractors::textbook
