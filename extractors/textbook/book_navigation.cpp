#include "extractors/textbook/book_navigation.hpp"

#include "common/unicode.hpp"
#include "extractors/html/xml_tree.hpp"
#include "extractors/markup/markdown.hpp"
#include "extractors/textbook/book.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace touchstone::extractors::textbook {
namespace {

using namespace html;

constexpr int kMaxParts = 32;                 // parts within each other
constexpr std::size_t kMaxEntries = 200'000;  // of a table of contents
constexpr std::size_t kMaxBytes = 4u << 20;   // of its file

/// The name of a file without its folders, in lower case.
std::string last_part(std::string_view file) {
  const auto slash = file.rfind('/');
  return lower_case(repair_utf8(slash == std::string_view::npos ? file : file.substr(slash + 1)));
}

/// The file of one of these names that lies highest; nothing where there is none.
std::optional<std::string> highest(const BookFiles& files, std::initializer_list<std::string_view> names) {
  std::optional<std::string> found;
  const auto depth = [](const std::string& file) { return std::count(file.begin(), file.end(), '/'); };
  for (const auto& file : files.names()) {
    if (std::find(names.begin(), names.end(), last_part(file)) == names.end()) continue;
    if (!found || depth(file) < depth(*found)) found = file;
  }
  return found;
}

std::string folder_around(const std::string& file) {
  return file.substr(0, file.rfind('/') == std::string::npos ? 0 : file.rfind('/') + 1);
}

/// The links of nested lists; headings between them name the parts of the book.
/// \param last  text of the last link or heading, which a list below it belongs to
void read_lists(const xmlNode* node, std::vector<std::string> parts, int depth, std::string& last,
                Navigation& navigation) {
  for (const auto* child = node->children; child != nullptr && depth < kMaxDepth; child = child->next) {
    const auto name = element_name(child);
    if (name == "a") {
      last = text_below(child);
      const auto href = attribute(child, "href");
      const auto file = href.empty() ? std::nullopt : path_within(navigation.file, href);
      if (file && navigation.entries.size() < kMaxEntries) navigation.entries.push_back({*file, last, parts});
    } else if (name == "h1" || name == "h2") {
      auto heading = text_below(child);
      if (lower_case(heading) == "summary" || lower_case(heading) == "table of contents") heading.clear();
      parts = with_part({}, heading);
      last.clear();
    } else if (name == "ul" || name == "ol") {
      std::string below;
      read_lists(child, depth == 0 ? parts : with_part(parts, last), depth + 1, below, navigation);
    } else if (name == "li") {
      std::string item;
      read_lists(child, parts, depth + 1, item, navigation);
    } else if (!name.empty()) {
      read_lists(child, parts, depth + 1, last, navigation);
    }
  }
}

bool names_a_page(const BookFiles& files, const Navigation& navigation) {
  return std::any_of(navigation.entries.begin(), navigation.entries.end(),
                     [&](const auto& entry) { return files.contains(entry.file); });
}

/// Reads `nav` of MkDocs. Aliases of YAML can make a small file a huge tree, so that the visits of nodes are bounded.
class NavReader {
 public:
  explicit NavReader(Navigation& navigation) : navigation_(navigation) {}

  void read(const YAML::Node& node, const std::string& label, const std::vector<std::string>& parts, int depth) {
    if (depth > kMaxParts || ++visits_ > kMaxEntries) return;
    if (node.IsScalar()) {
      if (const auto file = path_within(navigation_.root, node.Scalar())) {
        navigation_.entries.push_back({*file, repair_utf8(label), parts});
      }
    } else if (node.IsSequence()) {
      for (const auto& entry : node) read(entry, "", with_part(parts, repair_utf8(label)), depth + 1);
    } else if (node.IsMap()) {
      for (const auto& entry : node) {
        if (entry.first.IsScalar()) read(entry.second, entry.first.Scalar(), parts, depth + 1);
      }
    }
  }

 private:
  Navigation& navigation_;
  std::size_t visits_ = 0;
};

}  // namespace

std::optional<Navigation> read_summary(const BookFiles& files, std::vector<std::string>& /*warnings*/) {
  const auto file = highest(files, {"summary.md"});
  const auto bytes = file ? files.read(*file) : std::nullopt;
  if (!bytes || bytes->size() > kMaxBytes) return std::nullopt;
  Navigation navigation;
  navigation.file = *file;
  navigation.root = folder_around(*file);
  navigation.names_all_pages = true;
  const auto tree = parse_html(markup::render_markdown(*bytes, false).html);
  const auto* main = tree ? find_element(xmlDocGetRootElement(tree.get()), "main") : nullptr;
  if (main == nullptr) return std::nullopt;
  std::string last;
  read_lists(main, {}, 0, last, navigation);
  return names_a_page(files, navigation) ? std::optional(std::move(navigation)) : std::nullopt;
}

std::optional<Navigation> read_mkdocs(const BookFiles& files, std::vector<std::string>& warnings) {
  const auto file = highest(files, {"mkdocs.yml", "mkdocs.yaml"});
  const auto bytes = file ? files.read(*file) : std::nullopt;
  if (!bytes || bytes->size() > kMaxBytes) return std::nullopt;
  Navigation navigation;
  navigation.file = *file;
  try {
    const auto config = YAML::Load(*bytes);
    if (!config.IsMap()) return std::nullopt;
    const auto folder = config["docs_dir"];
    const auto name = folder && folder.IsScalar() ? folder.Scalar() : std::string("docs");
    const auto root = path_within(*file, name);
    if (!root) return std::nullopt;
    navigation.root = root->empty() ? "" : *root + "/";
    if (config["site_name"] && config["site_name"].IsScalar())
      navigation.title = repair_utf8(config["site_name"].Scalar());
    if (config["nav"] && config["nav"].IsSequence()) NavReader(navigation).read(config["nav"], "", {}, 0);
  } catch (const YAML::Exception& error) {
    warnings.push_back(fmt::format("the table of contents {} cannot be read: {}", *file, repair_utf8(error.what())));
    return std::nullopt;
  }
  return names_a_page(files, navigation) ? std::optional(std::move(navigation)) : std::nullopt;
}

bool is_index(std::string_view file) {
  const auto stem = std::filesystem::path(last_part(file)).stem().string();
  return stem == "index" || stem == "readme" || stem == "_index" || (stem == "start" && file.ends_with(".txt"));
}

bool is_licence_file(std::string_view file) {
  const auto name = last_part(file);
  for (const std::string_view word : {"license", "licence", "copying"}) {
    if (!name.starts_with(word)) continue;
    const auto rest = name.substr(word.size());
    // "license-keys.md" is a page about keys.
    return rest.empty() || rest == ".md" || rest == ".txt" || (rest.starts_with('-') && rest.find('.') == rest.npos);
  }
  return false;
}

bool is_beside_pages(std::string_view file) {
  while (!file.empty()) {
    const auto slash = file.find('/');
    const auto part = file.substr(0, slash);
    if (part.starts_with('.') || part == "_sources" || part == "_downloads" || part == "node_modules" ||
        part == "__MACOSX") {
      return true;
    }
    file = slash == std::string_view::npos ? std::string_view() : file.substr(slash + 1);
  }
  return false;
}

}  // namespace touchstone::extractors::textbook
