#include "extractors/wikitext/inline/conversion_rule.hpp"

#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <optional>

namespace touchstone::extractors::wikitext::inlines::internal {
using namespace scan;
using site::Variant;
using site::VariantLanguage;
namespace {

constexpr std::string_view kArrow = "=>";

bool is_space(char c) noexcept {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

std::size_t skip_space(std::string_view text, std::size_t at) noexcept {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

bool is_reference_byte(char c) noexcept {
  return c == '#' || scan::is_alphanumeric(c);
}

/// True for the semicolon that ends a character reference.
bool ends_reference(std::string_view text, std::size_t semicolon) noexcept {
  std::size_t at = semicolon;
  while (at > 0 && is_reference_byte(text[at - 1])) --at;
  return at < semicolon && at > 0 && text[at - 1] == '&';
}

class FormReader {
 public:
  FormReader(const VariantLanguage& language, std::string_view text) : language_(language), text_(text) {}

  ConversionRule read() {
    texts_.resize(language_.variants.size());
    read_flags();
    combine_flags();
    ConversionRule form;
    form.converts = flags_ == "R" && std::find(codes_.begin(), codes_.end(), 0) != codes_.end();
    if (!has('R') && !has('N')) read_entries();
    if (order_.empty() && one_way_.empty()) {
      if (has('+') || has('-')) {
        for (std::size_t i = 0; i < texts_.size() && !rules_.empty(); ++i) {
          texts_[i] = rules_;
          order_.push_back(i);
        }
      } else if (!has('N') && !has('T')) {
        flags_ = "R";
      }
    }
    show(form);
    if (language_.defines && form.action != ConversionRule::Action::kNone) define(form);
    return form;
  }

 private:
  /// A text for one variant, or with `from` what another text is for it.
  struct Entry {
    std::size_t variant = 0;
    std::string_view from, to;
  };

  bool has(char flag) const noexcept { return flags_.find(flag) != std::string::npos; }
  void add(char flag) {
    if (!has(flag)) flags_.push_back(flag);
  }

  /// The flag that a word in front of '|' represents, or NUL.
  char flag_of(std::string_view word) const {
    if (word.size() == 1 && std::string_view("ATRD-HN").find(word[0]) != std::string_view::npos) return word[0];
    char flag = '\0';
    for_each_part(language_.flags, '|', [&](std::string_view entry) {
      if (entry.substr(0, entry.size() - 2) == word) flag = entry.back();
    });
    return flag;
  }

  void read_flags() {
    const std::size_t bar = text_.find('|');
    rules_ = bar == std::string_view::npos ? text_ : text_.substr(bar + 1);
    if (bar == std::string_view::npos) return;
    for_each_part(text_.substr(0, bar), ';', [&](std::string_view word) {
      word = trim(word);
      if (const char flag = flag_of(word); flag != '\0') add(flag);
      for (std::size_t i = 0; i < language_.variants.size(); ++i) {
        if (word == language_.variants[i].code && std::find(codes_.begin(), codes_.end(), i) == codes_.end())
          codes_.push_back(i);
      }
    });
  }

  /// Some flags rule others out, and some bring others with them.
  void combine_flags() {
    if (flags_.empty() && codes_.empty()) {
      flags_ = "S";
    } else if (has('R') || has('N') || has('-')) {
      flags_ = has('R') ? "R" : has('N') ? "N" : "-";
      codes_.clear();
    } else if (flags_ == "T" && codes_.empty()) {
      flags_ = "TH";
    } else if (has('H')) {
      flags_ = std::string("+H") + (has('T') ? "T" : "") + (has('D') ? "D" : "");
      codes_.clear();
    } else {
      if (has('A')) {
        add('+');
        add('S');
      }
      if (has('D')) flags_.erase(std::remove(flags_.begin(), flags_.end(), 'S'), flags_.end());
      if (!codes_.empty()) flags_ = "R";
    }
  }

  /// True where a variant's code and a colon follow.
  bool begins_entry(std::size_t at) const noexcept {
    const std::string_view rest = rules_.substr(at);
    for (const Variant& variant : language_.variants) {
      for (const std::string_view code : {variant.code, variant.standard_code}) {
        if (!starts_with(rest, code)) continue;
        const std::size_t behind = skip_space(rest, code.size());
        if (behind < rest.size() && rest[behind] == ':') return true;
      }
    }
    return false;
  }

  /// The next semicolon at or behind byte `from` that ends no character reference, or the end.
  std::size_t next_semicolon(std::size_t from) const noexcept {
    std::size_t at = rules_.find(';', from);
    while (at < rules_.size() && ends_reference(rules_, at)) at = rules_.find(';', at + 1);
    return std::min(at, rules_.size());
  }

  /// The next semicolon that parts two entries: the end follows it, a variant's code, or a text that goes to one.
  std::size_t next_mark(std::size_t from) const noexcept {
    for (std::size_t at = next_semicolon(from); at < rules_.size(); at = next_semicolon(at + 1)) {
      const std::size_t behind = skip_space(rules_, at + 1);
      if (behind == rules_.size() || begins_entry(behind)) return at;
      const std::string_view next = rules_.substr(0, next_semicolon(behind));
      for (std::size_t arrow = next.find(kArrow, behind); arrow < next.size(); arrow = next.find(kArrow, arrow + 1)) {
        if (begins_entry(skip_space(rules_, arrow + kArrow.size()))) return at;
      }
    }
    return rules_.size();
  }

  void read_entries() {
    bool good = true;
    for (std::size_t from = 0; good && from <= rules_.size();) {
      const std::size_t end = next_mark(from);
      good = read_entry(rules_.substr(from, end - from));
      from = end + 1;
    }
    if (good) return;
    texts_.assign(language_.variants.size(), std::nullopt);
    order_.clear();
    one_way_.clear();
  }

  /// False for an entry of no variant, which makes text of the whole form.
  bool read_entry(std::string_view entry) {
    const std::size_t colon = entry.find(':');
    if (colon == std::string_view::npos) return true;
    const std::string_view head = trim(entry.substr(0, colon)), to = trim(entry.substr(colon + 1));
    const std::size_t arrow = head.find(kArrow);
    const bool one_way = arrow != std::string_view::npos;
    const std::string_view from = one_way ? trim(head.substr(0, arrow)) : std::string_view();
    const auto variant = language_.find(one_way ? trim(head.substr(arrow + kArrow.size())) : head);
    if (!variant) return false;
    if (one_way) {
      if (!from.empty()) one_way_.push_back({*variant, from, to});
    } else if (!to.empty()) {
      if (!texts_[*variant]) order_.push_back(*variant);
      texts_[*variant] = to;
    }
    return true;
  }

  /// The text for the wiki's own code, or that which replaces it.
  std::optional<std::string_view> own_text() const {
    if (order_.empty() && one_way_.empty()) return rules_;
    if (texts_[0]) return texts_[0];
    if (const auto fallback = text_of(language_.variants[0].fallbacks)) return fallback;
    const auto first_of = [&](auto matches) -> std::optional<std::string_view> {
      const auto first = std::find_if(one_way_.begin(), one_way_.end(), matches);
      if (first == one_way_.end()) return std::nullopt;
      const auto same = [&](const Entry& e) { return e.variant == first->variant && e.from == first->from; };
      return std::find_if(one_way_.rbegin(), one_way_.rend(), same)->to;
    };
    if (const auto own = first_of([](const Entry& e) { return e.variant == 0; })) return own;
    if (!language_.shows_any) return std::nullopt;
    return order_.empty() ? first_of([](const Entry&) { return true; }) : texts_[order_.front()];
  }

  std::optional<std::string_view> text_of(std::string_view codes) const {
    std::optional<std::string_view> found;
    for_each_part(codes, ' ', [&](std::string_view code) {
      const auto variant = language_.find(code);
      if (!found && variant) found = texts_[*variant];
    });
    return found;
  }

  /// The form's texts with the names of their variants.
  std::vector<ConversionRule::Part> describe() const {
    std::vector<ConversionRule::Part> parts;
    std::size_t described = 0;
    const auto add_text = [&](std::string before, std::string_view text, std::string_view behind) {
      ConversionRule::Part part = part_of(text);
      part.before = std::move(before);
      part.behind = behind;
      if (part.begin < described) {  // shown already, or behind its place: in the text alone
        for (const char c : text) {
          if (c != kTagByte) part.before.push_back(c);
        }
        part.begin = part.end = described;
      }
      described = part.end;
      parts.push_back(std::move(part));
    };
    const auto name_of = [&](std::size_t variant) {
      return std::string(language_.variants[variant].name).append(language_.code_mark);
    };
    for (const std::size_t variant : order_) add_text(name_of(variant), *texts_[variant], language_.form_mark);
    for (const Entry& entry : one_way_) {
      add_text({}, entry.from, {});
      add_text("⇒" + name_of(entry.variant), entry.to, language_.form_mark);
    }
    return parts;
  }

  ConversionRule::Part part_of(std::string_view text) const {
    const auto begin = static_cast<std::size_t>(text.data() - text_.data());
    return {begin, begin + text.size()};
  }

  /// Notes what other variants' words are for the wiki's own code.
  void define(ConversionRule& form) const {
    for (const Entry& entry : one_way_) {
      if (entry.variant == 0) form.definitions.emplace_back(entry.from, entry.to);
    }
    const auto own = texts_[0] ? texts_[0] : text_of(language_.variants[0].fallbacks);
    if (!own) return;
    for (std::size_t i = 1; i < texts_.size(); ++i) {
      const auto other = texts_[i] ? texts_[i] : text_of(language_.variants[i].fallbacks);
      if (other) form.definitions.emplace_back(*other, *own);
    }
  }

  /// Each flag in its turn says anew what is shown.
  void show(ConversionRule& form) const {
    form.is_wrong = true;
    for (const char flag : flags_) {
      if (std::string_view("RSNDHT+-").find(flag) == std::string_view::npos) continue;
      form.shown.clear();
      form.is_wrong = false;
      if (flag == 'R') form.shown.push_back(part_of(rules_));
      if (flag == 'D') form.shown = describe();
      if (flag == '+') form.action = ConversionRule::Action::kDefine;
      if (flag == '-') form.action = ConversionRule::Action::kForget;
      if (flag == 'S') {
        const auto own = own_text();
        if (own) form.shown.push_back(part_of(*own));
        form.is_wrong = !own;
      }
      if (flag == 'N') {
        for (const Variant& variant : language_.variants) {
          if (variant.code == trim(rules_)) form.shown.push_back({0, 0, std::string(variant.name)});
        }
      }
    }
  }

  const VariantLanguage& language_;
  std::string_view text_;   // of the whole form
  std::string_view rules_;  // behind the flags
  std::string flags_;       // in the order that they were given in, and with what follows from them
  std::vector<std::size_t> codes_;
  std::vector<std::optional<std::string_view>> texts_;  // by variant
  std::vector<std::size_t> order_;                      // of variants with a text
  std::vector<Entry> one_way_;                          // with `from`
};

}  // namespace

ConversionRule read_conversion_rule(const VariantLanguage& language, std::string_view text) {
  return FormReader(language, text).read();
}

void ConversionTable::define(std::string_view from, std::string_view to) {
  if (from.empty() || given_up_) return;
  const auto [word, is_new] = words_.insert_or_assign(std::string(from), std::string(to));
  if (is_new) ++lengths_[static_cast<unsigned char>(from.front())][from.size()];
}

void ConversionTable::forget(std::string_view from) {
  const auto word = words_.find(from);
  if (word == words_.end()) return;
  auto& lengths = lengths_[static_cast<unsigned char>(from.front())];
  if (--lengths[from.size()] == 0) lengths.erase(from.size());
  words_.erase(word);
}

void ConversionTable::give_up() {
  given_up_ = true;
  words_.clear();
  lengths_ = {};
}

ConversionTable::Match ConversionTable::find(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size() && !empty(); ++at) {
    const auto& lengths = lengths_[static_cast<unsigned char>(text[at])];
    for (auto one = lengths.lower_bound(text.size() - at); one != lengths.end(); ++one) {
      const std::size_t length = one->first;
      looked_at_ += length;
      const auto word = words_.find(text.substr(at, length));
      if (word != words_.end()) {
        if (word->second.size() > bytes_left_) {
          give_up();
          break;
        }
        bytes_left_ -= word->second.size();
        return {at, at + length, word->second};
      }
      if (looked_at_ > kMaxBytesLookedAt) {
        give_up();
        break;
      }
    }
  }
  return {text.size(), text.size(), {}};
}

}  // namespace touchstone::extractors::wikitext::inlines::internal
