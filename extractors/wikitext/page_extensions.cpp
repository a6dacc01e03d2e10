// What extension tags in a page's text add to it: footnotes, galleries, poems, image maps.
#include "extractors/scan/entities.hpp"
#include "extractors/scan/text_scan.hpp"
#include "extractors/scan/url_scan.hpp"
#include "extractors/wikitext/page_parser.hpp"
#include "extractors/wikitext/tokens/html_tags.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace touchstone::extractors::wikitext::internal {
using namespace blocks;
using namespace preprocessor;
using namespace scan;
using namespace tokens;
namespace {

/// The text of a poem as MediaWiki changes it: lines stay lines, and indentation is shown.
std::string poem_source(std::string_view content) {
  if (!content.empty() && content.front() == '\n') content.remove_prefix(1);
  if (!content.empty() && content.back() == '\n') content.remove_suffix(1);
  std::string out;
  while (true) {
    const std::size_t end = content.find('\n');
    std::string_view line = content.substr(0, end);
    const std::size_t colons = std::min(line.find_first_not_of(':'), line.size());
    if (colons > 0 && colons < line.size()) {
      out.append("<span>").append(line.substr(colons)).append("</span>");
    } else {
      for (; !line.empty() && line.front() == ' '; line.remove_prefix(1)) out.append("&#160;");
      out.append(line);
    }
    if (end == std::string_view::npos) return out;
    out.append(line == "----" ? "\n" : "<br>\n");
    content.remove_prefix(end + 1);
  }
}

/// The text of tabs as paragraphs: the name of each tab, then what it holds. Tabs begin with `|-|`, behind which the
/// name ends with '='.
std::string tabber_source(std::string_view content) {
  constexpr std::string_view kTab = "|-|";
  std::string out;
  while (true) {
    const std::size_t next = content.find(kTab);
    const std::string_view tab = content.substr(0, next);
    const std::size_t equals = tab.find('=');
    const std::size_t mark = tab.find_first_of("[{<|");
    if (equals < mark) {
      out.append(trim(tab.substr(0, equals))).append("\n\n").append(trim(tab.substr(equals + 1)));
    } else {
      out.append(trim(tab));
    }
    if (next == std::string_view::npos) return out;
    out.append("\n\n");
    content.remove_prefix(next + kTab.size());
  }
}

/// True when the content holds the start of another footnote that ends outside: what is read then is not a footnote.
bool opens_footnote(std::string_view content) {
  constexpr int kMaxMisses = 32;  // searches for an end that is not there
  int misses = 0;
  std::size_t greater = 0;  // the next '>'
  const auto is_letter = [](char c) { return is_alphanumeric(c) || c == '_'; };
  for (std::size_t at = content.find('<'); at != std::string_view::npos; at = content.find('<', at)) {
    std::size_t name_end = at + 1;
    while (name_end < content.size() && is_letter(content[name_end])) ++name_end;
    const std::string_view name = content.substr(at + 1, name_end - at - 1);
    if (greater < name_end) greater = content.find('>', name_end);
    if (greater == std::string_view::npos) return false;
    if (name.empty()) {
      ++at;
      continue;
    }
    const std::size_t close =
        misses < kMaxMisses ? content.find("</" + std::string(name) + ">", greater) : std::string_view::npos;
    if (close != std::string_view::npos) {
      at = close + name.size() + 3;
      continue;
    }
    if (name.size() == 3 && starts_with_ignoring_case(name, "ref")) return true;
    ++misses;
    at = name_end;
  }
  return false;
}

/// Reads a `<ref>` tag. Returns false for footnotes that the wiki replaces by an error message: those with an unknown
/// attribute, with a number as name, or with broken markup. Source: mediawiki.org Extension:Cite, and MediaWiki 1.39
/// (read 2025-01).
bool read_footnote_tag(const Extension& extension, Footnote& footnote) {
  constexpr std::array<std::string_view, 4> kKnown = {"name", "group", "follow", "dir"};
  footnote.content = extension.content;
  if (!extension.attributes.empty()) {
    std::array<std::string_view, kKnown.size()> values;
    if (!read_attributes(extension.attributes, kKnown, values)) return false;
    footnote.name = trim(values[0]);
    footnote.group = trim(values[1]);
    if (all_digits(footnote.name)) return false;
  }
  return extension.content.find('<') == std::string_view::npos ||
         extension.content.find("<ref") == std::string_view::npos || !opens_footnote(extension.content);
}

/// True for footnotes that may contain headings or tables. These are part of the page even in a footnote.
bool may_have_parts(std::string_view content) {
  const auto holds = [&](char first, std::initializer_list<std::string_view> behind) {
    for (std::size_t at = content.find(first); at != std::string_view::npos; at = content.find(first, at + 1)) {
      const std::string_view rest = content.substr(at + 1);
      if (std::any_of(behind.begin(), behind.end(), [&](std::string_view one) { return starts_with(rest, one); }))
        return true;
    }
    return false;
  };
  return holds('\n', {"=", "{|"}) || holds('<', {"h", "table"});
}

}  // namespace

/// Shows wikitext in a block of its own. \param as_source  turns it into what is read
void PageParser::show_block(std::string_view content, std::string (*as_source)(std::string_view)) {
  if (links_only_) {
    collect_links(content);
    return;
  }
  builder_.open(Tag::kDiv, {});
  show(kept_.emplace_back(as_source(content)));
  builder_.close(Tag::kDiv);
}

void PageParser::on_extension(const Extension& extension) {
  const ExtensionKind kind = extension.kind;
  if (kind == ExtensionKind::kReferences) return list_footnotes(extension);
  if (kind == ExtensionKind::kIndicator) return collect_links(extension.content);
  if (kind == ExtensionKind::kGallery) return read_gallery(extension);
  if (kind == ExtensionKind::kImagemap) return read_imagemap(extension.content);
  if (kind == ExtensionKind::kPoem) return show_block(extension.content, poem_source);
  if (kind == ExtensionKind::kTabber) return show_block(extension.content, tabber_source);
  if (Footnote footnote; kind == ExtensionKind::kRef && read_footnote_tag(extension, footnote)) {
    if (!in_list_ && !footnote.name.empty()) used_names_.insert(footnote.name);
    if (!extension.content.empty() || extension.attributes.find("[[") != std::string_view::npos)
      footnotes_.push_back(footnote);
  }
}

/// Shows the caption of a gallery, or the text behind the file name in one of its lines.
void PageParser::show_caption(std::string_view source, CaptionKind kind) {
  if (links_only_) {
    collect_links(source);
    return;
  }
  builder_.open(Tag::kFigure, {});
  show(source, kind);
  builder_.close(Tag::kFigure);
}

/// An image that is not written as a link begins; the text up to `end_image` is its caption.
void PageParser::begin_image(const std::string& file) {
  builder_.begin_image(context_.add_image(file));
}

void PageParser::read_gallery(const Extension& extension) {
  const auto tag = [&](bool opens, Tag element) {
    if (!links_only_) opens ? builder_.open(element, {}) : builder_.close(element);
  };
  tag(true, Tag::kUl);
  const std::string_view heading = attribute_value(extension.attributes, "caption");
  if (!heading.empty()) {
    tag(true, Tag::kLi);
    show_caption(heading, CaptionKind::kGalleryHeading);
    tag(false, Tag::kLi);
  }
  const bool shows_names = has_attribute(extension.attributes, "showfilename");
  for_each_part(extension.content, '\n', [&](std::string_view written) {
    const std::string_view line = trim(written);
    const std::size_t bar = line.find('|');
    if (bar == 0) return;
    const auto title =
        context_.site.parse_title(decode_references(decode_percent(line.substr(0, bar))), kNamespaceFile);
    if (!title || !title->interwiki.empty()) return;
    const std::string_view caption = bar == std::string_view::npos ? std::string_view() : trim(line.substr(bar + 1));
    tag(true, Tag::kLi);
    if (shows_names) {
      const std::string name = context_.site.prefixed(title->title);
      show_caption(kept_.emplace_back("[[:" + name + "|" + title->title.text + "]]"), CaptionKind::kText);
    }
    const bool is_image = title->title.ns == kNamespaceFile && !links_only_;
    if (is_image) begin_image(title->title.text);
    if (!caption.empty()) show_caption(caption, CaptionKind::kGalleryLine);
    if (is_image) builder_.end_image();
    tag(false, Tag::kLi);
  });
  tag(false, Tag::kUl);
}

/// Reads an image map: behind the image, each area is a line with a link, the rest of the line says where it is. Lines
/// with a '#' are comments.
void PageParser::read_imagemap(std::string_view content) {
  std::string& lines = kept_.emplace_back();
  bool has_image = links_only_;  // images of texts that are not shown are not looked for
  for_each_part(content, '\n', [&](std::string_view written) {
    const std::string_view line = trim(written);
    if (starts_with(line, "#")) return;
    lines.append(line).push_back('\n');
    if (has_image || line.empty()) return;
    has_image = true;
    const auto title = context_.site.parse_title(line.substr(0, line.find('|')), kNamespaceFile);
    if (!title || !title->interwiki.empty() || title->title.ns != kNamespaceFile) return;
    begin_image(title->title.text);
    builder_.end_image();
  });
  collect_links(lines);
}

/// Reads a list of footnotes. It shows the footnotes of its group in front of it, and those written in it.
void PageParser::list_footnotes(const Extension& extension) {
  const std::string_view group = trim(attribute_value(extension.attributes, "group"));
  if (!extension.content.empty()) {
    const std::size_t first = footnotes_.size();
    in_list_ = true;
    collect_links(extension.content);
    in_list_ = false;
    // They belong to the list's group, whatever they say. Without a name nothing can refer to them.
    for (std::size_t i = first; i < footnotes_.size(); ++i) footnotes_[i].in_list = true;
  }
  listed_groups_[group] = footnotes_.size();
}

void PageParser::read_footnote(std::size_t number) {
  const Footnote footnote = footnotes_[number];
  const std::string_view name = footnote.name;
  const std::string_view group = footnote.group;
  if (footnote.content.empty()) {
    // A name that was never given a text is shown in the message that says so.
    if (named_footnotes_.count({group, name}) == 0) collect_links(name);
    return;
  }
  // Of several footnotes with one name the first is shown.
  if (!name.empty() && !named_footnotes_.emplace(group, name).second) return;
  // Footnotes of the main group are always listed, at the end of the page if nowhere else; those of other groups only
  // where the page asks for it, which templates often do.
  const auto listed = listed_groups_.find(group);
  const bool in_list = footnote.in_list;
  if (in_list && name.empty()) return;
  // What only a list gives, and the page's own text does not refer to, is shown when a template does.
  const bool made = in_list ? used_names_.count(name) == 0
                            : !group.empty() && (listed == listed_groups_.end() || number >= listed->second);
  set_made(made);
  if (!made && may_have_parts(footnote.content)) {
    builder_.open(Tag::kReferences, {});
    // In the list it is between tags, on no line of its own.
    const std::size_t last = footnote.content.find_last_not_of('\n');
    show(kept_.emplace_back("<span>" + std::string(footnote.content.substr(0, last + 1)) + "</span>"));
    builder_.finish();  // it may have left a table open
  } else {
    collect_links(footnote.content);
  }
  set_made(false);
}

/// Reads footnotes and arguments of dropped templates; both may bring more of both.
void PageParser::collect_pending() {
  links_only_ = true;
  std::size_t footnote = 0;
  while (footnote < footnotes_.size() || hidden_done_ < expander_.hidden_texts().size()) {
    if (footnote < footnotes_.size()) {
      read_footnote(footnote++);
    } else {
      Scratch& scratch = enter();
      const Expander::HiddenText& hidden = expander_.hidden_texts()[hidden_done_++];
      scratch.expanded = hidden.text;  // a copy, since reading it may bring more of them
      set_made(hidden.made);
      collect_links_expanded(scratch);
      set_made(false);
      leave();
    }
  }
  links_only_ = false;
}

}  // namespace touchstone::extractors::wikitext::internal
