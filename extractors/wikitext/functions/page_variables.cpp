#include "common/named_values.hpp"
#include "common/unicode.hpp"
#include "extractors/scan/entities.hpp"
#include "extractors/site/moment.hpp"
#include "extractors/wikitext/functions/function_call.hpp"
#include "extractors/wikitext/preprocessor/markers.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <unicode/uloc.h>

namespace touchstone::extractors::wikitext::functions::internal {
using namespace preprocessor;
using scan::decode_references;
using namespace site;
namespace {

/// The value of a word that tells of the wiki as a whole or of the revision, which a dump cannot answer: unknown, or
/// empty for words that show nothing. Nothing for other words.
std::optional<std::string> unanswered(std::string_view word) {
  static const std::unordered_set<std::string_view> properties = {
      "CURRENTVERSION", "PAGEID",         "REVISIONDAY",       "REVISIONDAY2",    "REVISIONID",
      "REVISIONMONTH",  "REVISIONMONTH1", "REVISIONTIMESTAMP", "REVISIONUSER",    "REVISIONYEAR",
      "SCRIPTPATH",     "STYLEPATH",      "ARTICLEPATH",       "CASCADINGSOURCES"};
  static const std::unordered_set<std::string_view> counts = {
      "NUMBEROFACTIVEUSERS", "NUMBEROFADMINS", "NUMBEROFARTICLES", "NUMBEROFEDITS",
      "NUMBEROFFILES",       "NUMBEROFPAGES",  "NUMBEROFUSERS",    "REVISIONSIZE"};
  if (word == "NOEXTERNALLANGLINKS") return std::string();
  if (counts.count(word) != 0) return unknown_mark(UnknownCause::kCount);
  if (properties.count(word) != 0) return unknown_mark(UnknownCause::kVariable);
  return std::nullopt;
}

/// What {{CURRENTYEAR}} and its like represent, as a format of {{#time:}}; null for other words.
const char* moment_format(std::string_view word) {
  if (word.starts_with("CURRENT")) {
    word.remove_prefix(7);
  } else if (word.starts_with("LOCAL")) {
    word.remove_prefix(5);
  } else {
    return nullptr;
  }
  constexpr std::pair<std::string_view, const char*> kFormats[] = {
      {"YEAR", "Y"},          {"MONTH", "m"},       {"MONTH1", "n"}, {"MONTH2", "m"}, {"MONTHNAME", "F"},
      {"MONTHNAMEGEN", "xg"}, {"MONTHABBREV", "M"}, {"DAY", "j"},    {"DAY2", "d"},   {"DAYNAME", "l"},
      {"DOW", "w"},           {"WEEK", "W"},        {"HOUR", "H"},   {"TIME", "H:i"}, {"TIMESTAMP", "YmdHis"},
  };
  const char* const* const format = find_value(kFormats, word);
  return format == nullptr ? nullptr : *format;
}

std::int32_t subject_of(std::int32_t ns) {
  return ns > 0 && ns % 2 == 1 ? ns - 1 : ns;
}
std::int32_t talk_of(std::int32_t ns) {
  return ns >= 0 && ns % 2 == 0 ? ns + 1 : ns;
}

std::string namespace_name(const SiteInfo& site, std::int32_t id) {
  const Namespace* ns = site.find_namespace(id);
  return ns == nullptr ? std::string() : ns->name;
}

/// Characters that would be read as markup are shown as references.
std::string escape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_markup = std::string_view("'\"=").find(text[i]) != std::string_view::npos ||
                           (i == 0 && std::string_view("*#:;").find(text[i]) != std::string_view::npos);
    out += is_markup ? fmt::format("&#{};", static_cast<int>(text[i])) : std::string(1, text[i]);
  }
  return out;
}

std::optional<std::string> word_of(const SiteInfo& site, std::string_view word, const Title& title) {
  const bool subpages = site.has_subpages(title.ns);
  const std::size_t last = subpages ? title.text.rfind('/') : std::string::npos;
  const std::size_t first = subpages ? title.text.find('/') : std::string::npos;
  if (word == "PAGENAME") return title.text;
  if (word == "FULLPAGENAME") return site.prefixed(title);
  if (word == "BASEPAGENAME") return title.text.substr(0, last);
  if (word == "ROOTPAGENAME") return title.text.substr(0, first);
  if (word == "SUBPAGENAME") return last == std::string::npos ? title.text : title.text.substr(last + 1);
  if (word == "NAMESPACE") return namespace_name(site, title.ns);
  if (word == "NAMESPACENUMBER") return std::to_string(title.ns);
  if (word == "TALKSPACE") return namespace_name(site, talk_of(title.ns));
  if (word == "SUBJECTSPACE" || word == "ARTICLESPACE") return namespace_name(site, subject_of(title.ns));
  if (word == "TALKPAGENAME") return site.prefixed({talk_of(title.ns), title.text});
  if (word == "SUBJECTPAGENAME" || word == "ARTICLEPAGENAME") return site.prefixed({subject_of(title.ns), title.text});
  return std::nullopt;
}

std::optional<std::string> word_or_encoded(const SiteInfo& site, std::string_view word, const Title& title) {
  if (auto found = word_of(site, word, title)) return escape(*found);
  if (word.size() > 1 && word.back() == 'E') {
    if (const auto found = word_of(site, word.substr(0, word.size() - 1), title))
      return escape(encode_url(*found, UrlStyle::kWiki));
  }
  return std::nullopt;
}

bool is_right_to_left(const std::string& language) {
  return uloc_isRightToLeft(language.c_str()) != 0;
}

/// "//en.wikipedia.org", for readers who came by either scheme; empty where the dump does not say.
std::string server_of(const SiteInfo& site) {
  const std::size_t begin = site.base_url.find("//");
  return begin == std::string::npos ? std::string()
                                    : site.base_url.substr(begin, site.base_url.find('/', begin + 2) - begin);
}

std::string server_name(const SiteInfo& site) {
  const std::string server = server_of(site);
  return server.empty() ? server : server.substr(2, server.find(':') - 2);
}

}  // namespace

std::optional<std::string> page_variable(const PageContext& context, std::string_view word) {
  if (word == "!") return "|";
  if (word == "=") return "=";
  if (word == "server") word = "SERVER";
  if (word == "servername") word = "SERVERNAME";
  // All others are in capitals, which tells them from most templates.
  if (std::any_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; })) return std::nullopt;
  if (auto found = word_or_encoded(context.site, word, context.page)) return found;
  if (word == "SITENAME") return context.site.site_name;
  if (word == "CONTENTLANGUAGE" || word == "CONTENTLANG" || word == "PAGELANGUAGE") return context.site.language;
  if (word == "DIRECTIONMARK" || word == "DIRMARK")
    return is_right_to_left(context.site.language) ? "\u200F" : "\u200E";
  if (word == "SERVER") return server_of(context.site);
  if (word == "SERVERNAME") return server_name(context.site);
  if (auto found = unanswered(word)) return found;
  if (const char* format = moment_format(word)) {
    const auto now = context.now();
    if (!now) return unknown_mark(UnknownCause::kDate);
    // The week has no zero in front here.
    std::string text = format_moment(Moment::from_seconds(*now), format, context.site.language);
    if (format == std::string_view("W")) text = std::to_string(std::atoi(text.c_str()));
    return text;
  }
  return std::nullopt;
}

std::optional<std::string> page_variable_of(const PageContext& context, std::string_view word, std::string_view title) {
  if (!word_of(context.site, word, context.page) &&
      (word.empty() || word.back() != 'E' || !word_of(context.site, word.substr(0, word.size() - 1), context.page))) {
    return unanswered(word);
  }
  if (const auto cause = find_unknown(title)) return unknown_mark(*cause);
  const auto parsed = context.site.parse_title(decode_references(title));
  if (!parsed || !parsed->interwiki.empty()) return "";
  // Pages that the wiki makes itself have no talk, and so not these words.
  if (parsed->title.ns < 0 && (word.starts_with("FULLPAGENAME") || word.starts_with("TALK"))) return "";
  return word_or_encoded(context.site, word, parsed->title);
}

std::string encode_url(std::string_view text, UrlStyle style) {
  const std::string_view plain = style == UrlStyle::kWiki   ? "-_.;@$!*(),/~:"
                                 : style == UrlStyle::kPath ? "-_.~"
                                                            : "-_.";
  std::string out;
  for (const char c : text) {
    if (scan::is_alphanumeric(c) || plain.find(c) != std::string_view::npos) {
      out.push_back(c);
    } else if (c == ' ' && style != UrlStyle::kPath) {
      out.push_back(style == UrlStyle::kWiki ? '_' : '+');
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

}  // namespace touchstone::extractors::wikitext::functions::internal
