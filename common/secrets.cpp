#include "common/secrets.hpp"

#include "common/ascii.hpp"
#include "common/digest.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include <sys/prctl.h>
#include <sys/resource.h>

namespace touchstone {
namespace {

constexpr std::size_t kShortest = 6;
/// Shorter pieces of base64 are in texts by chance.
constexpr std::size_t kShortestBase64 = 8;
/// So many bytes of a secret are hidden where not all of it is: a reply that was cut, or a message that shortens
/// it.
constexpr std::size_t kPiece = 16;
constexpr std::string_view kHidden = "***";
/// Of the search: bytes that are looked up together, entries of the table, and bytes of a form that it looks at.
constexpr std::size_t kPair = 2, kPairs = 4096, kLongestWindow = 255;

/// The number in `digits` hexadecimal digits at `at`, or -1.
int hex_number(std::string_view text, std::size_t at, std::size_t digits) noexcept {
  if (at + digits > text.size()) return -1;
  int number = 0;
  for (std::size_t i = at; i < at + digits; ++i) {
    const int digit = hex_value(text[i]);
    if (digit < 0) return -1;
    number = number * 16 + digit;
  }
  return number;
}

/// The named characters of HTML for the signs of ASCII, and the two hyphens that are written for "-"; with their
/// semicolon, without which most are not read. Source: HTML Living Standard, section 13.5 (read 2026-11).
constexpr auto kEntities = std::to_array<std::pair<std::string_view, char>>(
    {{"excl;", '!'},   {"quot;", '"'},   {"QUOT;", '"'},   {"num;", '#'},      {"dollar;", '$'}, {"percnt;", '%'},
     {"apos;", '\''},  {"lpar;", '('},   {"rpar;", ')'},   {"ast;", '*'},      {"midast;", '*'}, {"plus;", '+'},
     {"comma;", ','},  {"hyphen;", '-'}, {"dash;", '-'},   {"period;", '.'},   {"sol;", '/'},    {"colon;", ':'},
     {"semi;", ';'},   {"lt;", '<'},     {"LT;", '<'},     {"equals;", '='},   {"gt;", '>'},     {"GT;", '>'},
     {"quest;", '?'},  {"commat;", '@'}, {"lsqb;", '['},   {"lbrack;", '['},   {"bsol;", '\\'},  {"rsqb;", ']'},
     {"rbrack;", ']'}, {"Hat;", '^'},    {"lowbar;", '_'}, {"UnderBar;", '_'}, {"grave;", '`'},  {"lcub;", '{'},
     {"lbrace;", '{'}, {"verbar;", '|'}, {"vert;", '|'},   {"rcub;", '}'},     {"rbrace;", '}'}, {"AMP;", '&'}});
constexpr std::size_t kLongestName = 9;

/// A text without its escapes, and where each of its bytes comes from. NUL bytes are left out, so that UTF-16 is read
/// too.
class Unescaped {
 public:
  /// \param with_places  `begin` will be asked; most texts hold no secret, and need no places
  explicit Unescaped(std::string_view raw, bool with_places = false) : raw_(raw), with_places_(with_places) {
    text.reserve(raw.size());
    if (with_places) begins_.reserve(raw.size() + 1);
    for (std::size_t at = copy_plain(0); at < raw.size();) at = copy_plain(step(at));
    if (with_places) begins_.push_back(raw.size());
  }

  std::string text;
  /// First byte of `raw` that the byte `index` comes from; the size of `raw` behind the last.
  std::size_t begin(std::size_t index) const noexcept { return begins_[index]; }

 private:
  static bool is_plain(char c) noexcept {
    static constexpr auto kPlain = [] {
      std::array<bool, 256> plain{};
      plain.fill(true);
      for (const char c : {'\\', '%', '&', '\0'}) plain[static_cast<unsigned char>(c)] = false;
      return plain;
    }();
    return kPlain[static_cast<unsigned char>(c)];
  }

  /// Copies what represents itself from `begin` on, and returns where it ends.
  std::size_t copy_plain(std::size_t begin) {
    const auto end = static_cast<std::size_t>(
        std::find_if_not(raw_.begin() + static_cast<std::ptrdiff_t>(begin), raw_.end(), is_plain) - raw_.begin());
    text.append(raw_, begin, end - begin);
    for (auto at = begin; with_places_ && at < end; ++at) begins_.push_back(at);
    return end;
  }

  void put(int code, std::size_t begin) {
    if (code == 0) return;
    text.push_back(code > 0 && code < 0x80 ? static_cast<char>(code) : '\x01');
    if (with_places_) begins_.push_back(begin);
  }

  /// Reads the escape, or the NUL byte, at `at`, and returns where the next begins.
  std::size_t step(std::size_t at) {
    switch (raw_[at]) {
      case '\\':
        return backslash(at);
      case '%':
        return percent(at);
      case '&':
        return ampersand(at);
      default:
        return at + 1;
    }
  }

  std::size_t backslash(std::size_t begin) {
    auto at = raw_.find_first_not_of('\\', begin);
    if (at == std::string_view::npos) {
      put('\\', begin);
      return raw_.size();
    }
    if (raw_[at] == 'u' && hex_number(raw_, at + 1, 4) >= 0) {
      put(hex_number(raw_, at + 1, 4), begin);
      return at + 5;
    }
    if (raw_[at] == 'x' && hex_number(raw_, at + 1, 2) >= 0) {
      put(hex_number(raw_, at + 1, 2), begin);
      return at + 3;
    }
    // A line end counts as its letter: what begins behind it is found all the same.
    if (raw_[at] == '%' || raw_[at] == '&') return step(at);
    put(static_cast<unsigned char>(raw_[at]), begin);
    return at + 1;
  }

  std::size_t percent(std::size_t begin) {
    auto at = begin + 1;
    while (raw_.substr(at).starts_with("25") && hex_number(raw_, at + 2, 2) >= 0) at += 2;
    const int code = hex_number(raw_, at, 2);
    put(code >= 0 ? code : '%', begin);
    return code >= 0 ? at + 2 : begin + 1;
  }

  std::size_t ampersand(std::size_t begin) {
    auto at = begin + 1;
    while (raw_.substr(at).starts_with("amp;")) at += 4;
    if (at >= raw_.size() || raw_[at] != '#') {
      const auto name = raw_.substr(at, std::min(raw_.size() - at, kLongestName));
      for (const auto& [entity, character] : kEntities) {
        if (!name.starts_with(entity)) continue;
        put(static_cast<unsigned char>(character), begin);
        return at + entity.size();
      }
      put('&', begin);
      return at;
    }
    const bool is_hex = at + 1 < raw_.size() && ascii_lower(raw_[at + 1]) == 'x';
    const int base = is_hex ? 16 : 10;
    int code = 0;
    std::size_t digits = at + (is_hex ? 2 : 1);
    for (; digits < raw_.size() && code < 0x110000; ++digits) {
      const int digit = hex_value(raw_[digits]);
      if (digit < 0 || digit >= base) break;
      code = code * base + digit;
    }
    put(code, begin);
    return digits < raw_.size() && raw_[digits] == ';' ? digits + 1 : digits;
  }

  std::string_view raw_;
  bool with_places_;
  std::vector<std::size_t> begins_;
};

/// The characters of base64 that follow from `secret` alone when `before` bytes (0 to 2) are in front of it.
std::string base64_inside(std::string_view secret, std::size_t before, std::string_view digits) {
  std::string bytes(before, '\0');
  bytes += secret;
  std::string text;
  for (std::size_t bit = 0; bit + 6 <= bytes.size() * 8; bit += 6) {
    unsigned value = 0;
    for (std::size_t i = bit; i < bit + 6; ++i) {
      value = value << 1 | (static_cast<unsigned>(static_cast<unsigned char>(bytes[i / 8])) >> (7 - i % 8) & 1U);
    }
    text.push_back(digits[value]);
  }
  constexpr std::size_t kMixed[] = {0, 2, 3};  // characters that the bytes in front have a part in
  return text.substr(std::min(text.size(), kMixed[before]));
}

bool is_base64(char c) noexcept {
  return is_ascii_alphanumeric(c) || std::string_view("+/-_=").find(c) != std::string_view::npos;
}

/// A place in a table of pairs of bytes. Letters of either case have the same one.
std::size_t pair_at(std::string_view text, std::size_t at) noexcept {
  const auto folded = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(text[i]) | 0x20);
  };
  return (folded(at) << 5 ^ folded(at + 1)) % kPairs;
}

}  // namespace

SecretFinder::SecretFinder(const std::vector<std::string>& secrets) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  for (const auto& secret : secrets) {
    if (secret.size() < kShortest) continue;
    // Texts are searched without their escapes, and so is a password that is escaped in a URL.
    const auto plain = ascii_lower(Unescaped(secret).text);
    add({plain, true, false});
    for (std::size_t at = 0; plain.size() > kPiece && at + kPiece <= plain.size(); ++at)
      add({plain.substr(at, kPiece), true, false});
    add({to_hex(reinterpret_cast<const std::uint8_t*>(secret.data()), secret.size()), true, false});
    for (const std::string_view last : {"+/", "-_"}) {
      const auto digits = std::string(kLetters) + std::string(last);
      for (std::size_t before = 0; before < 3; ++before) {
        auto inside = base64_inside(secret, before, digits);
        if (inside.size() >= kShortestBase64) add({std::move(inside), false, true});
      }
    }
  }
  prepare_skips();
}

void SecretFinder::add(Form form) {
  // The two alphabets of base64 mostly say the same. A form of one byte would be in any text.
  const bool is_known = std::find(forms_.begin(), forms_.end(), form) != forms_.end();
  if (!is_known && form.text.size() >= kPair) forms_.push_back(std::move(form));
}

void SecretFinder::prepare_skips() {
  window_ = kLongestWindow;
  for (const auto& form : forms_) window_ = std::min(window_, form.text.size());
  skips_.assign(kPairs, static_cast<std::uint8_t>(window_ - 1));
  for (const auto& form : forms_) {
    for (std::size_t at = 0; at + kPair <= window_; ++at) {
      auto& skip = skips_[pair_at(form.text, at)];
      skip = std::min(skip, static_cast<std::uint8_t>(window_ - kPair - at));
    }
  }
}

bool SecretFinder::Form::begins(std::string_view part) const noexcept {
  if (!any_case) return part.starts_with(text);
  return part.size() >= text.size() &&
         std::equal(text.begin(), text.end(), part.begin(), [](char ours, char c) { return ours == ascii_lower(c); });
}

bool SecretFinder::holds_one(std::string_view text) const noexcept {
  for (auto end = window_; end <= text.size();) {
    if (const auto skip = skips_[pair_at(text, end - kPair)]; skip > 0) {
      end += skip;
      continue;
    }
    const auto part = text.substr(end - window_);
    if (std::any_of(forms_.begin(), forms_.end(), [&](const Form& form) { return form.begins(part); })) return true;
    ++end;
  }
  return false;
}

bool SecretFinder::hide(std::string& text) const {
  if (forms_.empty() || text.size() < window_ || !holds_one(Unescaped(text).text)) return false;
  replace(text);
  return true;
}

void SecretFinder::replace(std::string& text) const {
  const Unescaped unescaped(text, true);
  const auto any_case = ascii_lower(unescaped.text);
  std::vector<std::pair<std::size_t, std::size_t>> found;  // bytes of `text`
  for (const auto& form : forms_) {
    const auto& searched = form.any_case ? any_case : unescaped.text;
    for (auto at = searched.find(form.text); at != std::string::npos;) {
      auto begin = at, end = at + form.text.size();
      if (form.base64) {
        while (begin > 0 && is_base64(searched[begin - 1])) --begin;
        while (end < searched.size() && is_base64(searched[end])) ++end;
      }
      found.emplace_back(unescaped.begin(begin), unescaped.begin(end));
      at = searched.find(form.text, end);
    }
  }
  std::sort(found.begin(), found.end());
  std::string hidden;
  std::size_t copied = 0;
  for (const auto& [begin, end] : found) {
    if (begin >= copied) {
      hidden.append(text, copied, begin - copied);
      hidden += kHidden;
    }
    copied = std::max(copied, end);
  }
  hidden.append(text, copied);
  text = std::move(hidden);
}

namespace {

/// The secrets of the process.
struct KeptSecrets {
  std::mutex mutex;
  std::vector<std::string> secrets;
  std::shared_ptr<const SecretFinder> finder;
  std::atomic<bool> any{false};
};

KeptSecrets& kept_secrets() {
  static KeptSecrets kept;
  return kept;
}

}  // namespace

bool names_secret(std::string_view name) {
  const auto in_lower_case = ascii_lower(name);
  constexpr std::array<std::string_view, 7> kParts = {"key",    "auth",     "token",    "secret",
                                                      "cookie", "password", "signature"};
  return std::ranges::any_of(kParts,
                             [&](std::string_view part) { return in_lower_case.find(part) != std::string::npos; });
}

void keep_secret(std::string_view secret) {
  if (secret.empty()) return;
  forbid_core_dumps();
  auto& kept = kept_secrets();
  const std::lock_guard lock(kept.mutex);
  if (std::find(kept.secrets.begin(), kept.secrets.end(), secret) != kept.secrets.end()) return;
  kept.secrets.emplace_back(secret);
  kept.finder = std::make_shared<const SecretFinder>(kept.secrets);
  kept.any = !kept.finder->empty();
}

bool has_secrets() noexcept {
  return kept_secrets().any;
}

bool hide_secrets(std::string& text) {
  if (!has_secrets()) return false;
  auto& kept = kept_secrets();
  std::shared_ptr<const SecretFinder> finder;
  {
    const std::lock_guard lock(kept.mutex);
    finder = kept.finder;
  }
  return finder->hide(text);
}

void forbid_core_dumps() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_CORE, &limit) == 0) {
    limit.rlim_cur = 0;
    ::setrlimit(RLIMIT_CORE, &limit);
  }
  // A handler that core dumps are piped to takes no notice of the limit. The leak sanitizer must be able to attach.
#if !defined(__SANITIZE_ADDRESS__)
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

}  // namespace touchstone
