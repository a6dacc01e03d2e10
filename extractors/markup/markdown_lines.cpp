#include "extractors/markup/markdown_lines.hpp"

#include <algorithm>
#include <cctype>

namespace touchstone::extractors::markup::internal {
namespace {

constexpr std::string_view kShortcodes = "shortcodes and includes of the site's generator";
constexpr std::size_t kTabStop = 4;
constexpr std::size_t kMaxInline = 4096;  // bytes of a shortcode or of code within a line

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::size_t indent_of(std::string_view line) {
  std::size_t width = 0;
  for (const char c : line) {
    if (c == '\t') {
      width += kTabStop - width % kTabStop;
    } else if (c == ' ') {
      ++width;
    } else {
      break;
    }
  }
  return width;
}

/// The line without up to `width` columns of blanks.
std::string_view dedented(std::string_view line, std::size_t width) {
  std::size_t column = 0, at = 0;
  while (at < line.size() && column < width && (line[at] == ' ' || line[at] == '\t')) {
    column += line[at] == '\t' ? kTabStop - column % kTabStop : 1;
    ++at;
  }
  return line.substr(at);
}

class LineRewriter {
 public:
  LineRewriter(bool is_mdx, std::map<std::string_view, std::uint64_t>& left_out)
      : is_mdx_(is_mdx), left_out_(left_out) {}

  std::string rewrite(std::string_view text) {
    out_.reserve(text.size());
    while (!text.empty()) {
      const auto end = text.find('\n');
      line(text.substr(0, end));
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return std::move(out_);
  }

 private:
  void write(std::string_view text) {
    out_ += text;
    out_ += '\n';
  }

  void line(std::string_view written) {
    if (written.ends_with('\r')) written.remove_suffix(1);
    const auto shown = trimmed(written);
    while (inset_ > 0 && !shown.empty() && indent_of(written) < inset_) inset_ -= kTabStop;
    written = dedented(written, inset_);
    if (!fence_.empty()) return fenced(written, shown);
    if (shown.starts_with("```") || shown.starts_with("~~~")) return open_fence(written, shown);
    if (indent_of(written) >= kTabStop && !is_block_with_inset(shown)) return write(without_shortcodes(written));
    if (is_left_out(shown)) return write("");
    if (is_block_with_inset(shown)) return open_inset(shown);
    if (shown.starts_with(":::"))
      return admonition(shown.substr(
          shown.find_first_not_of(':') == std::string_view::npos ? shown.size() : shown.find_first_not_of(':')));
    if (shown.starts_with('#')) written = without_attributes(written);
    write(without_shortcodes(written));
  }

  void open_fence(std::string_view written, std::string_view shown) {
    const auto size = shown.find_first_not_of(shown.front());
    fence_ = shown.substr(0, size);
    const auto language = size == std::string_view::npos ? std::string_view() : trimmed(shown.substr(size));
    in_rust_ = language.substr(0, language.find_first_of(", {")) == "rust";
    write(written);
  }

  void fenced(std::string_view written, std::string_view shown) {
    if (shown.size() >= fence_.size() && shown.find_first_not_of(fence_.front()) == std::string_view::npos) {
      fence_.clear();
      return write(written);
    }
    if (shown.starts_with("{{#") && shown.ends_with("}}")) return count(kShortcodes);
    // mdBook hides these lines of an example.
    if (in_rust_ && (shown == "#" || shown.starts_with("# "))) return;
    write(written);
  }

  void count(std::string_view what) { ++left_out_[what]; }

  bool is_left_out(std::string_view shown) {
    if (shown == "[TOC]" || shown == "[[_TOC_]]" || shown == "{:toc}" || shown == "<!-- toc -->") return true;
    if (shown.starts_with("{:") && shown.ends_with('}')) return true;  // attributes of kramdown
    const bool code = is_mdx_ && (shown.starts_with("import ") || shown.starts_with("export "));
    if (code) count("imports and exports of MDX");
    return code;
  }

  /// Admonitions and tabs of MkDocs: what belongs to them is indented.
  static bool is_block_with_inset(std::string_view shown) {
    return shown.starts_with("!!! ") || shown.starts_with("??? ") || shown.starts_with("???+ ") ||
           shown.starts_with("=== \"");
  }

  void open_inset(std::string_view shown) {
    const auto quote = shown.find('"');
    const auto end = shown.rfind('"');
    write("");
    if (quote != std::string_view::npos && end > quote + 1) {
      out_ += "**";
      out_ += shown.substr(quote + 1, end - quote - 1);
      out_ += "**\n\n";
    }
    inset_ += kTabStop;
  }

  /// `note Title`, `note[Title]`, or nothing at its end.
  void admonition(std::string_view rest) {
    write("");
    rest = trimmed(rest);
    const auto name_end = rest.find_first_of(" [{");
    auto title = name_end == std::string_view::npos ? std::string_view() : trimmed(rest.substr(name_end));
    if (title.starts_with('[')) title = title.substr(1, title.find(']') - 1);
    if (title.empty() || title.starts_with('{')) return;
    out_ += "**";
    out_ += title;
    out_ += "**\n\n";
  }

  /// A heading without `{#id}`, `{: #id .class}` and the `{/* #id */}` of Docusaurus at its end; its id becomes one of
  /// HTML.
  std::string_view without_attributes(std::string_view written) {
    const auto end = trimmed(written);
    const auto open = end.rfind('{');
    if (!end.ends_with('}') || open == std::string_view::npos || open + 1 >= end.size()) return written;
    const char first = end[open + 1];
    const bool is_comment = end.substr(open).starts_with("{/*") && end.ends_with("*/}");
    if (first != '#' && first != ':' && first != '.' && !is_comment) return written;
    const auto heading = trimmed(end.substr(0, open));
    const auto id_at = end.find('#', open);
    if (id_at == std::string_view::npos) return heading;
    const auto id = end.substr(id_at + 1, end.find_first_of(" }", id_at) - id_at - 1);
    if (id.empty() || id.find_first_of("\"&<>") != std::string_view::npos) return heading;
    heading_ = heading;
    heading_.append("<a id=\"").append(id).append("\"></a>");
    return heading_;
  }

  /// The line without `{{...}}` and `{%...%}` outside code.
  std::string_view without_shortcodes(std::string_view written) {
    if (written.find("{{") == std::string_view::npos && written.find("{%") == std::string_view::npos) return written;
    kept_.clear();
    for (std::size_t at = 0; at < written.size();) {
      const auto rest = written.substr(at, kMaxInline);
      if (written[at] == '`') {
        const auto ticks = std::min(rest.find_first_not_of('`'), rest.size());
        const auto close = rest.find(rest.substr(0, ticks), ticks);
        const auto size = close == std::string_view::npos ? ticks : close + ticks;
        kept_ += rest.substr(0, size);
        at += size;
        continue;
      }
      const auto close = rest.starts_with("{{") ? "}}" : rest.starts_with("{%") ? "%}" : "";
      const auto end = *close != '\0' ? rest.find(close, 2) : std::string_view::npos;
      if (end == std::string_view::npos) {
        kept_ += written[at++];
      } else {
        count(kShortcodes);
        at += end + 2;
      }
    }
    return kept_;
  }

  bool is_mdx_;
  std::map<std::string_view, std::uint64_t>& left_out_;
  std::string out_, kept_, heading_, fence_;  // fence_: of the running block of code; empty outside
  std::size_t inset_ = 0;                     // columns that belong to the running admonitions
  bool in_rust_ = false;
};

}  // namespace

std::string prepare_lines(std::string_view text, bool is_mdx, std::map<std::string_view, std::uint64_t>& left_out) {
  return LineRewriter(is_mdx, left_out).rewrite(text);
}

}  // namespace touchstone::extractors::markup::internal
