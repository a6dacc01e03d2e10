#pragma once

#include "storage/records.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace touchstone::pipeline::corpus {

/// The sentences of a paragraph that are compared between pages, one after the other without gaps. A sentence ends at a
/// full stop, question or exclamation mark behind a word of at least four letters and in front of a blank, and at those
/// of Chinese and Japanese. A rough rule, but fast and the same on all pages, which is what matters here.
void for_each_sentence(std::string_view text, const std::function<void(std::string_view sentence)>& use);

/// Hash of a sentence without the blanks around it.
std::uint64_t sentence_hash(std::string_view sentence);

/// Sentences that recur on a large share of the pages, by their hash.
using Boilerplate = std::unordered_set<std::uint64_t>;

/// Takes the sentences that are boilerplate out of a paragraph. Links in them go, those behind them move up.
/// \param taken  called with each of them, without blanks around it
void strip_boilerplate(const Boilerplate& boilerplate, storage::ParagraphRecord& paragraph,
                       const std::function<void(std::string_view sentence)>& taken);

}  // namespace touchstone::pipeline::corpus
