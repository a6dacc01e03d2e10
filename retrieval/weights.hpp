#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace Xapian {
class Weight;
}

namespace touchstone::retrieval {

/// How terms are weighted. PL2+ and two-stage smoothing are left out, because Xapian 1.4.22 ranks wrongly with them.
enum class WeightKind : std::uint8_t {
  kBm25,          ///< k1 .9, b .4
  kBm25Plus,      ///< k1 1.2, b .75, delta 1
  kInL2,          ///< c 1
  kIfB2,          ///< c 1
  kBB2,           ///< c 1
  kDlh,           ///< no parameter
  kDph,           ///< no parameter
  kPL2,           ///< c 7
  kDirichlet,     ///< language model, mu 100
  kJelinekMercer  ///< language model, lambda .3
};

/// Xapian's weight with all parameters given. Language models multiply probabilities by 100,000 before the logarithm,
/// so that a word of a query that a document has always adds to its score.
std::unique_ptr<Xapian::Weight> make_weight(WeightKind kind);

/// Name and parameters, for the report.
std::string describe(WeightKind kind);

}  // namespace touchstone::retrieval
