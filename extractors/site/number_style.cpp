#include "extractors/site/number_style.hpp"

#include "common/unicode.hpp"
#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace touchstone::extractors::site {
using scan::starts_with;
using scan::trim;
namespace {

struct LanguageStyle {
  NumberStyle style;
  std::string_view languages;  ///< with blanks between them
};

// How MediaWiki 1.39 writes numbers in its languages; those that are not here write as English does.
constexpr LanguageStyle kStyles[] = {
    {{".", ",", false, false, U'0'},
     " abs ace aln arq az ban bar bbc-latn bjn bs btm bug ca crh crh-latn cu da de de-at de-formal dsb el"
     " eu fo frr fy gag gl gor gsw hr hrx hsb id is jut jv kiu kl lb li lzz mad map-bms min mk mo nds"
     " nds-nl nia nl nl-informal pdc pdt pfl pnt rmy rn ro rsk rup ruq ruq-cyrl ruq-latn rw sc sh sh-latn"
     " sl sli sq sr sr-ec sr-el srn stq su tr vi vls vmf yrl zea "},
    {{"\u00A0", ",", false, false, U'0'},
     " af atj bci be bm br co cs egl eml eo ff fi fit fon fr frc frp fur gcr ht hu hu-formal ia io it ka"
     " kab kbp kea krl ky lij lld lmo ln lt ltg lv mg mwl nap nb nn nrm oc olo pcd pms pt pt-br rgn"
     " roa-tara scn sdc se se-fi se-no se-se ses sg sgs shi shy-latn sk smn sro sv tet tg tg-cyrl tk ty"
     " uz vec vmw vot wa wls wo zgh "},
    {{"\u00A0", ",", true, false, U'0'},
     " ab alt an arn ast av avk ay ba be-tarask bg bxr cbk-zam ce csb cv es es-formal et ext gld gn guc"
     " hy hyw inh kaa kk kk-cyrl kk-kz kk-latn kk-tr koi krc ksh kum kv lad lbe lez liv mdf mhr mrj myv"
     " nah os pl qu qug ru rue sah sjd sty szl tt tt-cyrl tyv udm uk vep vro xal "},
    {{"\u066C", "\u066B", false, false, U'\u06F0'}, " azb bcc bgn bqi fa glk ks ks-arab lki lrc luz mzn ps sdh "},
    {{",", ".", false, true, U'\u0966'}, " anp awa gom-deva hi mai mr sa "},
    {{",", ".", false, false, U'\u0966'}, " bh bho dty ks-deva ne new pi "},
    {{"", ".", false, false, U'\u1040'}, " blk kjp ksw mnw my "},
    {{"\u066C", "\u066B", false, false, U'\u0660'}, " aeb-arab ar ckb sd "},
    {{",", ".", false, true, U'0'}, " ml pa ta te "},
    {{",", ".", false, true, U'\u09E6'}, " as bn bpy "},
    {{".", ",", true, false, U'0'}, " crh-cyrl ku ku-latn "},
    {{"\u066C", "\u066B", true, false, U'\u06F0'}, " kk-arab kk-cn "},
    {{",", ".", false, true, U'\u0CE6'}, " kn tcy "},
    {{",", ".", false, false, U'\u0660'}, " skr skr-arab "},
    {{"'", ",", false, false, U'0'}, " de-ch "},
    {{",", ".", false, true, U'\u0AE6'}, " gu "},
    {{"", ".", false, false, U'\u17E0'}, " km "},
    {{"\u066C", "\u066B", true, false, U'\u0660'}, " ku-arab "},
    {{"\u00A0", ".", false, false, U'0'}, " la "},
    {{".", ",", false, false, U'\u0ED0'}, " lo "},
    {{",", ".", false, false, U'\u09E6'}, " mni "},
    {{",", ".", false, false, U'\u1A80'}, " nod "},
    {{",", ".", false, false, U'\u07C0'}, " nqo "},
    {{",", ".", false, true, U'\u0B66'}, " or "},
    {{",", ".", false, false, U'\u06F0'}, " pnb "},
    {{"\u2019", ".", false, false, U'0'}, " rm "},
    {{",", ".", false, false, U'\u1C50'}, " sat "},
};

constexpr NumberStyle kEnglish{};

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

std::size_t digits_at(std::string_view text, std::size_t begin) noexcept {
  std::size_t end = begin;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - begin;
}

/// A number in a text: sign, digits in front of the point and behind it, power of ten.
struct Written {
  bool negative = false, has_point = false;
  std::string_view whole, fraction;
  int exponent = 0;
  std::size_t size = 0;
};

/// The number that begins at `text`; its size is 0 if there is no number.
Written read_written(std::string_view text) {
  Written number;
  std::size_t i = 0;
  if (!text.empty() && text[0] == '-') {
    number.negative = true;
    ++i;
  }
  const std::size_t whole = digits_at(text, i);
  const std::size_t point = i + whole;
  number.whole = text.substr(i, whole);
  std::size_t end = point;
  if (point < text.size() && text[point] == '.') {
    const std::size_t fraction = digits_at(text, point + 1);
    if (whole == 0 && fraction == 0) return {};
    number.has_point = true;
    number.fraction = text.substr(point + 1, fraction);
    end = point + 1 + fraction;
  }
  if (end == i) return {};
  if (end + 1 < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const std::size_t sign = text[end + 1] == '-' || text[end + 1] == '+' ? 1 : 0;
    const std::size_t digits = digits_at(text, end + 1 + sign);
    constexpr std::size_t kMostDigits = 2;
    if (digits > 0 && digits <= kMostDigits) {
      std::from_chars(text.data() + end + 1 + sign, text.data() + end + 1 + sign + digits, number.exponent);
      if (text[end + 1] == '-') number.exponent = -number.exponent;
      end += 1 + sign + digits;
    }
  }
  number.size = end;
  return number;
}

void append_digit(char digit, const NumberStyle& style, std::string& out) {
  append_utf8(out, style.zero + static_cast<char32_t>(digit - '0'));
}

void append_grouped(std::string_view digits, const NumberStyle& style, std::string& out) {
  constexpr std::size_t kGroup = 3;
  const bool grouped = digits.size() > kGroup + (style.keeps_four ? 1 : 0);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    const bool indian_break = left == kGroup || (left > kGroup && left % 2 == 1);
    if (grouped && i > 0 && (style.indian ? indian_break : left % kGroup == 0)) out.append(style.group);
    append_digit(digits[i], style, out);
  }
}

void append_number(const Written& number, const NumberStyle& style, std::string& out) {
  std::string whole(number.whole), fraction(number.fraction);
  for (int i = number.exponent; i > 0; --i) {
    whole.push_back(fraction.empty() ? '0' : fraction.front());
    if (!fraction.empty()) fraction.erase(0, 1);
  }
  for (int i = number.exponent; i < 0; ++i) {
    fraction.insert(0, 1, whole.empty() ? '0' : whole.back());
    if (!whole.empty()) whole.pop_back();
  }
  if (number.exponent != 0) {
    while (whole.size() > 1 && whole.front() == '0') whole.erase(0, 1);
    if (whole.empty()) whole = "0";
  }
  if (number.negative) out.append("\u2212");
  append_grouped(whole, style, out);
  if (fraction.empty() && (!number.has_point || number.exponent != 0)) return;
  out.append(style.point);
  for (const char digit : fraction) append_digit(digit, style, out);
}

}  // namespace

const NumberStyle& number_style(std::string_view language) {
  static const auto styles = [] {
    std::unordered_map<std::string_view, const NumberStyle*> table;
    for (const LanguageStyle& entry : kStyles) {
      for (std::string_view codes = trim(entry.languages); !codes.empty(); codes = trim(codes)) {
        const std::string_view code = codes.substr(0, codes.find(' '));
        table.emplace(code, &entry.style);
        codes.remove_prefix(code.size());
      }
    }
    return table;
  }();
  const auto found = styles.find(language);
  return found == styles.end() ? kEnglish : *found->second;
}

std::string write_number(std::string_view text, const NumberStyle& style) {
  if (text.size() > 1 && text.front() == '+' && read_written(text.substr(1)).size + 1 == text.size() && text[1] != '-')
    text.remove_prefix(1);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const Written number =
        is_digit(text[i]) || text[i] == '-' || text[i] == '.' ? read_written(text.substr(i)) : Written{};
    if (number.size == 0) {
      out.push_back(text[i++]);
    } else {
      append_number(number, style, out);
      i += number.size;
    }
  }
  return out;
}

std::string write_digits(std::string_view text, const NumberStyle& style) {
  std::string out;
  for (const char c : text) {
    if (is_digit(c)) {
      append_digit(c, style, out);
    } else if (c == '-') {
      out.append("\u2212");
    } else {
      out.push_back(c);
    }
  }
  return out;
}

std::string read_number(std::string_view text, const NumberStyle& style) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    std::size_t end = i;
    const char32_t c = next_code_point(text, end);
    if (!style.group.empty() && starts_with(rest, style.group)) {
      i += style.group.size();
    } else if (starts_with(rest, style.point)) {
      out.push_back('.');
      i += style.point.size();
    } else {
      constexpr char32_t kDigits = 10, kMinus = 0x2212;
      if (c >= style.zero && c < style.zero + kDigits) {
        out.push_back(static_cast<char>('0' + (c - style.zero)));
      } else if (c == kMinus) {
        out.push_back('-');
      } else {
        out.append(text.substr(i, end - i));
      }
      i = end;
    }
  }
  return out;
}

std::string group_digits(std::string_view number) {
  std::size_t begin = 0;
  while (begin < number.size() && (number[begin] < '0' || number[begin] > '9')) ++begin;
  std::size_t end = begin;
  while (end < number.size() && number[end] >= '0' && number[end] <= '9') ++end;
  std::string out(number.substr(0, begin));
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin && (end - i) % 3 == 0) out.push_back(',');
    out.push_back(number[i]);
  }
  return out.append(number.substr(end));
}

}  // namespace touchstone::extractors::site
