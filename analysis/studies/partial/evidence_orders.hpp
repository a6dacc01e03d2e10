#pragma once

#include "analysis/studies/partial/evidence_labels.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>

/// Which evidence is labelled first. All functions are pure and thread-safe.
namespace touchstone::analysis::studies::partial {

/// A random passage of each topic, the same for the same seed and sample.
SingleSelection random_selection(const EvidenceLabels& labels, std::uint64_t seed, std::uint64_t sample);

/// All evidence of each topic in a random order, the same for the same seed and sample.
EvidenceOrder random_order(const EvidenceLabels& labels, std::uint64_t seed, std::uint64_t sample);

/// The evidence by descending, or else ascending, number; equal numbers by docid in byte order. Docids without a number
/// count as 0.
EvidenceOrder order_by_number(const EvidenceLabels& labels,
                              const std::unordered_map<std::string, std::uint64_t>& numbers, bool descending);

/// The first passage of each order; kNoEvidence for a topic without.
SingleSelection first_of(const EvidenceOrder& order);

/// The first evidence in the run of the system, however deep; kNoEvidence for topics where it retrieves none.
SingleSelection system_selection(const EvidenceLabels& labels, std::size_t system);

/// The evidence in the order in which the system retrieves it, and after that the rest in a random order.
EvidenceOrder system_order(const EvidenceLabels& labels, std::size_t system, std::uint64_t seed);

}  // namespace touchstone::analysis::studies::partial
