#include "collection/evidence/audit_texts.hpp"

#include "collection/release/card.hpp"
#include "common/number_text.hpp"

#include <array>

#include <fmt/format.h>

namespace touchstone::collection::evidence {
namespace {

struct NumberWords {
  std::string_view name, title, meaning;
};

constexpr std::array<NumberWords, 7> kNumbers{{
    {"precision", "precision", "of the judge's yes, the share that is evidence"},
    {"recall", "recall", "of the evidence among the candidates, the share to which the judge said yes"},
    {"f1", "F1", "harmonic mean of the two"},
    {"accuracy", "accuracy",
     "of all decisions, the share where the label is right; a decision without a grade counts "
     "as not evidence"},
    {"confirmed_no", "confirmed no", "of the judge's no, the share that is no evidence"},
    {"balanced_agreement", "balanced agreement",
     "how often people agree with the judge in a sample of one half yes and one half no; D-MERIT reports 84.7 % for "
     "GPT-4"},
    {"evidence", "evidence", "decisions that are evidence"},
}};

const NumberWords* words_of(std::string_view name) noexcept {
  for (const auto& words : kNumbers) {
    if (words.name == name) return &words;
  }
  return nullptr;
}

std::string interval_text(double low, double high) {
  return fmt::format("{}-{}", fixed_digits(low, 3), fixed_digits(high, 3));
}

std::string labels(std::uint64_t count) {
  return count == 0 ? "no label" : count == 1 ? "one label" : with_commas(count) + " labels";
}

std::string decisions(std::uint64_t count) {
  return with_commas(count) + (count == 1 ? " decision" : " decisions");
}

}  // namespace

std::string number_text(const AuditSummary::Number& number) {
  if (!number.why.empty()) return "not known";
  if (number.name == "evidence")
    return fmt::format("{} ({}-{})", fixed_digits(number.value, 0), fixed_digits(number.low, 0),
                       fixed_digits(number.high, 0));
  return fmt::format("{} ({})", fixed_digits(number.value, 3), interval_text(number.low, number.high));
}

std::string_view number_meaning(std::string_view name) noexcept {
  const auto* words = words_of(name);
  return words == nullptr ? std::string_view() : words->meaning;
}

std::string_view number_title(std::string_view name) noexcept {
  const auto* words = words_of(name);
  return words == nullptr ? name : words->title;
}

std::string audit_statement(const AuditSummary& audit) {
  std::string text =
      fmt::format("{} {} judged {} of {} of the judge again.", audit.people == 1 ? "One" : with_commas(audit.people),
                  audit.people == 1 ? "person" : "people", with_commas(audit.audited), decisions(audit.decisions));
  const auto* precision = audit.number("precision");
  const auto* recall = audit.number("recall");
  const bool has_precision = precision != nullptr && precision->why.empty();
  const bool has_recall = recall != nullptr && recall->why.empty();
  if (has_precision || has_recall) {
    text += " Over the whole collection, before any correction, the judge has";
    if (has_precision) text += " precision " + number_text(*precision);
    if (has_recall) text += std::string(has_precision ? " and" : "") + " recall " + number_text(*recall);
    text += "; in brackets is the 95 % interval.";
  }
  text += fmt::format(" People changed {} and gave {} where the judge had given none.", labels(audit.corrections),
                      labels(audit.added));
  return text;
}

std::string audit_remarks(const AuditSummary& audit) {
  std::string text;
  if (audit.tied > 0)
    text += fmt::format(" On {} as many people said yes as no; they are left as they were.", decisions(audit.tied));
  if (audit.skipped > 0)
    text += fmt::format(" {} {} shown, but nobody gave a grade.", decisions(audit.skipped),
                        audit.skipped == 1 ? "was" : "were");
  if (audit.replaced > 0)
    text += fmt::format(" {} {} replaced by a later answer of the same person.", with_commas(audit.replaced),
                        audit.replaced == 1 ? "answer was" : "answers were");
  if (audit.shown > 0)
    text += fmt::format(" {} {} given with the judge's answer in view, which makes people agree with it more often.",
                        with_commas(audit.shown), audit.shown == 1 ? "answer was" : "answers were");
  return text.empty() ? text : text.substr(1);
}

std::string agreement_statement(const AuditSummary& audit) {
  if (!audit.agreement) return {};
  const auto& agreement = *audit.agreement;
  std::string text =
      fmt::format("Two people who judged the same agree in {} ({} to {}) of {} on {}", percent(agreement.share),
                  percent(agreement.low), percent(agreement.high),
                  agreement.pairs == 1 ? "one pair of answers" : with_commas(agreement.pairs) + " pairs of answers",
                  decisions(agreement.decisions) + " of " +
                      (agreement.topics == 1 ? "one topic" : with_commas(agreement.topics) + " topics"));
  text += agreement.has_alpha ? fmt::format("; Krippendorff's alpha is {}.", fixed_digits(agreement.alpha, 3))
                              : "; Krippendorff's alpha is not defined, since all answers are alike.";
  if (agreement.topics > 1 && agreement.topics < AuditAgreement::kFewTopics)
    text += " The interval resamples whole topics; with so few it is too narrow.";
  return text + " D-MERIT reports 94 % for two experts on 400 examples.";
}

std::string calibration_statement(const AuditSummary& audit) {
  if (!audit.calibration)
    return "There are no calibrated probabilities: these take ten answers to decisions with a probability of the "
           "judge.";
  const auto& of = *audit.calibration;
  const bool is_platt = of.method == "platt";
  std::string text = fmt::format(
      "The probabilities of the judge were calibrated by {} on {} answers; `calibration.tsv` has the result. "
      "Cross-validated by topic, the Brier score goes from {} to {}, and the expected calibration error from {} to {}.",
      is_platt ? "a logistic curve (Platt)" : "isotonic regression", with_commas(of.answers), fixed_digits(of.brier, 3),
      fixed_digits(of.brier_calibrated, 3), fixed_digits(of.error, 3), fixed_digits(of.error_calibrated, 3));
  if (of.brier_calibrated >= of.brier && of.error_calibrated >= of.error)
    text += " So these answers do not make the probabilities better; more answers may.";
  return text;
}

std::string audit_card(const CollectionInfo& info) {
  using release::markdown;
  const auto& audit = *info.audit;
  std::string out = "\n## Audit\n\n" + markdown(audit_statement(audit)) +
                    " `audit.jsonl` has each decision, each answer, and the judgment before. People are named by "
                    "pseudonyms.\n\n";
  out += "| number | value (95 % interval) | what it is |\n|---|---:|---|\n";
  for (const auto& number : audit.numbers)
    out += fmt::format("| {} | {} | {} |\n", number_title(number.name), number_text(number),
                       markdown(number_meaning(number.name)));
  for (const auto& number : audit.numbers) {
    if (!number.why.empty()) out += fmt::format("\n{}: {}\n", number_title(number.name), markdown(number.why));
  }
  for (const auto& text : {audit_remarks(audit), agreement_statement(audit)}) {
    if (!text.empty()) out += "\n" + markdown(text) + "\n";
  }
  out +=
      "\nPeople's answers count as the truth. The sample is stratified by the judge's answer and probability:\n\n"
      "| stratum | decisions | judged by people | of these evidence |\n|---|---:|---:|---:|\n";
  for (const auto& stratum : audit.strata)
    out += fmt::format("| {} | {} | {} | {} |\n", markdown(stratum.name), with_commas(stratum.decisions),
                       with_commas(stratum.audited), with_commas(stratum.evidence));
  out += "\n" + calibration_statement(audit) + "\n";
  if (!audit.calibration) return out;
  out +=
      "\n| probability | decisions | mean of the judge | judged by people | evidence by people (95 % interval) |\n"
      "|---|---:|---:|---:|---:|\n";
  for (const auto& range : audit.calibration->ranges)
    out += fmt::format(
        "| {}-{} | {} | {} | {} | {} |\n", at_most_digits(range.from, 3), at_most_digits(range.to, 3),
        with_commas(range.decisions), fixed_digits(range.mean_probability, 3), with_commas(range.audited),
        range.is_known ? fmt::format("{} ({})", fixed_digits(range.share, 3), interval_text(range.low, range.high))
                       : "not known");
  return out;
}

}  // namespace touchstone::collection::evidence
