#include "extractors/site/site_info.hpp"

#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "common/unicode.hpp"
#include "extractors/scan/url_scan.hpp"
#include "extractors/site/language_data.hpp"
#include "extractors/site/language_words.hpp"
#include "extractors/site/title_text.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>

#include <nlohmann/json.hpp>

namespace touchstone::extractors::site {
using namespace internal;
using scan::decode_percent;
namespace {

constexpr std::pair<std::int32_t, std::string_view> kCanonicalNames[] = {
    {-2, "Media"},    {-1, "Special"},       {0, ""},      {1, "Talk"},       {2, "User"},      {3, "User talk"},
    {4, "Project"},   {5, "Project talk"},   {6, "File"},  {7, "File talk"},  {8, "MediaWiki"}, {9, "MediaWiki talk"},
    {10, "Template"}, {11, "Template talk"}, {12, "Help"}, {13, "Help talk"}, {14, "Category"}, {15, "Category talk"}};

/// Shortcuts that Wikimedia's English projects configure themselves (siteinfo of dumps does not list them).
constexpr std::pair<std::int32_t, std::string_view> kEnglishShortcuts[] = {{4, "wp"}, {5, "wt"}, {10, "tm"}};

/// Some names of the project's talk namespace hold the wiki's own name as "$1".
std::string with_project_name(std::string_view name, std::string_view project) {
  std::string out(name);
  const std::size_t hole = out.find("$1");
  if (hole != std::string::npos) out.replace(hole, 2, project);
  return out;
}

/// The host of an address, without its port.
std::string_view host_of(std::string_view url) {
  const std::size_t scheme = url.find("//");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 2);
  return url.substr(0, url.find_first_of("/:"));
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
  const std::string_view host = host_of(base_url);
  const std::string edition = lower_case(host.substr(0, host.find('.')));
  own_prefix_ = is_language_code(edition) ? edition : language;
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
  if (!start_page.empty()) main_page_ = start_page;
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

std::string SiteInfo::prefixed(const Title& title) const {
  const Namespace* ns = find_namespace(title.ns);
  if (ns == nullptr || ns->name.empty()) return title.text;
  std::string out;
  out.reserve(ns->name.size() + 1 + title.text.size());
  out.append(ns->name).append(":").append(title.text);
  return out;
}

bool SiteInfo::is_wikimedia() const {
  constexpr std::string_view kDomains[] = {"wikipedia.org", "wiktionary.org", "wikibooks.org",   "wikinews.org",
                                           "wikiquote.org", "wikisource.org", "wikiversity.org", "wikivoyage.org",
                                           "wikimedia.org", "mediawiki.org",  "wikidata.org",    "wikifunctions.org"};
  const std::string host = lower_case(host_of(base_url));
  return base_url.empty() || std::any_of(std::begin(kDomains), std::end(kDomains), [&](std::string_view domain) {
           return host == domain || (host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.');
         });
}

bool SiteInfo::is_language_edition() const {
  if (base_url.empty()) return true;
  const std::string_view host = host_of(base_url);
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

void SiteInfo::add_license(std::string_view more) {
  if (more.empty() || license.find(more) != std::string::npos) return;
  license.append(license.empty() ? "" : "; ").append(more);
}

std::string SiteInfo::to_json() const {
  JsonWriter json;
  json.begin_object().field("base_url", base_url).field("db_name", db_name).field("first_letter", first_letter);
  json.field("generator", generator).field("language", language);
  json.field("license", license).key("namespaces").begin_array();
  for (const Namespace& ns : namespaces)
    json.begin_object().field("first_letter", ns.first_letter).field("id", ns.id).field("name", ns.name).end_object();
  json.end_array().field("site_name", site_name);
  if (!start_page.empty()) json.field("start_page", start_page);
  return json.end_object().take();
}

SiteInfo SiteInfo::from_json(std::string_view text) {
  try {
    const auto json = parse_json(text);
    SiteInfo site;
    json.at("site_name").get_to(site.site_name);
    json.at("db_name").get_to(site.db_name);
    json.at("base_url").get_to(site.base_url);
    json.at("generator").get_to(site.generator);
    json.at("language").get_to(site.language);
    json.at("first_letter").get_to(site.first_letter);
    site.start_page = json.value("start_page", "");
    site.license = json.value("license", "");  // stores of earlier versions have none
    for (const auto& entry : json.at("namespaces")) {
      site.namespaces.push_back({entry.at("id").get<std::int32_t>(), entry.at("name").get<std::string>(),
                                 entry.at("first_letter").get<bool>()});
    }
    site.finish();
    return site;
  } catch (const nlohmann::ordered_json::exception& error) {
    throw FormatError(std::string("the stored description of the wiki is damaged (") + error.what() +
                      "); ingest the dump again");
  }
}

}  // namespace touchstone::extractors::site
