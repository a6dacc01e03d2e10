#include "extractors/site/site_info.hpp"

#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/scan/byte_scan.hpp"
#include "extractors/scan/percent.hpp"
#include "extractors/site/language_data.hpp"
#include "extractors/site/language_words.hpp"
#include "extractors/site/title_bytes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

#include <nlohmann/json.hpp>

namespace touchstone::extractors::site {
using namespace internal;
using scan::decode_percent;
using scan::find_title_stop;
using scan::hex_value;
namespace {

constexpr std::size_t kMaxTitleBytes = 255;
constexpr std::size_t kMaxSpecialTitleBytes = 512;

constexpr std::array<std::pair<std::int32_t, std::string_view>, 18> kCanonicalNames = {{{-2, "Media"},
                                                                                        {-1, "Special"},
                                                                                        {0, ""},
                                                                                        {1, "Talk"},
                                                                                        {2, "User"},
                                                                                        {3, "User talk"},
                                                                                        {4, "Project"},
                                                                                        {5, "Project talk"},
                                                                                        {6, "File"},
                                                                                        {7, "File talk"},
                                                                                        {8, "MediaWiki"},
                                                                                        {9, "MediaWiki talk"},
                                                                                        {10, "Template"},
                                                                                        {11, "Template talk"},
                                                                                        {12, "Help"},
                                                                                        {13, "Help talk"},
                                                                                        {14, "Category"},
                                                                                        {15, "Category talk"}}};

/// Shortcuts that Wikimedia's English projects configure themselves (siteinfo of dumps does not list them).
constexpr std::array<std::pair<std::int32_t, std::string_view>, 3> kEnglishShortcuts = {
    {{4, "wp"}, {5, "wt"}, {10, "tm"}}};

/// Some names of the project's talk namespace hold the wiki's own name as "$1".
std::string with_project_name(std::string_view name, std::string_view project) {
  std::string out(name);
  const std::size_t hole = out.find("$1");
  if (hole != std::string::npos) out.replace(hole, 2, project);
  return out;
}

enum class ByteClass : unsigned char { kPlain, kBlank, kIllegal, kSpecial };

/// kSpecial bytes need a closer look: non-ASCII, ':', '#', '%', '&', '.', '~'.
constexpr std::array<ByteClass, 256> make_title_classes() {
  std::array<ByteClass, 256> classes{};
  for (std::size_t i = 0; i < 256; ++i) classes[i] = i < 0x20 || i == 0x7F ? ByteClass::kIllegal : ByteClass::kPlain;
  for (std::size_t i = 0x80; i < 256; ++i) classes[i] = ByteClass::kSpecial;
  for (const char c : {'<', '>', '[', ']', '{', '}', '|'}) classes[static_cast<unsigned char>(c)] = ByteClass::kIllegal;
  for (const char c : {' ', '_'}) classes[static_cast<unsigned char>(c)] = ByteClass::kBlank;
  for (const char c : {':', '#', '%', '&', '.', '~'}) classes[static_cast<unsigned char>(c)] = ByteClass::kSpecial;
  return classes;
}
constexpr auto kTitleClasses = make_title_classes();

ByteClass class_of(char c) {
  return kTitleClasses[static_cast<unsigned char>(c)];
}

bool is_title_blank(char32_t c) {
  return c == U' ' || c == U'_' || c == 0xA0 || c == 0x1680 || c == 0x180E || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_bidi_mark(char32_t c) {
  return c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E);
}

std::string_view trim_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Runs of blanks become one space, ends are trimmed, bidi marks go. False when U+FFFD or malformed UTF-8 is met.
bool clean_blanks(std::string_view text, std::string& out) {
  out.clear();
  out.reserve(text.size());
  std::size_t position = 0;
  bool pending = false;
  const auto put = [&](std::string_view part) {
    if (pending && !out.empty()) out.push_back(' ');
    pending = false;
    out.append(part);
  };
  while (position < text.size()) {
    const std::size_t begin = position;
    while (position < text.size() && static_cast<unsigned char>(text[position]) < 0x80 && text[position] != ' ' &&
           text[position] != '_')
      ++position;
    if (position > begin) {
      put(text.substr(begin, position - begin));
    } else if (static_cast<unsigned char>(text[position]) < 0x80) {
      pending = true;
      ++position;
    } else {
      const char32_t c = next_code_point(text, position);
      if (c == kReplacementCharacter) return false;
      if (is_bidi_mark(c)) continue;
      if (is_title_blank(c)) {
        pending = true;
      } else {
        put(text.substr(begin, position - begin));
      }
    }
  }
  return true;
}

bool is_relative(std::string_view text) {
  const auto ends_with = [&](std::string_view tail) {
    return text.size() >= tail.size() && text.substr(text.size() - tail.size()) == tail;
  };
  return text == "." || text == ".." || text.substr(0, 2) == "./" || text.substr(0, 3) == "../" ||
         text.find("/./") != std::string_view::npos || text.find("/../") != std::string_view::npos || ends_with("/.") ||
         ends_with("/..");
}

bool is_hex(char c) {
  return hex_value(c) >= 0;
}

/// True for text that no link could name: forbidden characters, a percent escape or a character reference.
bool has_illegal_characters(std::string_view text) {
  for (std::size_t i = 0; (i = find_title_stop(text, i)) < text.size(); ++i) {
    const char c = text[i];
    if (class_of(c) == ByteClass::kIllegal) return true;
    if (c == '%' && i + 2 < text.size() && is_hex(text[i + 1]) && is_hex(text[i + 2])) return true;
    if (c == '&') {
      std::size_t end = i + 1;
      while (end < text.size() &&
             (static_cast<unsigned char>(text[end]) >= 0x80 || std::isalnum(static_cast<unsigned char>(text[end]))))
        ++end;
      if (end > i + 1 && end < text.size() && text[end] == ';') return true;
    }
  }
  return false;
}

/// True for text that is a title as it stands, but for the case of its first letter: single spaces, no prefix, no
/// fragment, nothing to normalise. Most links are.
bool is_plain_title(std::string_view text) {
  if (text.empty() || text.size() > kMaxTitleBytes || text.front() == ' ' || text.back() == ' ') return false;
  if (text.front() == '.' || static_cast<unsigned char>(text.front()) >= 0x80) return false;
  bool dot = false;
  for (std::size_t i = 0; (i = find_title_stop(text, i)) < text.size(); ++i) {
    const char c = text[i];
    switch (class_of(c)) {
      case ByteClass::kPlain:
        break;
      case ByteClass::kBlank:
      case ByteClass::kIllegal:
        return false;
      case ByteClass::kSpecial: {
        if (c == '.') {
          dot = true;
          break;
        }
        // U+00C0 to U+02FF: neither blanks nor anything that NFC would change.
        const auto lead = static_cast<unsigned char>(c);
        if (lead < 0xC3 || lead > 0xCB || i + 1 >= text.size() ||
            (static_cast<unsigned char>(text[i + 1]) & 0xC0U) != 0x80U)
          return false;
        ++i;
        break;
      }
    }
  }
  return !dot || text.find('/') == std::string_view::npos;  // with both it may be a relative path
}

}  // namespace

SiteInfo SiteInfo::make_default(std::string_view language_code) {
  SiteInfo site;
  site.language = lower_case(language_code.empty() ? "en" : language_code);
  site.site_name = "Wikipedia";
  for (const auto& [id, name] : kCanonicalNames) site.namespaces.push_back({id, std::string(name), true});
  site.namespaces.push_back({828, "Module", true});
  site.namespaces.push_back({829, "Module talk", true});
  std::unordered_set<std::int32_t> named;
  for (const std::string_view code : language_chain(site.language)) {
    for (const auto& [number, name] : namespace_names(code)) {
      if (!named.insert(number).second) continue;
      for (Namespace& ns : site.namespaces) {
        if (ns.id == number) ns.name = with_project_name(name, site.site_name);
      }
    }
  }
  for (Namespace& ns : site.namespaces) {
    if (ns.id == kNamespaceProject) ns.name = site.site_name;
    if (ns.id == kNamespaceProject + 1 && ns.name == "Project talk") ns.name = site.site_name + " talk";
  }
  site.finish();
  return site;
}

void SiteInfo::finish() {
  std::sort(namespaces.begin(), namespaces.end(), [](const Namespace& a, const Namespace& b) { return a.id < b.id; });
  namespace_by_name_.clear();
  const auto add = [&](std::string_view name, std::int32_t id) {
    if (!name.empty()) namespace_by_name_.emplace(lower_case(name), id);
  };
  for (const Namespace& ns : namespaces) add(ns.name, ns.id);
  for (const auto& [id, name] : kCanonicalNames) add(name, id);
  add("Image", kNamespaceFile);
  add("Image talk", kNamespaceFile + 1);
  if (find_namespace(kNamespaceModule) != nullptr) {
    add("Module", kNamespaceModule);
    add("Module talk", kNamespaceModule + 1);
  }
  if (language == "en") {
    for (const auto& [id, name] : kEnglishShortcuts) add(name, id);
  }
  const auto add_names = [&](std::string_view code, auto&& holds) {
    std::unordered_set<std::int32_t> named;
    for (const auto& [number, name] : namespace_names(code)) {
      const bool alias = !named.insert(number).second;
      if (holds(number, alias) && find_namespace(number) != nullptr) add(with_project_name(name, site_name), number);
    }
  };
  // A fallback language lends its aliases, and its names where the nearer ones have none.
  std::unordered_set<std::int32_t> known;
  for (const std::string_view code : language_chain(language)) {
    std::unordered_set<std::int32_t> names = known;
    add_names(code, [&](std::int32_t id, bool alias) {
      if (!alias) names.insert(id);
      return alias || known.count(id) == 0;
    });
    known = std::move(names);
  }
  for (const std::string_view code : language_variants(language)) {
    add_names(code, [](std::int32_t, bool) { return true; });
  }
  words_ = std::make_shared<const LanguageWords>(language);
  const Namespace* articles = find_namespace(kNamespaceMain);
  main_first_letter_ = articles != nullptr ? articles->first_letter : first_letter;
  main_page_ = "Main Page";
  const std::size_t slash = base_url.rfind('/');
  if (slash != std::string::npos && slash + 1 < base_url.size()) {
    std::string cleaned;
    if (clean_blanks(decode_percent(std::string_view(base_url).substr(slash + 1)), cleaned) && !cleaned.empty())
      main_page_ = cleaned;
  }
}

std::optional<std::int32_t> SiteInfo::namespace_of(std::string_view prefix) const {
  constexpr std::size_t kMaxPrefix = 128;
  std::array<char, kMaxPrefix> buffer;
  prefix = trim_spaces(prefix);
  while (!prefix.empty() && prefix.front() == '_') prefix.remove_prefix(1);
  while (!prefix.empty() && prefix.back() == '_') prefix.remove_suffix(1);
  prefix = trim_spaces(prefix);
  if (prefix.empty() || prefix.size() > kMaxPrefix) return std::nullopt;
  bool ascii = true;
  for (std::size_t i = 0; i < prefix.size(); ++i) {
    char c = prefix[i];
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if (c == '_') c = ' ';
    ascii = ascii && static_cast<unsigned char>(c) < 0x80;
    buffer[i] = c;
  }
  const std::string_view key(buffer.data(), prefix.size());
  const auto found = ascii ? namespace_by_name_.find(key) : namespace_by_name_.find(lower_case(nfc(key)));
  if (found == namespace_by_name_.end()) return std::nullopt;
  return found->second;
}

const Namespace* SiteInfo::find_namespace(std::int32_t id) const {
  const auto found = std::lower_bound(namespaces.begin(), namespaces.end(), id,
                                      [](const Namespace& ns, std::int32_t value) { return ns.id < value; });
  return found != namespaces.end() && found->id == id ? &*found : nullptr;
}

std::optional<char> SiteInfo::first_of_plain_title(std::string_view text, std::int32_t ns) const {
  return is_plain_title(text) ? first_of_plain_words(text, ns) : std::nullopt;
}

std::optional<char> SiteInfo::first_of_plain_words(std::string_view text, std::int32_t ns) const {
  if (text.empty() || text.size() > kMaxTitleBytes || text.front() == ' ' || text.back() == ' ') return std::nullopt;
  const char first = text.front();
  if (first < 'a' || first > 'z') return first;
  const Namespace* found = ns == kNamespaceMain ? nullptr : find_namespace(ns);
  const bool upper = ns == kNamespaceMain ? main_first_letter_ : found != nullptr ? found->first_letter : first_letter;
  if (!upper) return first;
  if (first == 'i') return std::nullopt;  // which some languages treat otherwise
  return static_cast<char>(first - 'a' + 'A');
}

Result<ParsedTitle, TitleError> SiteInfo::parse_title(std::string_view text, std::int32_t default_ns) const {
  ParsedTitle parsed;
  if (const auto error = read_title(text, default_ns, parsed)) return Result<ParsedTitle, TitleError>::failure(*error);
  return parsed;
}

std::optional<TitleError> SiteInfo::read_title(std::string_view text, std::int32_t default_ns,
                                               ParsedTitle& parsed) const {
  TitleBytes bytes = bytes_of_title(text);
  parsed.title.ns = default_ns;
  if ((bytes & ~(kTitleDot | kTitleSpace | kTitleOther)) == 0) {
    if (const auto first = first_of_plain_title(text, default_ns)) {
      parsed.title.text.assign(text);
      parsed.title.text.front() = *first;
      return std::nullopt;
    }
  }
  std::string cleaned;
  std::string_view rest = text;
  const bool blank_ends = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (blank_ends || (bytes & (kTitleUnderscore | kTitleSpaces | kTitleOther)) != 0) {
    if (!clean_blanks(text, cleaned)) return TitleError::kInvalidUtf8;
    if (!is_trivially_nfc(cleaned)) cleaned = nfc(cleaned);
    rest = cleaned;
    bytes = bytes_of_title(rest);
  }
  if (!rest.empty() && rest.front() == ':') {
    parsed.leading_colon = true;
    parsed.title.ns = kNamespaceMain;
    rest = trim_spaces(rest.substr(1));
  }
  if (rest.empty()) return TitleError::kEmpty;

  constexpr int kMaxPrefixes = 8;
  for (int i = 0; i < kMaxPrefixes && (bytes & kTitleColon) != 0; ++i) {
    const std::size_t colon = rest.find(':', 1);
    if (colon == std::string_view::npos) break;
    const std::string_view prefix = trim_spaces(rest.substr(0, colon));
    const std::string_view behind = trim_spaces(rest.substr(colon + 1));
    if (const auto ns = namespace_of(prefix)) {
      parsed.title.ns = *ns;
      rest = behind;
      if (*ns == kNamespaceTalk) {
        const std::size_t second = behind.find(':', 1);
        if (second != std::string_view::npos) {
          const std::string inner = lower_case(trim_spaces(behind.substr(0, second)));
          if (namespace_of(inner).value_or(0) != 0 || is_language_code(inner) || is_interwiki_prefix(inner)) {
            return TitleError::kTalkOfNamespace;
          }
        }
      }
      break;
    }
    const std::string lower = lower_case(prefix);
    const bool is_language = is_language_code(lower);
    if (!is_language && !is_interwiki_prefix(lower)) break;
    rest = behind;
    if (lower == language) {
      parsed.local_interwiki = true;
      if (rest.empty()) {
        parsed.title.text = main_page_;
        return std::nullopt;
      }
      continue;
    }
    parsed.interwiki = lower;
    parsed.interlanguage = is_language;
    if (!rest.empty() && rest.front() == ':') {
      parsed.title.ns = kNamespaceMain;
      rest = trim_spaces(rest.substr(1));
    }
    break;
  }

  if (const std::size_t hash = (bytes & kTitleHash) != 0 ? rest.find('#') : std::string_view::npos;
      hash != std::string_view::npos) {
    parsed.has_fragment = true;
    parsed.fragment.assign(rest.substr(hash + 1));
    rest = trim_spaces(rest.substr(0, hash));
  }
  constexpr TitleBytes kMayBeIllegal = kTitleIllegal | kTitlePercent | kTitleAmpersand;
  if ((bytes & kMayBeIllegal) != 0 && has_illegal_characters(rest)) return TitleError::kIllegalCharacter;
  if ((bytes & kTitleDot) != 0 && is_relative(rest)) return TitleError::kRelative;
  if ((bytes & kTitleTilde) != 0 && rest.find("~~~") != std::string_view::npos) return TitleError::kTilde;
  if (rest.size() > (parsed.title.ns == kNamespaceSpecial ? kMaxSpecialTitleBytes : kMaxTitleBytes)) {
    return TitleError::kTooLong;
  }
  if (!rest.empty() && rest.front() == ':') return TitleError::kLeadingColon;
  if (parsed.interwiki.empty()) {
    const Namespace* ns = find_namespace(parsed.title.ns);
    const bool upper = ns != nullptr ? ns->first_letter : first_letter;
    const char first = rest.empty() ? '\0' : rest.front();
    if (upper && (first == 'i' || static_cast<unsigned char>(first) >= 0x80)) {
      parsed.title.text = upper_case_first(rest, language);
    } else {
      parsed.title.text.assign(rest);
      if (upper && first >= 'a' && first <= 'z') parsed.title.text.front() = static_cast<char>(first - 'a' + 'A');
    }
    if (rest.empty() && parsed.title.ns != kNamespaceMain) return TitleError::kEmpty;
  } else {
    parsed.title.text.assign(rest);
  }
  return std::nullopt;
}

std::string SiteInfo::prefixed(const Title& title) const {
  const Namespace* ns = find_namespace(title.ns);
  if (ns == nullptr || ns->name.empty()) return title.text;
  std::string out;
  out.reserve(ns->name.size() + 1 + title.text.size());
  out.append(ns->name).append(":").append(title.text);
  return out;
}

bool SiteInfo::is_language_edition() const {
  if (base_url.empty()) return true;
  const std::size_t scheme = base_url.find("//");
  std::string_view host =
      scheme == std::string::npos ? std::string_view(base_url) : std::string_view(base_url).substr(scheme + 2);
  host = host.substr(0, host.find('/'));
  const std::string code = lower_case(host.substr(0, host.find('.')));
  return code == language || is_language_code(code);
}

bool SiteInfo::has_subpages(std::int32_t ns) const noexcept {
  switch (ns) {
    case kNamespaceMain:
    case kNamespaceFile:
    case kNamespaceCategory:
    case kNamespaceSpecial:
    case kNamespaceMedia:
      return false;
    default:
      return ns <= 15 || ns % 2 == 1;
  }
}

std::string SiteInfo::to_json() const {
  nlohmann::json json = {{"site_name", site_name}, {"db_name", db_name},   {"base_url", base_url},
                         {"generator", generator}, {"language", language}, {"first_letter", first_letter}};
  auto& list = json["namespaces"] = nlohmann::json::array();
  for (const Namespace& ns : namespaces)
    list.push_back({{"id", ns.id}, {"name", ns.name}, {"first_letter", ns.first_letter}});
  return json.dump();
}

SiteInfo SiteInfo::from_json(std::string_view text) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    SiteInfo site;
    json.at("site_name").get_to(site.site_name);
    json.at("db_name").get_to(site.db_name);
    json.at("base_url").get_to(site.base_url);
    json.at("generator").get_to(site.generator);
    json.at("language").get_to(site.language);
    json.at("first_letter").get_to(site.first_letter);
    for (const auto& entry : json.at("namespaces")) {
      site.namespaces.push_back({entry.at("id").get<std::int32_t>(), entry.at("name").get<std::string>(),
                                 entry.at("first_letter").get<bool>()});
    }
    site.finish();
    return site;
  } catch (const nlohmann::json::exception& error) {
    throw FormatError(std::string("the stored description of the wiki is damaged (") + error.what() +
                      "); ingest the dump again");
  }
}

}  // namespace touchstone::extractors::site
