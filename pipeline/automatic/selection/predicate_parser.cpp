#include "common/edit_distance.hpp"
#include "common/unicode.hpp"
#include "formats/fields/quote.hpp"
#include "pipeline/automatic/selection/predicate.hpp"
#include "pipeline/automatic/selection/predicate_table.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

namespace touchstone::pipeline::automatic::selection {
namespace {

using formats::fields::quote_for_message;
using internal::Argument;
using internal::PredicateName;
using Kind = PredicateKind;

constexpr std::size_t kMaxBytes = std::size_t{1} << 20, kMaxNodes = 10'000;
constexpr std::uint32_t kMaxDepth = 100;

std::string known_predicates() {
  std::string names;
  for (const auto name : predicate_names()) (names += names.empty() ? "" : ", ") += name;
  return names;
}

/// "; did you mean name-contains?", or all names where none is near.
std::string suggestion(std::string_view word) {
  const auto names = predicate_names();
  const auto distance = [&](std::string_view name) { return edit_distance(word.substr(0, 100), name); };
  const auto near =
      std::min_element(names.begin(), names.end(), [&](auto a, auto b) { return distance(a) < distance(b); });
  if (distance(*near) <= std::max<std::size_t>(2, near->size() / 4))
    return "; did you mean " + std::string(*near) + "?";
  return "; the predicates are " + known_predicates();
}

/// A prefix of titles: blanks at its end count.
std::string comparable_prefix(std::string_view text, const headings::TitleRules& rules) {
  const std::string piece = headings::comparable_piece(text);
  return headings::comparable_title(piece, rules) + (piece.ends_with(' ') && piece != " " ? " " : "");
}

/// A recursive-descent parser. Recursion is as deep as parentheses and negations are nested, at most kMaxDepth.
class PredicateParser {
 public:
  PredicateParser(std::string_view text, const PredicateContext& context) : text_(text), context_(context) {}

  PredicateNode parse() {
    if (text_.size() > kMaxBytes)
      fail(0,
           "the predicate is longer than 1 MiB; put long sets into a file and use name-set-from-file or "
           "qid-set-from-file");
    check_encoding();
    PredicateNode root = expression(0);
    if (at_ != text_.size()) fail(at_, "expected & or | or the end here, but found " + found());
    return root;
  }

  std::vector<std::filesystem::path> take_files() { return std::move(files_); }

 private:
  [[noreturn]] void fail(std::size_t offset, const std::string& problem) const {
    throw PredicateError(text_, offset, problem);
  }

  void check_encoding() const {
    for (std::size_t at = 0; at < text_.size();) {
      const auto start = at;
      if (next_code_point(text_, at) == kReplacementCharacter && at == start + 1)
        fail(start, "the predicate is not UTF-8 here");
    }
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      std::size_t next = at_;
      const char32_t code_point = next_code_point(text_, next);
      if (code_point > 0x20 && !is_unicode_space(code_point)) return;
      at_ = next;
    }
  }

  bool take(char wanted) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    skip_blanks();
    return true;
  }

  /// Where the word ends that starts here: at a blank or a character of the syntax.
  std::size_t word_end() const {
    std::size_t end = at_;
    while (end < text_.size()) {
      std::size_t next = end;
      const char32_t code_point = next_code_point(text_, next);
      if (code_point <= 0x20 || is_unicode_space(code_point)) break;
      if (next == end + 1 && std::string_view("\"()[],&|!").find(text_[end]) != std::string_view::npos) break;
      end = next;
    }
    return end;
  }

  std::string_view word() {
    const auto end = word_end();
    const auto taken = text_.substr(at_, end - at_);
    at_ = end;
    skip_blanks();
    return taken;
  }

  /// What is here, for messages: a text without its quotes, a word, or a character of the syntax.
  std::string found() const {
    if (at_ == text_.size()) return "the end";
    if (text_[at_] == '"') return quote_for_message(text_.substr(at_ + 1, text_.find('"', at_ + 1) - at_ - 1));
    return quote_for_message(text_.substr(at_, std::max<std::size_t>(1, word_end() - at_)));
  }

  PredicateNode expression(std::uint32_t depth) {
    PredicateNode left = operand(depth);
    for (;;) {
      const auto start = at_;
      const auto kind = take_operator();
      if (!kind) return left;
      left = combine(*kind, std::move(left), operand(depth), start);
    }
  }

  std::optional<Kind> take_operator() {
    if (take('&')) return Kind::kAnd;
    if (take('|')) return Kind::kOr;
    const auto start = at_;
    const auto name = word();
    if (name == "and") return Kind::kAnd;
    if (name == "or") return Kind::kOr;
    at_ = start;
    return std::nullopt;
  }

  PredicateNode operand(std::uint32_t depth) {
    skip_blanks();
    const auto start = at_;
    if (depth >= kMaxDepth)
      fail(start, "parentheses and negations are nested more than " + std::to_string(kMaxDepth) + " deep");
    if (take('!')) return negation(operand(depth + 1), start);
    if (!take('(')) return predicate();
    PredicateNode inner = expression(depth + 1);
    if (!take(')')) {
      if (at_ == text_.size()) fail(start, "the parenthesis that opens here is not closed; add )");
      fail(at_, "expected &, | or ) here, but found " + found());
    }
    return inner;
  }

  /// The depth of a node with these children, which is bounded as the recursion over the tree is.
  std::uint32_t depth_over(std::span<const PredicateNode> children, std::size_t offset) const {
    std::uint32_t depth = 1;
    for (const auto& child : children) depth = std::max(depth, child.depth + 1);
    if (depth <= kMaxDepth) return depth;
    fail(offset, "the predicate is nested more than " + std::to_string(kMaxDepth) +
                     " deep here, because & and | alternate; group the parts with parentheses");
  }

  PredicateNode negation(PredicateNode inner, std::size_t offset) {
    PredicateNode node;
    if (inner.kind == Kind::kNot) {
      node = std::move(inner.children.front());
      return node;
    }
    node.kind = Kind::kNot;
    node.children.push_back(std::move(inner));
    node.depth = depth_over(node.children, offset);
    return node;
  }

  /// `a & b & c` is one node, however it is grouped.
  PredicateNode combine(Kind kind, PredicateNode left, PredicateNode right, std::size_t offset) {
    PredicateNode node;
    if (left.kind == kind) {
      node = std::move(left);
    } else {
      node.kind = kind;
      node.children.push_back(std::move(left));
      node.depth = depth_over(node.children, offset);
    }
    std::vector<PredicateNode> added;
    if (right.kind == kind)
      added = std::move(right.children);
    else
      added.push_back(std::move(right));
    node.depth = std::max(node.depth, depth_over(added, offset));
    std::move(added.begin(), added.end(), std::back_inserter(node.children));
    return node;
  }

  PredicateNode predicate() {
    const auto start = at_;
    if (at_ == text_.size()) fail(start, "a predicate is missing at the end");
    const auto name = word();
    if (name.empty()) fail(start, "expected a predicate here, but found " + found());
    if (++nodes_ > kMaxNodes)
      fail(start, "the predicate has more than 10,000 parts; put names into a file and use name-set-from-file");
    for (const auto& row : internal::kPredicateNames) {
      if (row.name == name) return with_argument(row);
    }
    fail(start, "there is no predicate " + quote_for_message(name) + suggestion(name));
  }

  PredicateNode with_argument(const PredicateName& row) {
    PredicateNode node;
    node.kind = row.kind;
    if (row.argument == Argument::kText) node.text = text_argument(row);
    if (row.argument == Argument::kSet) node.set = set_argument(row);
    if (row.argument == Argument::kFile) read_file_argument(node, row);
    if (row.argument == Argument::kHash) read_hash_arguments(node);
    if (row.argument == Argument::kFold) read_fold(node);
    return node;
  }

  std::string string_of(const PredicateName& row) {
    const auto start = at_;
    if (take_quote()) return rest_of_quoted(start);
    const auto bare = word();
    if (bare.empty())
      fail(start, std::string(row.name) + " needs a text here, such as " + std::string(row.name) +
                      (row.kind == Kind::kQidInSet ? " [\"Q42\"]" : " \"text\"") + ", but found " + found());
    return std::string(bare);
  }

  bool take_quote() {
    if (at_ == text_.size() || text_[at_] != '"') return false;
    ++at_;
    return true;
  }

  std::string rest_of_quoted(std::size_t start) {
    std::string out;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] != '\\') {
        out += text_[at_];
        continue;
      }
      out += escaped();
    }
    if (at_ == text_.size()) fail(start, "the text that starts here has no closing quote");
    ++at_;
    skip_blanks();
    return out;
  }

  char escaped() {
    const auto start = at_++;
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    if (c == '"' || c == '\\') return c;
    if (c == 'n') return '\n';
    if (c == 't') return '\t';
    fail(start, "a backslash in a text may only be before \\, \", n or t; write \\\\ for a backslash");
  }

  /// The form in which a name of this predicate is compared; empty if the text is no such name.
  std::string comparable(Kind kind, std::string_view text) const {
    if (kind == Kind::kNameHasPrefix) return comparable_prefix(text, context_.titles);
    if (kind == Kind::kNameHasSuffix) return headings::comparable_piece(text);
    if (kind == Kind::kNameContains || kind == Kind::kCategoryContains)
      return headings::fold_case(headings::comparable_piece(text));
    if (kind == Kind::kQidInSet || kind == Kind::kQidSetFromFile) return item_id(text);
    if (kind == Kind::kHasPageTag) return std::string(text);
    return headings::comparable_title(text, context_.titles);
  }

  std::string text_argument(const PredicateName& row) {
    const auto start = at_;
    auto text = comparable(row.kind, string_of(row));
    if (text.empty())
      fail(start, "the text of " + std::string(row.name) + " is empty, and would fit every page; write true for that");
    return text;
  }

  std::string member(const PredicateName& row) {
    const auto start = at_;
    const auto given = string_of(row);
    auto name = comparable(row.kind, given);
    if (name.empty())
      fail(start,
           quote_for_message(given) + (row.kind == Kind::kQidInSet ? " is no Wikidata id such as Q42" : " is no name"));
    return name;
  }

  std::shared_ptr<const NameSet> set_argument(const PredicateName& row) {
    const auto start = at_;
    if (!take('[')) return make_name_set({member(row)});
    std::vector<std::string> names;
    if (take(']')) return make_name_set({});
    do {
      names.push_back(member(row));
    } while (take(','));
    if (!take(']')) {
      if (at_ == text_.size()) fail(start, "the set that opens here is not closed; add ]");
      fail(at_, "expected , or ] in the set, but found " + found());
    }
    return make_name_set(std::move(names));
  }

  void read_file_argument(PredicateNode& node, const PredicateName& row) {
    const auto start = at_;
    node.text = string_of(row);
    if (node.text.empty() || node.text.find('\0') != std::string::npos) fail(start, "this is no name of a file");
    if (!context_.read_files) {
      node.set = make_name_set({});
      return;
    }
    const auto path = context_.base_folder / node.text;
    try {
      const bool items = row.kind == Kind::kQidSetFromFile;
      node.set = read_name_set(path, items ? "Wikidata id such as Q42" : "title",
                               [&](std::string_view line) { return comparable(row.kind, line); });
    } catch (const Error& error) {
      fail(start, error.what());
    }
    files_.push_back(path);
  }

  std::optional<std::uint64_t> number() {
    const auto start = at_;
    const auto digits = word();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (!digits.empty() && error == std::errc() && end == digits.data() + digits.size()) return value;
    at_ = start;
    return std::nullopt;
  }

  std::uint64_t needed_number(const std::string& what) {
    const auto start = at_;
    if (const auto value = number()) return *value;
    fail(start, "expected " + what + " here, but found " + found());
  }

  void read_hash_arguments(PredicateNode& node) {
    const auto start = at_;
    node.divisor = needed_number("the number of parts of page-hash-mod");
    if (node.divisor == 0 || node.divisor > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
      fail(start, "the number of parts of page-hash-mod must be from 1 to 9223372036854775807");
    const auto second = at_;
    node.remainder = needed_number("the part of page-hash-mod, counted from 0,");
    if (node.remainder >= node.divisor) {
      fail(second, "page-hash-mod " + std::to_string(node.divisor) + " has the parts 0 to " +
                       std::to_string(node.divisor - 1) + "; the number of parts comes first");
    }
    node.salt = number();
  }

  void read_fold(PredicateNode& node) {
    const auto start = at_;
    node.remainder = needed_number("the number of a fold");
    if (node.remainder >= context_.splits.folds)
      fail(start, "there are the folds 0 to " + std::to_string(context_.splits.folds - 1) +
                      "; automatic.folds sets their number");
  }

  std::string_view text_;
  const PredicateContext& context_;
  std::size_t at_ = 0, nodes_ = 0;
  std::vector<std::filesystem::path> files_;
};

}  // namespace

PredicateError::Place PredicateError::place_of(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, offset);
  const auto line_start = before.rfind('\n');
  const auto start = line_start == std::string_view::npos ? 0 : line_start + 1;
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          count_code_points(before.substr(start)) + 1, text.find('\n') != std::string_view::npos};
}

PredicateError::PredicateError(Place place, const std::string& problem)
    : ConfigError((place.several_lines ? "line " + std::to_string(place.line) + ", " : std::string{}) + "column " +
                  std::to_string(place.column) + ": " + problem),
      line_(place.line),
      column_(place.column) {}

PredicateError::PredicateError(std::string_view text, std::size_t offset, const std::string& problem)
    : PredicateError(place_of(text, offset), problem) {}

Predicate parse_predicate(std::string_view text, const PredicateContext& context) {
  PredicateParser parser(text, context);
  Predicate predicate;
  predicate.root_ = parser.parse();
  predicate.titles_ = context.titles;
  predicate.splits_ = context.splits;
  predicate.files_ = parser.take_files();
  return predicate;
}

}  // namespace touchstone::pipeline::automatic::selection
