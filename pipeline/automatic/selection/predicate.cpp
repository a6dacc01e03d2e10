#include "pipeline/automatic/selection/predicate.hpp"

#include "pipeline/automatic/selection/predicate_table.hpp"

#include <algorithm>
#include <functional>

namespace touchstone::pipeline::automatic::selection {
namespace {

using internal::Argument;
using internal::kPredicateNames;
using Kind = PredicateKind;

/// A page's facts in the forms that are compared, each made when it is first needed.
class ComparableFacts {
 public:
  ComparableFacts(const PageFacts& page, const headings::TitleRules& titles, const SplitScheme& splits)
      : page_(page), titles_(titles), splits_(splits) {}

  const PageFacts& page() const noexcept { return page_; }
  const std::string& name() {
    return kept(name_, [&] { return headings::comparable_title(page_.name, titles_); });
  }
  const std::string& folded_name() {
    return kept(folded_name_, [&] { return headings::fold_case(name()); });
  }
  const std::vector<std::string>& redirects() {
    return kept(redirects_, [&] {
      return each(page_.redirect_names,
                  [&](const std::string& text) { return headings::comparable_title(text, titles_); });
    });
  }
  const std::vector<std::string>& folded_categories() {
    return kept(categories_, [&] {
      return each(page_.category_names,
                  [](const std::string& text) { return headings::fold_case(headings::comparable_piece(text)); });
    });
  }
  const std::string& qid() {
    return kept(qid_, [&] { return item_id(page_.qid); });
  }
  TitleSplit split() { return split_of(name(), splits_); }

 private:
  template <class Value, class Make>
  static const Value& kept(std::optional<Value>& value, const Make& make) {
    if (!value) value = make();
    return *value;
  }
  template <class Form>
  static std::vector<std::string> each(std::span<const std::string> texts, const Form& form) {
    std::vector<std::string> out;
    for (const auto& text : texts) out.push_back(form(text));
    return out;
  }

  const PageFacts& page_;
  const headings::TitleRules& titles_;
  const SplitScheme& splits_;
  std::optional<std::string> name_, folded_name_, qid_;
  std::optional<std::vector<std::string>> redirects_, categories_;
};

template <class Names>
bool any_in(const Names& names, const std::shared_ptr<const NameSet>& set) {
  return std::any_of(names.begin(), names.end(), [&](const auto& name) { return has_name(*set, name); });
}

bool hash_matches(const PredicateNode& node, const std::string& name) {
  const auto salt = node.salt ? static_cast<std::int64_t>(*node.salt) : kCarSalt;
  return floor_remainder(car_title_hash(name, salt), node.divisor) == node.remainder;
}

bool matches_node(const PredicateNode& node, ComparableFacts& facts) {
  const auto child_matches = [&](const PredicateNode& child) { return matches_node(child, facts); };
  const auto& children = node.children;
  switch (node.kind) {
    case Kind::kNameContains:
      return facts.folded_name().find(node.text) != std::string::npos;
    case Kind::kNameHasPrefix:
      return facts.name().starts_with(node.text);
    case Kind::kNameHasSuffix:
      return facts.name().ends_with(node.text);
    case Kind::kNameInSet:
    case Kind::kNameSetFromFile:
      return has_name(*node.set, facts.name());
    case Kind::kNameOrRedirectInSet:
      return has_name(*node.set, facts.name()) || any_in(facts.redirects(), node.set);
    case Kind::kCategoryContains: {
      const auto& names = facts.folded_categories();
      return std::any_of(names.begin(), names.end(),
                         [&](const std::string& name) { return name.find(node.text) != std::string::npos; });
    }
    case Kind::kQidInSet:
    case Kind::kQidSetFromFile:
      return has_name(*node.set, facts.qid());
    case Kind::kHasPageTag:
      return any_in(facts.page().page_tags, node.set);
    case Kind::kPageHashMod:
      return hash_matches(node, facts.name());
    case Kind::kTrainSet:
      return !facts.split().test;
    case Kind::kTestSet:
      return facts.split().test;
    case Kind::kFold:
      return facts.split().fold == node.remainder;
    case Kind::kIsRedirect:
      return facts.page().is_redirect;
    case Kind::kIsDisambiguation:
      return facts.page().is_disambiguation;
    case Kind::kIsCategory:
      return facts.page().is_category;
    case Kind::kTrue:
      return true;
    case Kind::kNot:
      return !matches_node(children.front(), facts);
    case Kind::kAnd:
      return std::all_of(children.begin(), children.end(), child_matches);
    case Kind::kOr:
      return std::any_of(children.begin(), children.end(), child_matches);
  }
  return false;
}

void print_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '"' || c == '\\')
      (out += '\\') += c;
    else
      out += c;
  }
  out += '"';
}

void print_argument(std::string& out, const PredicateNode& node, Argument argument) {
  if (argument == Argument::kNothing) return;
  out += ' ';
  if (argument == Argument::kText || argument == Argument::kFile) print_string(out, node.text);
  if (argument == Argument::kFold) out += std::to_string(node.remainder);
  if (argument == Argument::kHash) {
    out += std::to_string(node.divisor) + ' ' + std::to_string(node.remainder);
    if (node.salt) out += ' ' + std::to_string(*node.salt);
  }
  if (argument != Argument::kSet) return;
  out += '[';
  for (const auto& name : *node.set) {
    if (!out.ends_with('[')) out += ", ";
    print_string(out, name);
  }
  out += ']';
}

void print_node(std::string& out, const PredicateNode& node);

/// In parentheses where another operator is around it.
void print_operand(std::string& out, const PredicateNode& node) {
  const bool operation = node.kind == Kind::kAnd || node.kind == Kind::kOr;
  if (operation) out += '(';
  print_node(out, node);
  if (operation) out += ')';
}

void print_node(std::string& out, const PredicateNode& node) {
  if (node.kind == Kind::kNot) {
    out += '!';
    print_operand(out, node.children.front());
  } else if (node.kind == Kind::kAnd || node.kind == Kind::kOr) {
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      if (i > 0) out += node.kind == Kind::kAnd ? " & " : " | ";
      print_operand(out, node.children[i]);
    }
  } else {
    const auto* row = std::find_if(std::begin(kPredicateNames), std::end(kPredicateNames),
                                   [&](const auto& name) { return name.kind == node.kind; });
    out += row->name;
    print_argument(out, node, row->argument);
  }
}

}  // namespace

PageFacts facts_of(const formats::car::Page& page) {
  using formats::car::PageType;
  PageFacts facts;
  facts.name = page.name;
  facts.redirect_names = page.metadata.redirect_names;
  facts.category_names = page.metadata.category_names;
  facts.page_tags = page.metadata.page_tags;
  facts.qid = page.metadata.qid;
  facts.is_redirect = page.type == PageType::kRedirect;
  facts.is_disambiguation = page.type == PageType::kDisambiguation;
  facts.is_category = page.type == PageType::kCategory;
  return facts;
}

bool operator==(const PredicateNode& a, const PredicateNode& b) {
  const bool same_sets = (a.set == nullptr) == (b.set == nullptr) && (a.set == nullptr || *a.set == *b.set);
  return a.kind == b.kind && a.text == b.text && same_sets && a.divisor == b.divisor && a.remainder == b.remainder &&
         a.salt == b.salt && a.children == b.children;
}

bool Predicate::matches(const PageFacts& page) const {
  ComparableFacts facts(page, titles_, splits_);
  return matches_node(root_, facts);
}

std::string Predicate::text() const {
  std::string out;
  print_node(out, root_);
  return out;
}

std::vector<std::string_view> predicate_names() {
  std::vector<std::string_view> names;
  for (const auto& row : kPredicateNames) names.push_back(row.name);
  return names;
}

}  // namespace touchstone::pipeline::automatic::selection
