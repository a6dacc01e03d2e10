#include "extractors/internal/parser_functions.hpp"

#include "common/unicode.hpp"
#include "extractors/internal/entities.hpp"
#include "extractors/internal/expression.hpp"
#include "extractors/internal/moment.hpp"
#include "extractors/internal/page_words.hpp"
#include "extractors/internal/percent.hpp"
#include "extractors/internal/text_scan.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <unordered_map>

namespace touchstone::extractors::internal {
namespace {

constexpr std::size_t kMaxPadding = 500;

/// A call with its arguments, expanded when asked for. Number 0 stands behind the colon.
class Function {
 public:
  Function(Expander& expander, const MarkupTree& tree, const Call& call, std::string_view first, const Frame* frame)
      : expander_(expander), tree_(tree), call_(call), first_(first), frame_(frame) {}

  Expander& expander() const noexcept { return expander_; }
  PageContext& context() const noexcept { return expander_.context(); }
  const Frame* frame() const noexcept { return frame_; }
  std::size_t count() const noexcept { return call_.part_count + 1; }

  /// Trimmed text of an argument that is looked at; "" when it is absent.
  std::string text(std::size_t number) const {
    if (number == 0) return std::string(first_);
    if (number >= count()) return {};
    const CallPart& part = this->part(number);
    std::string out = part.named ? expander_.expand_name(tree_, part.name, frame_) + "=" : std::string();
    out += expander_.expand_name(tree_, part.value, frame_);
    return std::string(trim(out));
  }

  /// Appends an argument that is shown, trimmed.
  void show(std::size_t number, ExpandedText& out) const {
    if (number == 0) {
      out.text.append(first_);
    } else if (number < count()) {
      const CallPart& part = this->part(number);
      ExpandedText value;
      if (part.named) {
        expander_.expand_list(tree_, part.name, frame_, value);
        value.text.push_back('=');
      }
      expander_.expand_list(tree_, part.value, frame_, value);
      append_trimmed(value, out);
    }
  }

  const CallPart& part(std::size_t number) const { return tree_.parts[call_.first_part + number - 1]; }
  std::string name(std::size_t number) const {
    return std::string(trim(expander_.expand_name(tree_, part(number).name, frame_)));
  }
  void show_value(std::size_t number, ExpandedText& out) const {
    ExpandedText value;
    expander_.expand_list(tree_, part(number).value, frame_, value);
    append_trimmed(value, out);
  }
  std::string value_text(std::size_t number) const {
    return std::string(trim(expander_.expand_name(tree_, part(number).value, frame_)));
  }

 private:
  Expander& expander_;
  const MarkupTree& tree_;
  const Call& call_;
  std::string_view first_;
  const Frame* frame_;
};

using Handler = void (*)(const Function&, ExpandedText&);

std::optional<double> as_number(std::string_view text) {
  const std::string copy(trim(text));
  if (copy.empty()) return std::nullopt;
  if (copy.find_first_not_of("0123456789.+-eE") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size()) return std::nullopt;
  return value;
}

/// Numbers are equal by value, texts by letters.
bool same_value(const std::string& a, const std::string& b) {
  const auto x = as_number(a);
  const auto y = as_number(b);
  return x && y ? *x == *y : a == b;
}

void do_if(const Function& f, ExpandedText& out) {
  f.show(f.text(0).empty() ? 2 : 1, out);
}

void do_ifeq(const Function& f, ExpandedText& out) {
  f.show(same_value(decode_references(f.text(0)), decode_references(f.text(1))) ? 2 : 3, out);
}

constexpr std::string_view kErrorOpen = "<strong class=\"error\">";

void do_iferror(const Function& f, ExpandedText& out) {
  const std::string tested = f.text(0);
  const bool error = tested.find("class=\"error\"") != std::string::npos;
  if (error) {
    f.show(1, out);
  } else {
    f.show(f.count() > 2 ? 2 : 0, out);
  }
}

void do_expr(const Function& f, ExpandedText& out) {
  bool empty = false;
  const auto value = evaluate(f.text(0), empty);
  if (value) {
    out.text.append(format_number(*value));
  } else if (!empty) {
    out.text.append(kErrorOpen).append("Expression error</strong>");
  }
}

void do_ifexpr(const Function& f, ExpandedText& out) {
  bool empty = false;
  const auto value = evaluate(f.text(0), empty);
  if (!value && !empty) {
    out.text.append(kErrorOpen).append("Expression error</strong>");
    return;
  }
  f.show(value && *value != 0 ? 1 : 2, out);
}

void do_ifexist(const Function& f, ExpandedText& out) {
  const auto title = f.context().site.parse_title(decode_references(f.text(0)));
  const bool exists = title && title->interwiki.empty() && f.context().options.loader != nullptr &&
                      f.context().options.loader->exists(title->title);
  f.show(exists ? 1 : 2, out);
}

void do_switch(const Function& f, ExpandedText& out) {
  const std::string value = decode_references(f.text(0));
  std::size_t fallback = 0;
  bool found = false;
  bool default_next = false;
  for (std::size_t i = 1; i < f.count(); ++i) {
    if (f.part(i).named) {
      const std::string name = decode_references(f.name(i));
      if (found || same_value(name, value)) {
        f.show_value(i, out);
        return;
      }
      if (default_next || name == "#default") {
        fallback = i;
        default_next = false;
      }
      continue;
    }
    const std::string name = decode_references(f.value_text(i));
    if (i + 1 == f.count()) {  // the last one without a name is the default
      f.show_value(i, out);
      return;
    }
    found = found || same_value(name, value);
    default_next = default_next || name == "#default";
  }
  if (fallback != 0) f.show_value(fallback, out);
}

void do_titleparts(const Function& f, ExpandedText& out) {
  const auto title = f.context().site.parse_title(decode_references(f.text(0)));
  if (!title) {
    f.show(0, out);
    return;
  }
  const std::string whole = f.context().site.prefixed(title->title);
  std::vector<std::string> bits;
  std::size_t begin = 0;
  constexpr std::size_t kMaxBits = 25;
  while (bits.size() + 1 < kMaxBits) {
    const std::size_t slash = whole.find('/', begin);
    if (slash == std::string::npos) break;
    bits.push_back(whole.substr(begin, slash - begin));
    begin = slash + 1;
  }
  bits.push_back(whole.substr(begin));
  const auto size = static_cast<long>(bits.size());
  const long parts = std::strtol(f.text(1).c_str(), nullptr, 10);
  long offset = std::strtol(f.text(2).c_str(), nullptr, 10);
  if (offset > 0) --offset;
  long from = offset < 0 ? std::max(0L, size + offset) : std::min(offset, size);
  long to = parts == 0 ? size : parts > 0 ? std::min(size, from + parts) : size + parts;
  for (long i = from; i < to; ++i) {
    if (i > from) out.text.push_back('/');
    out.text.append(bits[static_cast<std::size_t>(i)]);
  }
}

void do_tag(const Function& f, ExpandedText& out) {
  Extension extension;
  extension.kind = find_extension(f.text(0)).kind;
  std::string attributes;
  for (std::size_t i = 2; i < f.count(); ++i) {
    if (!f.part(i).named) continue;
    std::string value = f.value_text(i);
    if (value.size() > 1 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
      value = value.substr(1, value.size() - 2);
    attributes += " " + f.name(i) + "=\"" + value + "\"";
  }
  ExpandedText content;
  f.show(1, content);
  if (extension.kind == ExtensionKind::kNone) {
    const std::string name = f.text(0);
    out.text.append("<").append(name).append(attributes).append(">");
    append_trimmed(content, out);
    out.text.append("</").append(name).append(">");
    return;
  }
  extension.attributes = f.expander().keep(std::move(attributes));
  extension.content = f.expander().keep(std::move(content.text));
  f.expander().add_extension(extension, out);
}

void do_nothing(const Function&, ExpandedText&) {}

/// {{#time: format | moment | language}}; without a moment, or with one that is relative, counted from the dump's date.
void do_time(const Function& f, ExpandedText& out) {
  const auto& now = f.context().options.now;
  const std::string asked = f.text(1);
  const auto moment = read_moment(asked.empty() ? "now" : asked, now);
  if (moment) {
    const std::string language = f.text(2);
    out.text.append(format_moment(*moment, f.text(0), language.empty() ? f.context().site.language : language));
  } else if (now || !asked.empty()) {
    // Where only the date of the dump is missing nothing is wrong with the page.
    constexpr std::int64_t kAnyMoment = 0;
    if (!now && read_moment(asked, kAnyMoment)) return;
    out.text.append(kErrorOpen).append("Error: Invalid time.</strong>");
  }
}

/// Modules are not run: their template is dropped, and the links in its arguments count.
void do_invoke(const Function& f, ExpandedText&) {
  ++f.context().counters.templates_dropped;
  if (f.frame() != nullptr && f.frame()->arguments != nullptr) f.expander().hide_arguments(*f.frame()->arguments);
}

/// Markers of extension tags are no text.
template <class Change>
void change_outside_markers(const std::string& text, ExpandedText& out, Change&& change) {
  std::string_view rest = text;
  while (true) {
    const std::size_t marker = rest.find(kMarkerByte);
    out.text.append(change(rest.substr(0, marker)));
    if (marker == std::string_view::npos) return;
    out.text.append(rest.substr(marker, kMarkerSize));
    rest.remove_prefix(std::min(rest.size(), marker + kMarkerSize));
  }
}

std::string without_markers(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == kMarkerByte) {
      i += kMarkerSize - 1;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

/// `[[a|b]]` -> "b".
std::string without_links(std::string text) {
  std::string out;
  std::size_t begin = 0;
  while (true) {
    const std::size_t open = text.find("[[", begin);
    const std::size_t close = open == std::string::npos ? open : text.find("]]", open);
    if (close == std::string::npos) return out.append(text, begin);
    out.append(text, begin, open - begin);
    const std::size_t bar = text.find('|', open);
    const std::size_t from = bar < close ? bar + 1 : open + 2;
    out.append(text, from, close - from);
    begin = close + 2;
  }
}

void do_lc(const Function& f, ExpandedText& out) {
  change_outside_markers(f.text(0), out, lower_case);
}
void do_uc(const Function& f, ExpandedText& out) {
  change_outside_markers(f.text(0), out, upper_case);
}
void do_ucfirst(const Function& f, ExpandedText& out) {
  out.text.append(upper_case_first(f.text(0), f.context().site.language));
}
void do_lcfirst(const Function& f, ExpandedText& out) {
  const std::string text = f.text(0);
  if (text.empty()) return;
  std::size_t end = 0;
  next_code_point(text, end);
  out.text.append(lower_case(std::string_view(text).substr(0, end))).append(text, end);
}

void do_ns(const Function& f, ExpandedText& out) {
  const std::string text = f.text(0);
  std::int32_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  std::optional<std::int32_t> ns;
  if (error == std::errc() && end == text.data() + text.size()) {
    ns = id;
  } else {
    ns = f.context().site.namespace_of(text);
  }
  const Namespace* found = ns ? f.context().site.find_namespace(*ns) : nullptr;
  if (found != nullptr) out.text.append(found->name);
}

void do_urlencode(const Function& f, ExpandedText& out) {
  const std::string style = lower_case(f.text(1));
  const UrlStyle kind = style == "wiki" ? UrlStyle::kWiki : style == "path" ? UrlStyle::kPath : UrlStyle::kQuery;
  out.text.append(encode_url(f.text(0), kind));
}

void do_anchorencode(const Function& f, ExpandedText& out) {
  std::string text = without_links(without_markers(decode_references(f.text(0))));
  std::replace(text.begin(), text.end(), ' ', '_');
  out.text.append(text);
}

/// The address of a page as the wiki writes it, so that links to it in single brackets are links. A query goes to the
/// script.
void do_url(const Function& f, ExpandedText& out) {
  const auto parsed = f.context().site.parse_title(f.text(0));
  if (!parsed) return;
  const std::string title = encode_url(f.context().site.prefixed(parsed->title), UrlStyle::kWiki);
  const std::string query = f.text(1);
  out.text.append(query.empty() ? "/wiki/" + title : "/index.php?title=" + title + "&" + query);
}

void do_full_url(const Function& f, ExpandedText& out) {
  std::string_view host = f.context().site.base_url;
  host.remove_prefix(std::min(host.size(), host.find("//")));
  ExpandedText path;
  do_url(f, path);
  if (path.text.empty()) return;
  out.text.append(host.size() > 2 ? host.substr(0, host.find('/', 2)) : "//localhost").append(path.text);
}

void pad(const Function& f, ExpandedText& out, bool left) {
  const std::string text = f.text(0);
  const long wanted = std::clamp(std::strtol(f.text(1).c_str(), nullptr, 10), 0L, static_cast<long>(kMaxPadding));
  std::string padding = f.count() > 2 ? without_markers(f.text(2)) : "0";
  const auto missing = static_cast<long>(wanted) - static_cast<long>(count_code_points(text));
  std::string fill;
  if (missing > 0 && !padding.empty()) {
    std::size_t at = 0;
    for (long i = 0; i < missing; ++i) {
      if (at >= padding.size()) at = 0;
      const std::size_t begin = at;
      next_code_point(padding, at);
      fill.append(padding, begin, at - begin);
    }
  }
  out.text.append(left ? fill + text : text + fill);
}
void do_padleft(const Function& f, ExpandedText& out) {
  pad(f, out, true);
}
void do_padright(const Function& f, ExpandedText& out) {
  pad(f, out, false);
}

void do_plural(const Function& f, ExpandedText& out) {
  const auto number = as_number(f.text(0));
  const bool one = number && *number == 1;
  f.show(one || f.count() < 3 ? 1 : 2, out);
}

/// The first form is as good as any without a grammar or a user.
void do_first_form(const Function& f, ExpandedText& out) {
  f.show(f.count() > 3 ? 3 : 1, out);
}
void do_grammar(const Function& f, ExpandedText& out) {
  f.show(1, out);
}

void do_formatnum(const Function& f, ExpandedText& out) {
  const std::string text = f.text(0);
  if (lower_case(f.text(1)) == "nosep") {
    out.text.append(text);
    return;
  }
  if (lower_case(f.text(1)) == "r") {
    std::string raw = text;
    raw.erase(std::remove(raw.begin(), raw.end(), ','), raw.end());
    out.text.append(raw);
    return;
  }
  out.text.append(group_digits(text));
}

void do_language(const Function& f, ExpandedText& out) {
  f.show(0, out);
}

void do_int(const Function& f, ExpandedText& out) {
  const std::string name = f.text(0);
  out.text.append("\xE2\xA7\xBC").append(name).append("\xE2\xA7\xBD");  // as MediaWiki marks unknown messages
}

const std::unordered_map<std::string_view, Handler>& handlers() {
  static const std::unordered_map<std::string_view, Handler> table = {
      {"#if", do_if},
      {"#ifeq", do_ifeq},
      {"#iferror", do_iferror},
      {"#expr", do_expr},
      {"#ifexpr", do_ifexpr},
      {"#ifexist", do_ifexist},
      {"#switch", do_switch},
      {"#titleparts", do_titleparts},
      {"#tag", do_tag},
      {"#invoke", do_invoke},
      {"#time", do_time},
      {"#timel", do_time},
      {"#language", do_language},
      {"#coordinates", do_nothing},
      {"#related", do_nothing},
      {"#property", do_nothing},
      {"#statements", do_nothing},
      {"lc", do_lc},
      {"uc", do_uc},
      {"lcfirst", do_lcfirst},
      {"ucfirst", do_ucfirst},
      {"ns", do_ns},
      {"nse", do_ns},
      {"urlencode", do_urlencode},
      {"anchorencode", do_anchorencode},
      {"padleft", do_padleft},
      {"padright", do_padright},
      {"plural", do_plural},
      {"grammar", do_grammar},
      {"gender", do_first_form},
      {"formatnum", do_formatnum},
      {"int", do_int},
      {"defaultsort", do_nothing},
      {"defaultsortkey", do_nothing},
      {"defaultcategorysort", do_nothing},
      {"displaytitle", do_nothing},
      {"formatdate", do_language},
      {"#formatdate", do_language},
      {"fullurl", do_full_url},
      {"localurl", do_url},
      {"canonicalurl", do_full_url},
      {"filepath", do_nothing},
      {"pagesincategory", do_nothing},
      {"pagesincat", do_nothing},
      {"pagesize", do_nothing},
      {"protectionlevel", do_nothing},
  };
  return table;
}

}  // namespace

bool expand_parser_function(Expander& expander, const MarkupTree& tree, const Call& call, std::string_view title,
                            const Frame* frame, ExpandedText& out) {
  if (call.part_count == 0) {
    if (const auto word = page_word(expander.context(), title)) {
      out.text.append(*word);
      if (word->empty()) expander.keep_quotes_apart(out);
      return true;
    }
  }
  const std::size_t colon = title.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view name = title.substr(0, colon);
  const std::string_view first = trim(title.substr(colon + 1));
  if (const auto word = page_word_of(expander.context(), name, first)) {
    out.text.append(*word);
    return true;
  }
  const auto found = handlers().find(lower_case(name));
  if (found == handlers().end()) return false;
  found->second(Function(expander, tree, call, first, frame), out);
  return true;
}

}  // namespace touchstone::extractors::internal
