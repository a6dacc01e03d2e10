#pragma once

#include "formats/trec/qrels.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::analysis::agreement {

/// Number of judgments of each grade, ascending by grade.
std::vector<std::pair<int, std::uint64_t>> grade_counts(std::span<const formats::trec::QrelRecord> qrels);

/// How the grades of a document's passages become the document's grade.
enum class RollUp : std::uint8_t { kMax, kSum };
inline constexpr std::pair<std::string_view, RollUp> kRollUps[] = {{"max", RollUp::kMax}, {"sum", RollUp::kSum}};

/// Grades of documents from the grades of their passages. The docid of a document is the passage's docid up to the last
/// `separator`. A negative grade (in the pool but not judged) counts only if the document has no other grade. The
/// result is sorted by topic and document in byte order. Throws FormatError if a docid lacks the separator or a sum
/// exceeds formats::trec::kMaxGrade.
/// Source: S. Hofstaetter et al., "Fine-Grained Relevance Annotations for Multi-Task Document Ranking and Question
/// Answering", CIKM 2020.
std::vector<formats::trec::QrelRecord> roll_up_grades(std::span<const formats::trec::QrelRecord> qrels, RollUp how,
                                                      char separator = '_');

}  // namespace touchstone::analysis::agreement
