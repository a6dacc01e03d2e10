#include "common/unicode.hpp"
#include "extractors/scan/entities.hpp"
#include "extractors/scan/percent.hpp"
#include "extractors/scan/url_scan.hpp"
#include "extractors/wikitext/functions/function_call.hpp"
#include "extractors/wikitext/functions/page_variables.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <utility>
#include <vector>

namespace touchstone::extractors::wikitext::functions::internal {
using preprocessor::ExpandedText;
using scan::decode_references;
using scan::has_protocol;
using scan::hex_value;
using scan::starts_with;
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

bool do_titleparts(const FunctionCall& f, ExpandedText& out) {
  const auto title = f.context().site.parse_title(decode_references(f.text(0)));
  if (!title) {
    f.show(0, out);
    return true;
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
  return true;
}

/// {{#rel2abs: path | base}}
bool do_rel2abs(const FunctionCall& f, ExpandedText& out) {
  std::string path = f.text(0);
  while (!path.empty() && (path.back() == '/' || path.back() == ' ')) path.pop_back();
  std::string base = f.text(1);
  if (base.empty()) base = f.context().site.prefixed(f.context().page);
  if (path.empty() || path == ".") {
    out.text.append(base);
    return true;
  }
  const bool relative = path.front() == '/' || starts_with(path, "./") || starts_with(path, "../") || path == "..";
  const std::string whole = relative ? base + "/" + path : path;
  std::vector<std::string> kept;
  for (std::string& part : split_at_slashes(whole, whole.size() + 1)) {
    if (part == "..") {
      if (kept.empty()) {
        f.expander().give_error("Error: Invalid depth in path.", out);
        return true;
      }
      kept.pop_back();
    } else if (!part.empty() && part != ".") {
      kept.push_back(std::move(part));
    }
  }
  for (std::size_t i = 0; i < kept.size(); ++i) out.text.append(i == 0 ? "" : "/").append(kept[i]);
  return true;
}

/// Name of a namespace by its number or one of its names.
bool show_namespace(const FunctionCall& f, ExpandedText& out, char blank) {
  const std::string text = f.text(0);
  if (text.empty()) return true;
  std::optional<std::int32_t> ns;
  const long number = std::strtol(text.c_str(), nullptr, 10);
  if (number != 0 || text == "0") {
    if (std::in_range<std::int32_t>(number)) ns = static_cast<std::int32_t>(number);
  } else {
    ns = f.context().site.namespace_of(text);
  }
  const Namespace* found = ns ? f.context().site.find_namespace(*ns) : nullptr;
  if (found == nullptr) return number != 0 || text.find_first_not_of("-0") == std::string::npos;
  std::string name = found->name;
  std::replace(name.begin(), name.end(), ' ', blank);
  out.text.append(name);
  return true;
}
bool do_ns(const FunctionCall& f, ExpandedText& out) {
  return show_namespace(f, out, ' ');
}
bool do_nse(const FunctionCall& f, ExpandedText& out) {
  return show_namespace(f, out, '_');
}

bool do_special(const FunctionCall& f, ExpandedText& out) {
  const auto title = f.context().site.parse_title(f.text(0), kNamespaceSpecial);
  if (!title || title->title.ns != kNamespaceSpecial) return false;
  out.text.append(f.context().site.prefixed(title->title));
  return true;
}

bool do_urlencode(const FunctionCall& f, ExpandedText& out) {
  const std::string style = lower_case(f.text(1));
  const UrlStyle kind = style == "wiki" ? UrlStyle::kWiki : style == "path" ? UrlStyle::kPath : UrlStyle::kQuery;
  out.text.append(encode_url(f.text(0), kind));
  return true;
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
bool do_anchorencode(const FunctionCall& f, ExpandedText& out) {
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
  return true;
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

bool do_local_url(const FunctionCall& f, ExpandedText& out) {
  const auto url = local_url(f);
  if (url) out.text.append(*url);
  return url.has_value();
}

/// \param scheme  of the wiki's own address, or none, for readers who came with another one
void append_full_url(const FunctionCall& f, std::string_view url, bool scheme, ExpandedText& out) {
  if (url.empty()) return;
  const std::string_view base = f.context().site.base_url;
  const std::size_t slashes = base.find("//");
  const std::string_view host = slashes == std::string_view::npos ? "//localhost" : base.substr(slashes);
  if (scheme && slashes != std::string_view::npos) out.text.append(base.substr(0, slashes));
  out.text.append(host.substr(0, host.find('/', 2))).append(url);
  const auto parsed = f.context().site.parse_title(decode_references(f.text(0)));
  if (parsed && !parsed->fragment.empty()) out.text.append("#").append(encode_url(parsed->fragment, UrlStyle::kWiki));
}

bool do_full_url(const FunctionCall& f, ExpandedText& out) {
  const auto url = local_url(f);
  if (url) append_full_url(f, *url, false, out);
  return url.has_value();
}
bool do_canonical_url(const FunctionCall& f, ExpandedText& out) {
  const auto url = local_url(f);
  if (url) append_full_url(f, *url, true, out);
  return url.has_value();
}

}  // namespace

FunctionHandler find_title_function(std::string_view name) {
  static const std::unordered_map<std::string_view, FunctionHandler> table = {
      {"#titleparts", do_titleparts},
      {"#rel2abs", do_rel2abs},
      {"ns", do_ns},
      {"nse", do_nse},
      {"#special", do_special},
      {"#speciale", do_special},
      {"urlencode", do_urlencode},
      {"anchorencode", do_anchorencode},
      {"localurl", do_local_url},
      {"localurle", do_local_url},
      {"fullurl", do_full_url},
      {"fullurle", do_full_url},
      {"canonicalurl", do_canonical_url},
      {"canonicalurle", do_canonical_url},
  };
  const auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

}  // namespace touchstone::extractors::wikitext::functions::internal
