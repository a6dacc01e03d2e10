#include "common/named_values.hpp"
#include "extractors/wikitext/templates/renderers.hpp"

#include <optional>
#include <utility>

namespace touchstone::extractors::wikitext::templates::internal {
using preprocessor::ExpandedText;
namespace {

/// Views of the rules or of the call.
struct Country {
  std::string_view article, name;
};

/// True for a text that is written as codes are: up to three small letters, or up to six capitals, digits and hyphens.
/// Names of countries have letters of both kinds.
bool looks_like_code(std::string_view text) {
  constexpr std::size_t kCodeLength = 3, kLongCode = 6;
  const bool capitals = text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == std::string_view::npos;
  const bool small = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
  return (small && text.size() <= kCodeLength) || (capitals && text.size() <= kLongCode);
}

/// The country that a code ("JPN") or a name represents. Names that are not in the rules represent themselves. A code
/// that is not in them could be of any country.
std::optional<Country> find_country(const RenderCall& call, std::string_view asked) {
  if (asked.empty() || asked.find_first_of("[]{}<>|\n") != std::string_view::npos) return std::nullopt;
  const auto found = call.rules.countries.find(asked);
  if (found != call.rules.countries.end()) {
    const std::string_view text = found->second;
    const std::size_t bar = text.find('|');
    return bar == std::string_view::npos ? Country{text, text} : Country{text.substr(bar + 1), text.substr(0, bar)};
  }
  return looks_like_code(asked) ? std::nullopt : std::optional(Country{asked, asked});
}

std::optional<Country> asked_country(const RenderCall& call) {
  const std::string_view asked = call.get(1);
  return find_country(call, asked.empty() && call.rules.countries.count(call.name) != 0 ? call.name : asked);
}

}  // namespace

/// {{flag|JPN}}, {{JPN}}, {{flagcountry|Japan|name=Empire of Japan}}: the flag's country as a link.
bool render_country(const RenderCall& call, ExpandedText& out) {
  // Of {{JPN}} the first argument asks for a form of the flag.
  const bool by_own_name = call.rules.countries.count(call.name) != 0;
  const auto country = by_own_name ? find_country(call, call.name) : asked_country(call);
  if (!country) return false;
  const std::string_view name = call.get("name");
  append_link(country->article, name.empty() ? country->name : name, out);
  return true;
}

/// {{flagicon|JPN}}: a picture that links to the country.
bool render_country_icon(const RenderCall& call, ExpandedText& out) {
  const auto country = asked_country(call);
  if (!country) return false;
  const std::size_t begin = out.text.size();
  out.text.append("[[File:Flag.svg|link=").append(country->article).append("]]");
  out.made.push_back({begin, out.text.size()});
  return true;
}

/// {{flagu|JPN}}: the country without link.
bool render_country_name(const RenderCall& call, ExpandedText& out) {
  const auto country = asked_country(call);
  if (!country) return false;
  out.text.append(call.get("name").empty() ? country->name : call.get("name"));
  return true;
}

/// {{fb|JPN}}: the country's name as a link to its team.
bool render_national_team(const RenderCall& call, ExpandedText& out) {
  constexpr std::pair<std::string_view, std::string_view> kTeams[] = {
      {"Fb", "football-team"},         {"Fb-rt", "football-team"},
      {"Fbw", "womens-football-team"}, {"Fbw-rt", "womens-football-team"},
      {"Cr", "cricket-team"},          {"Cr-rt", "cricket-team"},
      {"Ru", "rugby-union-team"},      {"Ru-rt", "rugby-union-team"},
      {"Bk", "mens-basketball-team"},  {"Bk-rt", "mens-basketball-team"}};
  const auto country = asked_country(call);
  // Teams of countries that the sport calls otherwise are not known, nor are earlier flags' names.
  if (!country || !call.get("name").empty() || country->article != country->name || country->name == "United States")
    return false;
  const std::string_view* team = find_value(kTeams, call.name);
  if (team == nullptr) return false;
  append_link(phrase(call.word(*team), {country->name}), country->name, out);
  return true;
}

}  // namespace touchstone::extractors::wikitext::templates::internal
