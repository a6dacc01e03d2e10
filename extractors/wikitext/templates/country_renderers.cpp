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

/// The country that a code ("JPN") or a name stands for. Names that are no codes stand for themselves.
std::optional<Country> find_country(const RenderCall& call, std::string_view asked) {
  if (asked.empty() || asked.find_first_of("[]{}<>|\n") != std::string_view::npos) return std::nullopt;
  const auto found = call.rules.countries.find(asked);
  if (found != call.rules.countries.end()) {
    const std::string_view text = found->second;
    const std::size_t bar = text.find('|');
    return bar == std::string_view::npos ? Country{text, text} : Country{text.substr(bar + 1), text.substr(0, bar)};
  }
  // A code that is not known could be of any country.
  constexpr std::size_t kCodeLength = 3;
  const bool code =
      asked.size() <= kCodeLength && asked.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos;
  return code ? std::nullopt : std::optional(Country{asked, asked});
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
      {"Fb", "national football team"},          {"Fb-rt", "national football team"},
      {"Fbw", "women's national football team"}, {"Fbw-rt", "women's national football team"},
      {"Cr", "national cricket team"},           {"Cr-rt", "national cricket team"},
      {"Ru", "national rugby union team"},       {"Ru-rt", "national rugby union team"},
      {"Bk", "men's national basketball team"},  {"Bk-rt", "men's national basketball team"},
  };
  const auto country = asked_country(call);
  // Teams of countries that the sport calls otherwise are not known, nor are earlier flags' names.
  if (!country || !call.get("name").empty() || country->article != country->name || country->name == "United States")
    return false;
  for (const auto& [name, team] : kTeams) {
    if (name != call.name) continue;
    append_link(std::string(country->name).append(" ").append(team), country->name, out);
    return true;
  }
  return false;
}

}  // namespace touchstone::extractors::wikitext::templates::internal
