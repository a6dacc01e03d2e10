#include "common/unicode.hpp"
#include "extractors/site/language_data.hpp"
#include "extractors/site/moment.hpp"
#include "extractors/site/number_style.hpp"
#include "extractors/wikitext/functions/expression.hpp"
#include "extractors/wikitext/functions/function_call.hpp"
#include "extractors/wikitext/preprocessor/page_text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include <unicode/locid.h>
#include <unicode/plurrule.h>
#include <unicode/strenum.h>

namespace touchstone::extractors::wikitext::functions::internal {
using namespace preprocessor;
using scan::trim;
using namespace site;
namespace {

constexpr std::size_t kMaxPadding = 500;

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

// Letters of what is known are changed, whatever is beside it.

template <std::string (*kChange)(std::string_view)>
void change_case(const FunctionCall& f, ExpandedText& out) {
  ExpandedText changed;
  change_outside_markers(f.passed_on(0), changed, kChange);
  append_trimmed(changed, out);
}
void do_ucfirst(const FunctionCall& f, ExpandedText& out) {
  append_trimmed({upper_case_first(f.passed_on(0), f.context().site.language), {}}, out);
}
void do_lcfirst(const FunctionCall& f, ExpandedText& out) {
  const std::string text = f.passed_on(0);
  if (text.empty()) return;
  std::size_t end = 0;
  next_code_point(text, end);
  append_trimmed({lower_case(std::string_view(text).substr(0, end)).append(text, end), {}}, out);
}

template <bool kLeft>
void pad(const FunctionCall& f, ExpandedText& out) {
  const std::string text = f.text(0);
  const long wanted = std::clamp(std::strtol(f.text(1).c_str(), nullptr, 10), 0L, static_cast<long>(kMaxPadding));
  const std::string padding = f.count() > 2 ? without_markers(f.text(2)) : "0";
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
  f.expander().count_bytes(fill.size());
  out.text.append(kLeft ? fill + text : text + fill);
}

/// The names of a language's plural forms, in the order that wikis use; empty if it has no plural.
std::vector<std::string_view> plural_names(const icu::PluralRules& rules) {
  constexpr std::array<std::string_view, 6> kOrder = {"zero", "one", "two", "few", "many", "other"};
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::StringEnumeration> known(rules.getKeywords(status));
  std::array<bool, kOrder.size()> has{};
  while (U_SUCCESS(status) && known != nullptr) {
    const char* word = known->next(nullptr, status);
    if (word == nullptr) break;
    for (std::size_t i = 0; i < kOrder.size(); ++i) has[i] = has[i] || kOrder[i] == word;
  }
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    if (has[i]) names.push_back(kOrder[i]);
  }
  return names.size() < 2 ? std::vector<std::string_view>() : names;
}

struct PluralForms {
  std::unique_ptr<icu::PluralRules> rules;
  std::vector<std::string_view> names;
};

/// Those of a language, or of the first it falls back to that has a plural. Null rules represent that of English.
PluralForms find_plural_forms(std::string_view language) {
  for (const std::string_view code : language_chain(language)) {
    UErrorCode status = U_ZERO_ERROR;
    PluralForms forms;
    forms.rules.reset(icu::PluralRules::forLocale(icu::Locale(std::string(code).c_str()), status));
    if (U_SUCCESS(status) && forms.rules != nullptr) forms.names = plural_names(*forms.rules);
    if (!forms.names.empty()) return forms;
  }
  return {};
}

/// Which of a language's plural forms goes with a number: 0 is the first.
std::size_t plural_form(std::string_view language, double number) {
  // A thread reads pages of one wiki, as a rule, and to make the rules takes long.
  thread_local std::string known_language;
  thread_local PluralForms forms;
  if (known_language != language) {
    forms = find_plural_forms(language);
    known_language = language;
  }
  if (forms.rules == nullptr) return number == 1 ? 0 : 1;
  std::string chosen;
  forms.rules->select(number).toUTF8String(chosen);
  return static_cast<std::size_t>(std::find(forms.names.begin(), forms.names.end(), chosen) - forms.names.begin());
}

/// The count that is in front of the '=' of a form for that count alone; nothing for other forms, "a=b" among them.
std::optional<std::string> exact_count(const FunctionCall& f, std::size_t number) {
  if (!f.part(number).named) return std::nullopt;
  const std::string name = f.untrimmed_name(number);
  if (name.empty() || name.back() < '0' || name.back() > '9') return std::nullopt;
  return std::string(trim(name));
}

/// {{plural: number | form | form | 12=form for twelve}}
void do_plural(const FunctionCall& f, ExpandedText& out) {
  const std::string written = read_number(f.text(0), number_style(f.context().site.language));
  if (f.unknown()) return;
  const double number = std::strtod(written.c_str(), nullptr);
  const std::string count = print_number(number);
  std::vector<std::size_t> forms;
  for (std::size_t i = 1; i < f.count(); ++i) {
    const auto exact = exact_count(f, i);
    if (!exact) {
      forms.push_back(i);
    } else if (*exact == count && !f.unknown()) {
      f.show_value(i, out);
      return;
    }
  }
  if (forms.empty()) return;
  const std::size_t form = plural_form(f.context().site.language, std::abs(number));
  f.show(forms[std::min(form, forms.size() - 1)], out);
}

void do_formatnum(const FunctionCall& f, ExpandedText& out) {
  const NumberStyle& style = number_style(f.context().site.language);
  const std::string kind = lower_case(f.text(1));
  const auto write = [&](std::string_view text) {
    if (kind == "r") return read_number(text, style);
    return kind == "nosep" ? write_digits(text, style) : write_number(text, style);
  };
  change_outside_markers(f.text(0), out, write);
}

/// {{#language: code | in which language}}; without the second argument the language's own name.
void do_language(const FunctionCall& f, ExpandedText& out) {
  const std::string code = lower_case(f.text(0)), in = lower_case(f.text(1));
  const icu::Locale locale(code.c_str());
  icu::UnicodeString name;
  locale.getDisplayName(icu::Locale(in.empty() ? code.c_str() : in.c_str()), name);
  name.toUTF8String(out.text);
}

/// Interface messages are no part of a dump unless the wiki changed them, which makes them pages. Others are not known,
/// nor are those with calls or parameters, which are not computed.
void do_message(const FunctionCall& f, ExpandedText& out) {
  const std::string name = f.text(0);
  const auto title = f.context().site.parse_title("MediaWiki:" + name);
  const PageLoader* loader = f.context().options.loader;
  if (title && loader != nullptr) {
    const auto text = load_clean(*loader, title->title);
    if (text && text->find("{{") == std::string::npos && text->find('$') == std::string::npos) {
      f.expander().count_bytes(text->size());
      out.text.append(*text);
      return;
    }
  }
  f.withhold(UnknownCause::kMessage);
}

/// {{#dateformat: date | order}}: English dates in the given order, or unchanged without it.
void do_date_format(const FunctionCall& f, ExpandedText& out) {
  const std::string text = f.text(0);
  const std::string order = lower_case(f.text(1));
  const std::string reordered = reorder_date(text, order == "default" ? std::string() : order);
  out.text.append(reordered.empty() ? text : reordered);
}

}  // namespace

std::string without_markers(std::string_view text) {
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

FunctionTable text_functions() {
  static constexpr std::pair<std::string_view, FunctionHandler> kTable[] = {
      {"lc", change_case<lower_case>},
      {"uc", change_case<upper_case>},
      {"lcfirst", do_lcfirst},
      {"ucfirst", do_ucfirst},
      {"padleft", pad<true>},
      {"padright", pad<false>},
      {"plural", do_plural},
      {"grammar", [](const FunctionCall& f, ExpandedText& out) { f.show(1, out); }},
      // The neutral form, as nothing is known of users.
      {"gender", [](const FunctionCall& f, ExpandedText& out) { f.show(f.count() > 3 ? 3 : 1, out); }},
      {"formatnum", do_formatnum},
      {"#language", do_language},
      {"int", do_message},
      {"#formatdate", do_date_format},
      {"#dateformat", do_date_format},
  };
  return kTable;
}

}  // namespace touchstone::extractors::wikitext::functions::internal
