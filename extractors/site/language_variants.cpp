#include "extractors/site/language_variants.hpp"

#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace touchstone::extractors::site {
using scan::ascii_lower;
using scan::starts_with_ignoring_case;
namespace {

// Languages, codes, names and fallbacks: those of MediaWiki 1.39 (mediawiki.org Writing systems, read 2025-01).
constexpr Variant kBalinese[] = {
    {"ban", "ban", "Basa Bali", "ban"},
    {"ban-bali", "ban-Bali", "ᬩᬲᬩᬮᬶ", "ban"},
    {"ban-x-dharma", "ban-x-dharma", "Basa Bali (alih aksara DHARMA)", "ban"},
    {"ban-x-palmleaf", "ban-x-palmleaf", "Basa Bali (alih aksara Palmleaf.org)", "ban"},
    {"ban-x-pku", "ban-x-pku", "Basa Bali (alih aksara Puri Kauhan Ubud)", "ban"},
};
constexpr Variant kCrimeanTatar[] = {
    {"crh", "crh", "qırımtatarca", "crh-latn"},
    {"crh-cyrl", "crh-Cyrl", "къырымтатарджа (Кирилл)", "crh-latn"},
    {"crh-latn", "crh-Latn", "qırımtatarca (Latin)", "crh-cyrl"},
};
constexpr Variant kGan[] = {
    {"gan", "gan", "原文", "gan-hans gan-hant"},
    {"gan-hans", "gan-Hans", "简体", "gan"},
    {"gan-hant", "gan-Hant", "繁體", "gan"},
};
constexpr Variant kInuktitut[] = {
    {"iu", "iu", "ᐃᓄᒃᑎᑐᑦ/inuktitut", "ike-cans"},
    {"ike-cans", "ike-Cans", "ᐃᓄᒃᑎᑐᑦ", "iu"},
    {"ike-latn", "ike-Latn", "inuktitut", "iu"},
};
constexpr Variant kKazakh[] = {
    {"kk", "kk", "қазақша", "kk-cyrl"},
    {"kk-cyrl", "kk-Cyrl", "қазақша (кирил)", "kk"},
    {"kk-latn", "kk-Latn", "qazaqşa (latın)", "kk"},
    {"kk-arab", "kk-Arab", "قازاقشا (تٴوتە)", "kk"},
    {"kk-kz", "kk-KZ", "қазақша (Қазақстан)", "kk-cyrl"},
    {"kk-tr", "kk-TR", "qazaqşa (Türkïya)", "kk-latn"},
    {"kk-cn", "kk-CN", "قازاقشا (جۇنگو)", "kk-arab"},
};
constexpr Variant kKurdish[] = {
    {"ku", "ku", "kurdî", "ku-latn"},
    {"ku-arab", "ku-Arab", "كوردي (عەرەبی)", "ku-latn"},
    {"ku-latn", "ku-Latn", "kurdî (latînî)", "ku-arab"},
};
constexpr Variant kTachelhit[] = {
    {"shi", "shi", "Taclḥit", "shi-latn shi-tfng"},
    {"shi-tfng", "shi-Tfng", "ⵜⴰⵛⵍⵃⵉⵜ", "shi"},
    {"shi-latn", "shi-Latn", "Taclḥit", "shi"},
};
constexpr Variant kSerbian[] = {
    {"sr", "sr", "српски / srpski", "sr-ec"},
    {"sr-ec", "sr-Cyrl", "српски (ћирилица)", "sr"},
    {"sr-el", "sr-Latn", "srpski (latinica)", "sr"},
};
constexpr Variant kTajik[] = {
    {"tg", "tg", "тоҷикӣ", "tg"},
    {"tg-latn", "tg-Latn", "tojikī", "tg"},
};
constexpr Variant kTalysh[] = {
    {"tly", "tly", "tolışi", "tly"},
    {"tly-cyrl", "tly-Cyrl", "толыши", "tly"},
};
constexpr Variant kUzbek[] = {
    {"uz", "uz", "oʻzbekcha/ўзбекча", "uz-latn"},
    {"uz-latn", "uz-Latn", "oʻzbekcha", "uz"},
    {"uz-cyrl", "uz-Cyrl", "ўзбекча", "uz"},
};
constexpr Variant kChinese[] = {
    {"zh", "zh", "原文", "zh-hans zh-hant zh-cn zh-tw zh-hk zh-sg zh-mo zh-my"},
    {"zh-hans", "zh-Hans", "简体", "zh-cn zh-sg zh-my"},
    {"zh-hant", "zh-Hant", "繁體", "zh-tw zh-hk zh-mo"},
    {"zh-cn", "zh-Hans-CN", "大陆", "zh-hans zh-sg zh-my"},
    {"zh-hk", "zh-Hant-HK", "香港", "zh-mo zh-hant zh-tw"},
    {"zh-mo", "zh-Hant-MO", "澳門", "zh-hk zh-hant zh-tw"},
    {"zh-my", "zh-Hans-MY", "大马", "zh-sg zh-hans zh-cn"},
    {"zh-sg", "zh-Hans-SG", "新加坡", "zh-my zh-hans zh-cn"},
    {"zh-tw", "zh-Hant-TW", "臺灣", "zh-hant zh-hk zh-mo"},
};

constexpr std::string_view kChineseSwitches = "__不转换内容__|__不轉換內容__";
constexpr std::string_view kKazakhSwitches =
    "__мағлұматынтүрлендіргізбеу__|__матжоқ__|__мағлұматалмастырғызбау__|__мабау__";
constexpr std::string_view kSerbianFlags = "S=S|писмо=S|pismo=S|W=W|реч=W|reč=W|ријеч=W|riječ=W";

constexpr std::pair<std::string_view, VariantLanguage> kLanguages[] = {
    {"ban", {.variants = kBalinese, .flags = {}, .own_switches = "__tanpakonversiisi__|__nirkosi__"}},
    {"crh", {.variants = kCrimeanTatar, .flags = {}, .own_switches = {}, .defines = false}},
    {"gan",
     {.variants = kGan,
      .flags = {},
      .own_switches = kChineseSwitches,
      .code_mark = ": ",
      .form_mark = "; ",
      .shows_any = true,
      .defines = false}},
    {"iu", {.variants = kInuktitut, .flags = {}, .own_switches = {}}},
    {"kk", {.variants = kKazakh, .flags = {}, .own_switches = kKazakhSwitches}},
    {"ku", {.variants = kKurdish, .flags = {}, .own_switches = {}}},
    {"shi", {.variants = kTachelhit, .flags = {}, .own_switches = "__sansconversioncontenu__|__sanscc__"}},
    {"sr", {.variants = kSerbian, .flags = kSerbianFlags, .own_switches = "__безкс__|__безцц__|__bezks__"}},
    {"tg", {.variants = kTajik, .flags = {}, .own_switches = "__бе_тағйири_матн__"}},
    {"tly", {.variants = kTalysh, .flags = {}, .own_switches = {}}},
    {"uz", {.variants = kUzbek, .flags = {}, .own_switches = {}}},
    {"zh",
     {.variants = kChinese,
      .flags = {},
      .own_switches = kChineseSwitches,
      .code_mark = "：",
      .form_mark = "；",
      .shows_any = true,
      .defines = false}},
};

}  // namespace

std::optional<std::size_t> VariantLanguage::find(std::string_view code) const {
  std::string lower(code);
  std::transform(lower.begin(), lower.end(), lower.begin(), ascii_lower);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const Variant& variant = variants[i];
    if (lower == variant.code) return i;
    if (lower.size() == variant.standard_code.size() && starts_with_ignoring_case(variant.standard_code, lower))
      return i;
  }
  return std::nullopt;
}

const VariantLanguage* find_variant_language(std::string_view code) noexcept {
  const auto* found =
      std::find_if(std::begin(kLanguages), std::end(kLanguages), [&](const auto& one) { return one.first == code; });
  return found == std::end(kLanguages) ? nullptr : &found->second;
}

}  // namespace touchstone::extractors::site
