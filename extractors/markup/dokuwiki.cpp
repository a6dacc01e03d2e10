#include "extractors/markup/dokuwiki.hpp"

#include "common/unicode.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace touchstone::extractors::markup {
namespace {

constexpr std::size_t kMaxListDepth = 32;
constexpr std::size_t kMaxInline = 4096;  // bytes of a link or another part of a line; bounds the time of a search
constexpr std::string_view kMedia = "media and lists that plugins show";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::size_t leading(std::string_view line, std::string_view characters) {
  return std::min(line.find_first_not_of(characters), line.size());
}

/// The folder of a path, with '/' at its end unless it is empty.
std::string_view folder_of(std::string_view path) {
  const auto slash = path.substr(0, path.size() - (path.ends_with('/') ? 1 : 0)).rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash + 1);
}

/// The address of a page that a link names, from the root of the wiki.
std::string address_of(std::string_view target, std::string_view name_space) {
  const auto mark = target.find('#');
  std::string id = lower_case(trimmed(target.substr(0, mark)));
  std::replace(id.begin(), id.end(), ' ', '_');
  std::replace(id.begin(), id.end(), ':', '/');
  std::string path;
  if (id.starts_with('/')) {
    path = id;
  } else if (id.starts_with("..")) {
    id.erase(0, id.starts_with("../") ? 3 : 2);
    path = fmt::format("/{}{}", folder_of(name_space), id);
  } else if (id.starts_with('.')) {
    id.erase(0, id.starts_with("./") ? 2 : 1);
    path = fmt::format("/{}{}", name_space, id);
  } else {
    path = id.find('/') == std::string::npos ? fmt::format("/{}{}", name_space, id) : "/" + id;
  }
  if (mark != std::string_view::npos) path += target.substr(mark);
  return path;
}

class Renderer {
 public:
  explicit Renderer(std::string_view name_space, RenderedPage& page) : name_space_(name_space), page_(page) {}

  void render(std::string_view text) {
    page_.html = "<html><body><main>\n";
    while (!text.empty()) take(text);
    end_blocks();
    page_.html += "</main></body></html>\n";
  }

 private:
  std::string& html() { return page_.html; }

  /// Takes a block of code or the next line.
  void take(std::string_view& text) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    const auto rest = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    for (const std::string_view name : {"code", "file", "html", "php", "HTML", "PHP"}) {
      if (take_verbatim(text, line, name)) return;
    }
    text = rest;
    if (line.ends_with('\r')) line.remove_suffix(1);
    add_line(line);
  }

  /// A block such as `<code c>...</code>` that begins in this line, with the text in front of it.
  bool take_verbatim(std::string_view& text, std::string_view line, std::string_view name) {
    const std::string open = fmt::format("<{}", name), close = fmt::format("</{}>", name);
    const auto at = line.find(open);
    if (at == std::string_view::npos || at + open.size() >= text.size() || unclosed_.contains(name)) return false;
    const char behind = text[at + open.size()];
    const auto body = text.find('>', at);
    if ((behind != '>' && behind != ' ') || body == std::string_view::npos) return false;
    const auto end = text.find(close, body);
    if (end == std::string_view::npos) return unclosed_.insert(name), false;
    if (at > 0) add_line(line.substr(0, at));
    end_blocks();
    if (name == "code" || name == "file") {
      auto code = text.substr(body + 1, end - body - 1);
      if (code.starts_with('\n')) code.remove_prefix(1);
      html() += "<pre>";
      append_escaped(html(), code);
      html() += "</pre>\n";
    } else {
      ++page_.left_out[kMedia];
    }
    text.remove_prefix(end + close.size());
    if (text.starts_with('\n')) text.remove_prefix(1);
    return true;
  }

  void add_line(std::string_view line) {
    const auto shown = trimmed(line);
    if (shown.empty()) return end_blocks();
    if (is_dokuwiki_heading(shown)) return heading(shown);
    if (shown.size() >= 4 && shown.find_first_not_of('-') == std::string_view::npos) return end_blocks();
    const auto indent = leading(line, " \t");
    const bool deep = indent >= 2 || line.starts_with('\t');
    if (deep && (shown[0] == '*' || shown[0] == '-')) return item(shown, line[0] == '\t' ? indent * 2 : indent);
    if (deep && lists_.empty()) return preformatted(line);
    if (shown[0] == '^' || shown[0] == '|') return row(shown);
    if (in_table_ || !lists_.empty() || in_pre_) end_blocks();
    if (!in_paragraph_) html() += "<p>";
    in_paragraph_ = true;
    inline_text(shown.substr(leading(shown, ">")), 0);
    html() += '\n';
  }

  void end_blocks() {
    if (in_paragraph_) html() += "</p>\n";
    if (in_table_) html() += "</table>\n";
    if (in_pre_) html() += "</pre>\n";
    in_paragraph_ = in_table_ = in_pre_ = false;
    while (!lists_.empty()) close_list();
  }

  void heading(std::string_view shown) {
    end_blocks();
    const auto signs = std::min<std::size_t>(leading(shown, "="), 6);
    const auto name = trimmed(shown.substr(leading(shown, "=")));
    const auto level = 7 - signs;
    html() += fmt::format("<h{}>", level);
    append_escaped(html(), trimmed(name.substr(0, name.find_last_not_of('=') + 1)));
    html() += fmt::format("</h{}>\n", level);
  }

  void preformatted(std::string_view line) {
    if (!in_pre_) {
      end_blocks();
      html() += "<pre>";
      in_pre_ = true;
    }
    append_escaped(html(), line.substr(2));
    html() += '\n';
  }

  struct List {
    std::size_t indent;
    char sign;
  };

  void close_list() {
    html() += lists_.back().sign == '*' ? "</li></ul>\n" : "</li></ol>\n";
    lists_.pop_back();
  }

  void item(std::string_view shown, std::size_t indent) {
    if (in_paragraph_ || in_table_ || in_pre_) end_blocks();
    while (!lists_.empty() &&
           (lists_.back().indent > indent || (lists_.back().indent == indent && lists_.back().sign != shown[0]))) {
      close_list();
    }
    if (lists_.empty() || (lists_.back().indent < indent && lists_.size() < kMaxListDepth)) {
      lists_.push_back({indent, shown[0]});
      html() += shown[0] == '*' ? "<ul><li>" : "<ol><li>";
    } else {
      html() += "</li>\n<li>";
    }
    inline_text(trimmed(shown.substr(1)), 0);
  }

  void row(std::string_view shown) {
    if (!in_table_) {
      end_blocks();
      html() += "<table>\n";
      in_table_ = true;
    }
    html() += "<tr>";
    for (std::size_t at = 0; at + 1 < shown.size();) {
      const bool header = shown[at] == '^';
      const auto end = end_of_cell(shown, at + 1);
      const auto cell = shown.substr(at + 1, end - at - 1);
      // Signs without anything between them make the cell in front of them wider.
      std::size_t columns = 1;
      at = end;
      while (at + 1 < shown.size() && (shown[at + 1] == '|' || shown[at + 1] == '^')) {
        ++columns;
        ++at;
      }
      const auto text = trimmed(cell);
      const char* name = header ? "th" : "td";
      html() += columns > 1 ? fmt::format("<{} colspan=\"{}\">", name, columns) : fmt::format("<{}>", name);
      if (text != ":::") inline_text(text, 0);
      html() += fmt::format("</{}>", name);
    }
    html() += "</tr>\n";
  }

  /// Where a cell ends: signs inside links and media are no borders.
  static std::size_t end_of_cell(std::string_view row, std::size_t at) {
    while (at < row.size() && row[at] != '|' && row[at] != '^') {
      const auto rest = row.substr(at, kMaxInline);
      const std::string_view close = rest.starts_with("[[")   ? "]]"
                                     : rest.starts_with("{{") ? "}}"
                                     : rest.starts_with("%%") ? "%%"
                                                              : "";
      const auto end = close.empty() ? std::string_view::npos : rest.find(close, 2);
      at += end == std::string_view::npos ? 1 : end + 2;
    }
    return at;
  }

  /// Text with links, media and the signs of emphasis.
  void inline_text(std::string_view text, int depth) {
    while (!text.empty()) {
      const auto plain = std::min(text.find_first_of("[{(%<*/_'\\~"), text.size());
      append_escaped(html(), text.substr(0, plain));
      text.remove_prefix(plain);
      if (text.empty()) return;
      const auto taken = depth < 2 ? special(text, depth) : 0;
      if (taken == 0) append_escaped(html(), text.substr(0, 1));
      text.remove_prefix(std::max<std::size_t>(taken, 1));
    }
  }

  /// Writes what begins with a sign. Returns its size; 0 if the sign is text.
  std::size_t special(std::string_view text, int depth) {
    const auto inner = [&](std::string_view open, std::string_view close) -> std::optional<std::string_view> {
      if (!text.starts_with(open)) return std::nullopt;
      const auto end = text.substr(0, kMaxInline).find(close, open.size());
      if (end == std::string_view::npos) return std::nullopt;
      return text.substr(open.size(), end - open.size());
    };
    if (const auto found = inner("[[", "]]")) return link(*found, depth), found->size() + 4;
    if (const auto found = inner("{{", "}}")) return media(*found), found->size() + 4;
    if (const auto found = inner("((", "))")) return ++page_.left_out["footnotes"], found->size() + 4;
    if (const auto found = inner("%%", "%%")) return append_escaped(html(), *found), found->size() + 4;
    if (const auto found = inner("<nowiki>", "</nowiki>")) return append_escaped(html(), *found), found->size() + 17;
    if (const auto found = inner("~~", "~~"); found && found->find(' ') == std::string_view::npos)
      return found->size() + 4;
    if (text.starts_with("\\\\") && (text.size() == 2 || text[2] == ' ')) return html() += "<br/>", 2;
    if (text.starts_with("//")) return is_address() ? address(text) : 2;
    for (const std::string_view sign : {"**", "__", "''"}) {
      if (text.starts_with(sign)) return 2;
    }
    if (text[0] == '<') return tag(text);
    return 0;
  }

  /// Whether two slashes here belong to an address such as `https://`.
  bool is_address() { return html().ends_with(':'); }

  /// Writes the rest of an address, in which signs of emphasis are letters. Returns its size.
  std::size_t address(std::string_view text) {
    const auto size = std::min(text.find_first_of(" \t)]|<"), text.size());
    append_escaped(html(), text.substr(0, size));
    return size;
  }

  /// A tag of a plugin or of markup is not shown. Returns its size; 0 for other text.
  static std::size_t tag(std::string_view text) {
    const std::size_t name = text.starts_with("</") ? 2 : 1;
    if (text.size() <= name || std::isalpha(static_cast<unsigned char>(text[name])) == 0) return 0;
    const auto end = text.substr(0, kMaxInline).find('>');
    return end == std::string_view::npos || text.substr(1, end - 1).find('<') != std::string_view::npos ? 0 : end + 1;
  }

  void link(std::string_view content, int depth) {
    const auto bar = content.find('|');
    const auto target = trimmed(content.substr(0, bar));
    const auto shown = bar == std::string_view::npos ? std::string_view() : trimmed(content.substr(bar + 1));
    const bool outer = target.find("://") != std::string_view::npos || target.find('>') != std::string_view::npos ||
                       target.find('@') != std::string_view::npos || target.starts_with("\\\\");
    if (!outer) {
      html() += "<a href=\"";
      append_escaped(html(), target.starts_with('#') ? std::string(target) : address_of(target, name_space_));
      html() += "\">";
    }
    if (!shown.empty()) {
      inline_text(shown, depth + 1);
    } else {
      const auto name = target.substr(0, outer ? target.size() : target.find('#'));
      const auto colon = outer ? target.rfind('>') : name.rfind(':');
      append_escaped(html(), colon == std::string_view::npos ? name : name.substr(colon + 1));
    }
    if (!outer) html() += "</a>";
  }

  void media(std::string_view content) {
    const auto bar = content.find('|');
    const auto file = trimmed(content.substr(0, bar));
    const auto caption = bar == std::string_view::npos ? std::string_view() : trimmed(content.substr(bar + 1));
    if (file.find('>') != std::string_view::npos) {
      ++page_.left_out[kMedia];
      return;
    }
    const auto path = lower_case(repair_utf8(file.substr(0, file.find_first_of("?#"))));
    const bool picture = std::any_of(kPictures.begin(), kPictures.end(), [&](auto end) { return path.ends_with(end); });
    if (picture) {
      html() += "<img src=\"";
      auto name = std::string(file);
      std::replace(name.begin(), name.end(), ':', '/');
      append_escaped(html(), name);
      html() += "\" alt=\"";
      append_escaped(html(), caption);
      html() += "\"/>";
    } else {
      append_escaped(html(), caption.empty() ? file.substr(file.rfind(':') + 1) : caption);
    }
  }

  static constexpr std::array<std::string_view, 6> kPictures = {".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"};

  std::string_view name_space_;
  RenderedPage& page_;
  std::vector<List> lists_;
  std::set<std::string_view> unclosed_;  ///< names of blocks without an end in the rest of the page
  bool in_paragraph_ = false, in_table_ = false, in_pre_ = false;
};

}  // namespace

bool is_dokuwiki_heading(std::string_view line) noexcept {
  const auto shown = trimmed(line);
  return shown.size() > 4 && shown.starts_with("==") && shown.ends_with("==") &&
         shown.find_first_not_of('=') != std::string_view::npos;
}

RenderedPage render_dokuwiki(std::string_view text, std::string_view name_space) {
  RenderedPage page;
  Renderer(name_space, page).render(text);
  return page;
}

}  // namespace touchstone::extractors::markup
