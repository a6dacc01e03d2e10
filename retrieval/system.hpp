#pragma once

#include "retrieval/index.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

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

/// How a system finds documents.
enum class Method : std::uint8_t {
  kWords,       ///< the words of the query
  kFeedback,    ///< with the best terms of its first documents (Bo1)
  kInlinks,     ///< the words, then pages to which many link first
  kCocitation,  ///< documents of pages that are linked together with those of the first documents
};

struct System {
  std::string_view tag;
  Method method;
  Field field;
  WeightKind weight;
};

/// All baseline systems. Tags are names of files and fields of runs.
std::span<const System> systems();

/// One sentence part about a system: method, field, stemming, weight with parameters.
std::string describe(const System& system);

/// Whether the system works on links between pages.
constexpr bool needs_links(const System& system) {
  return system.method == Method::kInlinks || system.method == Method::kCocitation;
}

/// Why the system has nothing to work on in this index; empty if it has.
std::string why_left_out(const System& system, const Index& index);

}  // namespace touchstone::retrieval
