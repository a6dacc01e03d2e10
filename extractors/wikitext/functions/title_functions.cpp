#include "common/unicode.hpp"
#include "extractors/scan/entities.hpp"
#include "extractors/scan/url_scan.hpp"
#include "extractors/wikitext/functions/function_call.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

namespace touchstone::extractors::wikitext::functions::internal {
using preprocessor::ExpandedText;
using namespace scan;
using site::Namespace;
namespace {

std::vector<std::string> split_at_slashes(std::string_view text, std::size_t most) {
  std::vector<std::string> parts;
  while (parts.size() + 1 < most) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) break;
    parts.emplace_back(text.substr(0, slash));
    text.remove_prefix(slash + 1);
  }
  parts.emplace_back(text);
  return parts;
}

void do_titleparts(const FunctionCall& f, ExpandedText& out) {
  const auto title = f.context().site.parse_title(decode_references(f.text(0)));
  if (!title) {
    f.show(0, out);
    return;
  }
  const std::string whole =
      (title->interwiki.empty() ? "" : title->interwiki + ":") + f.context().site.prefixed(title->title);
  constexpr std::size_t kMaxParts = 25;
  const std::vector<std::string> bits = split_at_slashes(whole, kMaxParts);
  const auto size = static_cast<long>(bits.size());
  const long parts = std::strtol(f.text(1).c_str(), nullptr, 10);
  long offset = std::strtol(f.text(2).c_str(), nullptr, 10);
  if (offset > 0) --offset;
  const long from = offset < 0 ? std::max(0L, size + offset) : std::min(offset, size);
  const long to = parts == 0 || parts > size - from ? size : parts > 0 ? from + parts : size + parts;
  for (long i = from; i < to; ++i) {
    if (i > from) out.text.push_back('/');
    out.text.append(bits[static_cast<std::size_t>(i)]);
  }
}

/// {{#rel2abs: path | base}}
void do_rel2abs(const FunctionCall& f, ExpandedText& out) {
  std::string path = f.text(0);
  while (!path.empty() && (path.back() == '/' || path.back() == ' ')) path.pop_back();
  std::string base = f.text(1);
  if (base.empty()) base = f.context().site.prefixed(f.context().page);
  if (path.empty() || path == ".") {
    out.text.append(base);
    return;
  }
  const bool relative = path.front() == '/' || starts_with(path, "./") || starts_with(path, "../") || path == "..";
  const std::string whole = relative ? base + "/" + path : path;
  std::vector<std::string> kept;
  for (std::string& part : split_at_slashes(whole, whole.size() + 1)) {
    if (part == "..") {
      if (kept.empty()) {
        f.expander().give_error("Error: Invalid depth in path.", out);
        return;
      }
      kept.pop_back();
    } else if (!part.empty() && part != ".") {
      kept.push_back(std::move(part));
    }
  }
  fmt::format_to(std::back_inserter(out.text), "{}", fmt::join(kept, "/"));
}

/// Name of a namespace by its number or one of its names.
template <char kBlank>
void do_namespace(const FunctionCall& f, ExpandedText& out) {
  const std::string text = f.text(0);
  if (text.empty()) return;
  std::optional<std::int32_t> ns;
  const long number = std::strtol(text.c_str(), nullptr, 10);
  if (number != 0 || text == "0") {
    if (std::in_range<std::int32_t>(number)) ns = static_cast<std::int32_t>(number);
  } else {
    ns = f.context().site.namespace_of(text);
  }
  const Namespace* found = ns ? f.context().site.find_namespace(*ns) : nullptr;
  if (found != nullptr) {
    std::ranges::replace_copy(found->name, std::back_inserter(out.text), ' ', kBlank);
  } else if (number == 0 && text.find_first_not_of("-0") != std::string::npos) {
    f.decline();
  }
}

void do_special(const FunctionCall& f, ExpandedText& out) {
  const auto title = f.context().site.parse_title(f.text(0), kNamespaceSpecial);
  if (!title || title->title.ns != kNamespaceSpecial) return f.decline();
  out.text.append(f.context().site.prefixed(title->title));
}

void do_urlencode(const FunctionCall& f, ExpandedText& out) {
  const std::string style = lower_case(f.text(1));
  const UrlStyle kind = style == "wiki" ? UrlStyle::kWiki : style == "path" ? UrlStyle::kPath : UrlStyle::kQuery;
  out.text.append(encode_url(f.text(0), kind));
}

/// `[[a|b]]` and `[http://a b]` -> "b".
std::string without_links(const std::string& text) {
  std::string out;
  constexpr std::size_t kMostBytes = 2'000;  // longer ones are text
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = std::string_view(text).substr(i, kMostBytes);
    const bool inside = starts_with(rest, "[[");
    const bool outside = !inside && rest.front() == '[' && has_protocol(rest.substr(1));
    const std::size_t close = inside ? rest.find("]]") : outside ? rest.find(']') : std::string_view::npos;
    if (close == std::string_view::npos) {
      out.push_back(text[i++]);
      continue;
    }
    const std::size_t bar = rest.find(inside ? '|' : ' ');
    std::string_view shown = rest.substr(inside ? 2 : 1, close - (inside ? 2 : 1));
    if (bar < close) shown = rest.substr(bar + 1, close - bar - 1);
    if (inside && bar > close && !shown.empty() && shown.front() == ':') shown.remove_prefix(1);
    out.append(shown);
    i += close + (inside ? 2 : 1);
  }
  return out;
}

std::string without_tags(const std::string& text) {
  std::string out;
  bool ends = true;  // there may be a '>' behind
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t close = text[i] == '<' && ends ? text.find('>', i) : std::string::npos;
    if (close != std::string::npos) {
      i = close + 1;
      continue;
    }
    ends = ends && text[i] != '<';
    out.push_back(text[i++]);
  }
  return out;
}

std::string without_quotes(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && text[end] == '\'') ++end;
    if (end - i == 1) out.push_back('\'');
    if (end == i) out.push_back(text[end++]);
    i = end;
  }
  return out;
}

/// The anchor of a heading. What would be markup in it is written as references.
void do_anchorencode(const FunctionCall& f, ExpandedText& out) {
  const std::string text = decode_references(without_quotes(without_tags(without_links(without_markers(f.text(0))))));
  std::string anchor;
  bool blank = false;
  for (const char c : text) {
    if (c == ' ' || c == '_' || c == '\n' || c == '\t') {
      blank = !anchor.empty();
      continue;
    }
    if (blank) anchor.push_back('_');
    blank = false;
    anchor.push_back(c);
  }
  constexpr std::string_view kMarkup = "<>\"'[]{}|&";
  for (std::size_t i = 0; i < anchor.size(); ++i) {
    const char c = anchor[i];
    const bool escape =
        c == '%' && i + 2 < anchor.size() && hex_value(anchor[i + 1]) >= 0 && hex_value(anchor[i + 2]) >= 0;
    if (kMarkup.find(c) != std::string_view::npos) {
      out.text.append("&#").append(std::to_string(static_cast<int>(c))).push_back(';');
    } else {
      out.text.append(escape ? "%25" : std::string(1, c));
    }
  }
}

/// The address of a page as the wiki writes it, so that links to it in single brackets are links. A query goes to the
/// script.
std::optional<std::string> local_url(const FunctionCall& f) {
  auto parsed = f.context().site.parse_title(decode_references(f.text(0)));
  if (!parsed) return std::nullopt;
  if (!parsed->interwiki.empty()) return std::string();
  if (parsed->title.ns == kNamespaceMedia) parsed->title.ns = kNamespaceFile;
  const std::string title = encode_url(f.context().site.prefixed(parsed->title), UrlStyle::kWiki);
  const std::string query = f.text(1);
  return query.empty() ? "/wiki/" + title : "/index.php?title=" + title + "&" + query;
}

void do_local_url(const FunctionCall& f, ExpandedText& out) {
  const auto url = local_url(f);
  if (!url) return f.decline();
  out.text.append(*url);
}

/// \tparam kScheme  of the wiki's own address, or none, for readers who came with another one
template <bool kScheme>
void do_full_url(const FunctionCall& f, ExpandedText& out) {
  const auto url = local_url(f);
  if (!url) return f.decline();
  if (url->empty()) return;
  const std::string_view base = f.context().site.base_url;
  const std::size_t slashes = base.find("//");
  const std::string_view host = slashes == std::string_view::npos ? "//localhost" : base.substr(slashes);
  if (kScheme && slashes != std::string_view::npos) out.text.append(base.substr(0, slashes));
  out.text.append(host.substr(0, host.find('/', 2))).append(*url);
  const auto parsed = f.context().site.parse_title(decode_references(f.text(0)));
  if (parsed && !parsed->fragment.empty()) out.text.append("#").append(encode_url(parsed->fragment, UrlStyle::kWiki));
}

}  // namespace

FunctionTable title_functions() {
  static constexpr std::pair<std::string_view, FunctionHandler> kTable[] = {
      {"#titleparts", do_titleparts},
      {"#rel2abs", do_rel2abs},
      {"ns", do_namespace<' '>},
      {"nse", do_namespace<'_'>},
      {"#special", do_special},
      {"#speciale", do_special},
      {"urlencode", do_urlencode},
      {"anchorencode", do_anchorencode},
      {"localurl", do_local_url},
      {"localurle", do_local_url},
      {"fullurl", do_full_url<false>},
      {"fullurle", do_full_url<false>},
      {"canonicalurl", do_full_url<true>},
      {"canonicalurle", do_full_url<true>},
  };
  return kTable;
}

}  // namespace touchstone::extractors::wikitext::functions::internal
