// Any bytes as a predicate and as a review: a problem is an error with its place, and what was read reads back equal
// from its normal form. The first byte chooses.
#include "common/error.hpp"
#include "pipeline/automatic/selection/predicate.hpp"
#include "pipeline/review/review.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace touchstone;
using namespace touchstone::pipeline::automatic::selection;
using namespace touchstone::pipeline::review;

void try_predicate(std::string_view text) {
  PredicateContext context;
  context.read_files = false;
  try {
    const auto predicate = parse_predicate(text, context);
    const auto again = parse_predicate(predicate.text(), context);
    TS_CHECK(again == predicate, "the normal form gives an equal predicate");
    TS_CHECK(again.text() == predicate.text(), "the normal form is its own normal form");
    PageFacts page;
    page.name = text.substr(0, 100);
    page.qid = "Q42";
    TS_CHECK(again.matches(page) == predicate.matches(page), "equal predicates choose the same pages");
  } catch (const PredicateError& error) {
    TS_CHECK(error.line() >= 1 && error.column() >= 1, "an error has a place");
  }
}

void try_review(std::string_view text) {
  try {
    const auto review = read_review_text(text, "fuzz.tsv");
    const auto again = read_review_text(review_text(review), "again.tsv");
    TS_CHECK(again.rows() == review.rows(), "a written review reads back equal");
  } catch (const FormatError& error) {
    TS_CHECK(std::string_view(error.what()).starts_with("fuzz.tsv:"), "an error has a place");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'r')
    try_review(text);
  else
    try_predicate(text);
  return 0;
}
