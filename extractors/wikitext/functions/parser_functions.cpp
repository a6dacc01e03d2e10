#include "extractors/wikitext/functions/parser_functions.hpp"

#include "common/number_text.hpp"
#include "common/unicode.hpp"
#include "extractors/scan/entities.hpp"
#include "extractors/site/language_words.hpp"
#include "extractors/site/moment.hpp"
#include "extractors/wikitext/functions/expression.hpp"
#include "extractors/wikitext/functions/function_call.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

namespace touchstone::extractors::wikitext::functions {
using namespace internal;
using namespace preprocessor;
using namespace scan;
using namespace site;
namespace {

/// A text that is a number and nothing else: digits with a point and a power of ten.
bool is_numeric(std::string_view text) noexcept {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || (!scan::is_digit(text.front()) && text.front() != '.')) return false;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return end == text.data() + text.size() && error != std::errc::invalid_argument;
}

/// Numbers are equal by value, texts by letters, and so are numbers too large to tell.
bool same_value(const std::string& a, const std::string& b) {
  if (!is_numeric(a) || !is_numeric(b)) return a == b;
  const auto whole = [](std::string_view text) {
    return to_number<long long>(text.substr(text.starts_with('+') ? 1 : 0));
  };
  const auto m = whole(a), n = whole(b);
  if (m && n) return *m == *n;
  const double x = std::strtod(a.c_str(), nullptr), y = std::strtod(b.c_str(), nullptr);
  return std::isinf(x) && std::isinf(y) ? a == b : x == y;
}

/// A text of which some part is known and not blank is not empty, whatever the rest is.
void do_if(const FunctionCall& f, ExpandedText& out) {
  const std::string test = f.passed_on(0);
  const auto cause = find_unknown(test);
  if (cause && is_known_blank(test)) {
    f.withhold(*cause);
  } else {
    f.show(test.empty() ? 2 : 1, out);
  }
}

void do_ifeq(const FunctionCall& f, ExpandedText& out) {
  const bool same = same_value(decode_references(f.text(0)), decode_references(f.text(1)));
  if (!f.unknown()) f.show(same ? 2 : 3, out);
}

/// True for text with an element that says of itself that it is an error message.
bool has_error(std::string_view text) {
  if (has_error_mark(text)) return true;
  constexpr std::string_view kElements[] = {"strong", "span", "p", "div"};
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    constexpr std::size_t kMostBytes = 2'000;  // longer ones are not messages
    std::string_view tag = text.substr(at + 1, kMostBytes);
    tag = tag.substr(0, tag.find('>'));
    const bool known = std::any_of(std::begin(kElements), std::end(kElements), [&](std::string_view name) {
      return starts_with(tag, name) && tag.size() > name.size() && is_trimmed(tag[name.size()]);
    });
    constexpr std::string_view kClass = "class=\"";
    const std::size_t begin = known ? tag.find(kClass) : std::string_view::npos;
    if (begin == std::string_view::npos) continue;
    const std::string_view value = tag.substr(begin + kClass.size());
    const std::string classes = " " + std::string(value.substr(0, value.find('"'))) + " ";
    if (classes.find(" error ") != std::string::npos) return true;
  }
  return false;
}

void do_iferror(const FunctionCall& f, ExpandedText& out) {
  const std::string tested = f.passed_on(0);
  const bool error = has_error(tested);
  if (const auto cause = error ? std::nullopt : find_unknown(tested)) {
    f.withhold(*cause);
  } else {
    f.show(error ? 1 : f.count() > 2 ? 2 : 0, out);
  }
}

/// Evaluates the first argument, and shows the error if it has one. An error message in an expression is an error
/// itself: it begins with '<'.
Evaluation evaluate_argument(const FunctionCall& f, ExpandedText& out) {
  const std::string expression = f.text(0);
  if (f.unknown()) return {};
  Evaluation result = evaluate(has_error_mark(expression) ? std::string("<") : expression);
  if (result.failed) f.expander().give_error(result.text, out);
  return result;
}

void do_expr(const FunctionCall& f, ExpandedText& out) {
  const Evaluation result = evaluate_argument(f, out);
  if (!result.failed) out.text.append(result.text);
}

void do_ifexpr(const FunctionCall& f, ExpandedText& out) {
  const Evaluation result = evaluate_argument(f, out);
  if (!result.failed && !f.unknown()) f.show(result.holds ? 1 : 2, out);
}

/// Which pages exist is known only where templates are expanded from the pages of the wiki.
void do_ifexist(const FunctionCall& f, ExpandedText& out) {
  const auto title = f.context().site.parse_title(decode_references(f.text(0)));
  const PageLoader* loader = f.context().options.loader;
  const bool may_exist = title && title->interwiki.empty();
  if (may_exist && (loader == nullptr || f.context().options.templates != TemplateMode::kExpand))
    f.withhold(UnknownCause::kExistence);
  if (!f.unknown()) f.show(may_exist && loader->exists(title->title) ? 1 : 2, out);
}

/// A case that is not known may be the one that is asked for, unless one in front of it is.
void do_switch(const FunctionCall& f, ExpandedText& out) {
  const std::string value = decode_references(f.text(0));
  std::size_t fallback = 0;
  bool found = false;
  bool default_next = false;
  for (std::size_t i = 1; i < f.count() && !f.unknown(); ++i) {
    if (f.part(i).named) {
      const std::string name = found ? std::string() : decode_references(f.name(i));
      if (f.unknown()) return;
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
    if (i + 1 == f.count()) {  // the last one without a name is the default
      f.show_value(i, out);
      return;
    }
    if (found) continue;
    const std::string name = decode_references(f.value_text(i));
    found = same_value(name, value);
    default_next = default_next || name == "#default";
  }
  if (fallback != 0 && !f.unknown()) f.show_value(fallback, out);
}

void do_tag(const FunctionCall& f, ExpandedText& out) {
  Extension extension;
  extension.kind = find_extension(f.text(0)).kind;
  if (f.unknown()) return;
  std::string attributes;
  for (std::size_t i = 2; i < f.count(); ++i) {
    if (!f.part(i).named) continue;
    std::string value = f.passed_on_value(i);
    if (find_unknown(value)) continue;
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
  f.expander().remove_marks(0, content);
  extension.attributes = f.expander().keep(std::move(attributes));
  extension.content = f.expander().keep(std::move(content.text));
  f.expander().add_extension(extension, out);
}

void do_nothing(const FunctionCall&, ExpandedText&) {}

/// For functions that a dump cannot answer.
template <UnknownCause kCause>
void do_unknown(const FunctionCall& f, ExpandedText&) {
  f.withhold(kCause);
}

/// {{#time: format | moment | language}}; without a moment, or with one that is relative, counted from the dump's date.
void do_time(const FunctionCall& f, ExpandedText& out) {
  const auto now = f.context().now();
  const std::string asked = f.text(1), format = f.text(0), language = f.text(2);
  if (f.unknown()) return;
  const auto moment = read_moment(asked.empty() ? "now" : asked, now);
  constexpr std::int64_t kAnyMoment = 0;
  if (moment) {
    out.text.append(format_moment(*moment, format, language.empty() ? f.context().site.language : language));
  } else if (!now && (asked.empty() || read_moment(asked, kAnyMoment))) {
    f.withhold(UnknownCause::kDate);
  } else {
    f.expander().give_error("Error: Invalid time.", out);
  }
}

/// Modules are not run: their template is dropped, and the links in its arguments count.
void do_invoke(const FunctionCall& f, ExpandedText&) {
  ++f.context().counters.templates_dropped;
  f.withhold(UnknownCause::kModule);
  if (f.frame() != nullptr && f.frame()->arguments != nullptr) f.expander().hide_arguments(*f.frame()->arguments);
}

constexpr std::pair<std::string_view, FunctionHandler> kFunctions[] = {
    {"#if", do_if},
    {"#ifeq", do_ifeq},
    {"#iferror", do_iferror},
    {"#expr", do_expr},
    {"#ifexpr", do_ifexpr},
    {"#ifexist", do_ifexist},
    {"#switch", do_switch},
    {"#tag", do_tag},
    {"#invoke", do_invoke},
    {"#time", do_time},
    {"#timel", do_time},
    {"#coordinates", do_nothing},
    {"#related", do_nothing},
    {"#property", do_unknown<UnknownCause::kStatement>},
    {"#statements", do_unknown<UnknownCause::kStatement>},
    {"defaultsort", do_nothing},
    {"defaultsortkey", do_nothing},
    {"defaultcategorysort", do_nothing},
    {"displaytitle", do_nothing},
    {"filepath", do_unknown<UnknownCause::kVariable>},
    {"pagesincategory", do_unknown<UnknownCause::kCount>},
    {"pagesincat", do_unknown<UnknownCause::kCount>},
    {"pagesize", do_unknown<UnknownCause::kCount>},
    {"protectionlevel", do_unknown<UnknownCause::kVariable>},
    {"protectionexpiry", do_unknown<UnknownCause::kVariable>},
    {"cascadingsources", do_unknown<UnknownCause::kVariable>},
    {"numberingroup", do_unknown<UnknownCause::kCount>},
    {"numingroup", do_unknown<UnknownCause::kCount>},
};

/// Null for other names. \param name  in lower case
FunctionHandler find_function(std::string_view name) {
  static const auto functions = [] {
    std::unordered_map<std::string_view, FunctionHandler> all(std::begin(kFunctions), std::end(kFunctions));
    for (const FunctionTable& table : {text_functions(), title_functions()}) all.insert(table.begin(), table.end());
    return all;
  }();
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

/// Appends the value of a page variable.
void show_variable(Expander& expander, const std::string& value, ExpandedText& out) {
  if (value.empty()) return expander.keep_apart(out);
  const auto cause = is_mark(value) ? find_unknown(value) : std::nullopt;
  if (!cause) {
    out.text.append(value);
    return;
  }
  expander.keep_apart(out);
  expander.withhold(*cause, out);
}

/// Calls the function. What it gave does not count when the result is not known.
bool call_function(FunctionHandler handler, const FunctionCall& call, ExpandedText& out) {
  const ExpandedText::Size before = out.size();
  handler(call, out);
  if (!call.unknown()) return !call.declined();
  out.resize(before);
  call.expander().withhold(*call.unknown(), out);
  return true;
}

}  // namespace

bool expand_parser_function(Expander& expander, const MarkupTree& tree, const Call& call, std::string_view title,
                            const Frame* frame, ExpandedText& out) {
  const LanguageWords& words = expander.context().site.words();
  if (call.part_count == 0) {
    if (const auto word = page_variable(expander.context(), words.canonical_variable(title))) {
      show_variable(expander, *word, out);
      return true;
    }
  }
  const std::size_t colon = title.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view name = title.substr(0, colon);
  const std::string_view first = trim(title.substr(colon + 1));
  if (const auto word = page_variable_of(expander.context(), words.canonical_variable(name), first)) {
    if (!word->empty()) show_variable(expander, *word, out);
    return true;
  }
  const FunctionHandler handler = find_function(words.canonical_function(lower_case(name)));
  return handler != nullptr && call_function(handler, FunctionCall(expander, tree, call, first, frame), out);
}

}  // namespace touchstone::extractors::wikitext::functions
