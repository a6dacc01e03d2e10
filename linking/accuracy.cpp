#include "linking/accuracy.hpp"

#include <algorithm>
#include <set>

namespace touchstone::linking {
namespace {

double share(std::uint64_t part, std::uint64_t rest) {
  return part + rest == 0 ? 0 : static_cast<double>(part) / static_cast<double>(part + rest);
}

template <class Value>
std::set<Value> set_of(std::vector<Value>&& values) {
  return {std::make_move_iterator(values.begin()), std::make_move_iterator(values.end())};
}

template <class Value>
Agreement compare_sets(const std::set<Value>& found, const std::set<Value>& truth) {
  Agreement agreement;
  for (const auto& value : found) ++(truth.contains(value) ? agreement.right : agreement.wrong);
  agreement.missed = truth.size() - agreement.right;
  return agreement;
}

}  // namespace

double Agreement::precision() const noexcept {
  return share(right, wrong);
}

double Agreement::recall() const noexcept {
  return share(right, missed);
}

double Agreement::f1() const noexcept {
  return share(2 * right, wrong + missed);
}

Agreement& Agreement::operator+=(const Agreement& other) noexcept {
  right += other.right;
  wrong += other.wrong;
  missed += other.missed;
  return *this;
}

PageAgreement compare_with_editors(std::vector<NamedPhrase> found, std::vector<NamedPhrase> links,
                                   const std::string& own_title) {
  const auto is_own = [&](const NamedPhrase& phrase) { return phrase.title == own_title; };
  std::erase_if(found, is_own);
  std::erase_if(links, is_own);
  std::set<std::string> found_titles, linked_titles;
  for (const auto& phrase : found) found_titles.insert(phrase.title);
  for (const auto& phrase : links) linked_titles.insert(phrase.title);
  PageAgreement agreement;
  agreement.entities = compare_sets(found_titles, linked_titles);
  const auto true_phrases = set_of(std::move(links));
  std::erase_if(found, [&](const NamedPhrase& phrase) {
    return linked_titles.contains(phrase.title) && !true_phrases.contains(phrase);
  });
  // What is not linked at all is wrong once, as a linker that knows the rule would link it once.
  std::sort(found.begin(), found.end());
  std::set<std::string> wrong_titles;
  std::erase_if(found, [&](const NamedPhrase& phrase) {
    return !linked_titles.contains(phrase.title) && !wrong_titles.insert(phrase.title).second;
  });
  agreement.mentions = compare_sets(set_of(std::move(found)), true_phrases);
  return agreement;
}

Agreement compare_labels(std::vector<std::string> found, std::vector<std::string> truth,
                         std::vector<std::string> acceptable) {
  const auto true_labels = set_of(std::move(truth)), other_labels = set_of(std::move(acceptable));
  std::erase_if(found,
                [&](const std::string& label) { return other_labels.contains(label) && !true_labels.contains(label); });
  return compare_sets(set_of(std::move(found)), true_labels);
}

}  // namespace touchstone::linking
