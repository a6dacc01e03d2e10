#include "formats/trec/line_faults.hpp"

#include <algorithm>

namespace touchstone::formats::trec {

std::string_view line_fault_name(LineFault fault) noexcept {
  switch (fault) {
    case LineFault::kFields:
      return "lines with the wrong number of fields";
    case LineFault::kNumber:
      return "lines whose score or grade is no number";
    case LineFault::kTwice:
      return "lines with a docid that the topic has already";
  }
  return "";
}

void LineFaults::add(LineFault fault, std::size_t offset) noexcept {
  ++count[static_cast<std::size_t>(fault)];
  if (offset < first_offset) first_offset = offset, first_fault = fault;
}

void LineFaults::add(const LineFaults& other) noexcept {
  for (std::size_t i = 0; i < kLineFaults; ++i) count[i] += other.count[i];
  if (other.first_offset < first_offset) first_offset = other.first_offset, first_fault = other.first_fault;
  with_more_fields += other.with_more_fields;
  first_with_more = std::min(first_with_more, other.first_with_more);
}

std::uint64_t LineFaults::total() const noexcept {
  std::uint64_t sum = 0;
  for (const auto n : count) sum += n;
  return sum;
}

}  // namespace touchstone::formats::trec
