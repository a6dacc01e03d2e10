#pragma once

#include "retrieval/index.hpp"
#include "retrieval/weights.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace touchstone::retrieval {

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

/// Why the system has nothing to work on in this index; empty if it has.
std::string why_left_out(const System& system, const Index& index);

}  // namespace touchstone::retrieval
