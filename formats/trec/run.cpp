#include "formats/trec/run.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>

#include <tbb/parallel_for.h>

namespace touchstone::formats::trec {
namespace {

using fields::is_field_blank;
using fields::next_field;
using fields::quote_for_message;

constexpr std::size_t kChunkBytes = 1 << 22;

/// The line that starts at `begin`, without its end; `begin` moves behind it.
std::string_view take_line(std::string_view text, std::size_t& begin) noexcept {
  const char* const start = text.data() + begin;
  const void* const found = std::memchr(start, '\n', text.size() - begin);
  const std::size_t length =
      found == nullptr ? text.size() - begin : static_cast<std::size_t>(static_cast<const char*>(found) - start);
  begin += length + (found == nullptr ? 0 : 1);
  return {start, length};
}

/// The first field, or nothing for a blank line or a comment.
std::string_view topic_of(std::string_view line) noexcept {
  const auto field = next_field(line);
  return !field.empty() && field.front() == '#' ? std::string_view() : field;
}

bool parse_score(std::string_view text, double& score) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), score);
  if (end != text.data() + text.size()) return false;
  // Too large or too small: from_chars does not say which.
  if (error == std::errc::result_out_of_range) score = std::strtod(std::string(text).c_str(), nullptr);
  return (error == std::errc() || error == std::errc::result_out_of_range) && std::isfinite(score);
}

/// Hash set of the docids of one topic, by their place in `entries`; kept by the thread to spare allocations.
class SeenDocids {
 public:
  void start(std::size_t most) {
    std::size_t size = 64;
    while (size < most * 2) size *= 2;
    slots_.assign(size, kFree);
  }
  /// Whether the docid of entries[index] was there before; adds it if not.
  bool insert(const std::vector<RunEntry>& entries, std::uint32_t index) {
    const RunEntry& entry = entries[index];
    std::size_t at = entry.docid_hash & (slots_.size() - 1);
    for (; slots_[at] != kFree; at = (at + 1) & (slots_.size() - 1)) {
      const RunEntry& other = entries[slots_[at]];
      if (other.docid_hash == entry.docid_hash && other.docid == entry.docid) return true;
    }
    slots_[at] = index;
    return false;
  }

 private:
  static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> slots_;
};

void sort_by_rank(std::vector<RunEntry>& entries) {
  const auto higher = [](const RunEntry& a, const RunEntry& b) { return a.score > b.score; };
  // Runs mostly come sorted by score, and then only the ties are left to do.
  if (!std::is_sorted(entries.begin(), entries.end(), higher)) std::sort(entries.begin(), entries.end(), higher);
  for (auto first = entries.begin(); first != entries.end();) {
    auto last = first + 1;
    while (last != entries.end() && last->score == first->score) ++last;
    if (last - first > 1) {
      std::sort(first, last, [](const RunEntry& a, const RunEntry& b) { return a.docid > b.docid; });
    }
    first = last;
  }
}

}  // namespace

Result<RunLine, LineFault> parse_run_line(std::string_view line) noexcept {
  using Parsed = Result<RunLine, LineFault>;
  RunLine run;
  run.topic = next_field(line);
  next_field(line);
  run.docid = next_field(line);
  next_field(line);
  const auto score = next_field(line);
  run.tag = next_field(line);
  if (run.tag.empty()) return Parsed::failure(LineFault::kFields);
  if (!parse_score(score, run.score)) return Parsed::failure(LineFault::kNumber);
  run.has_more = !line.empty() && !next_field(line).empty();
  return run;
}

RunFile::RunFile(const std::filesystem::path& path) : path_(path), text_(path) {
  std::string_view text = text_.view();
  fields::refuse_byte_order_mark(path, text, 1);
  index_topics();
  while (tag_.empty() && !text.empty()) {  // from the end
    if (text.back() == '\n') text.remove_suffix(1);
    const auto start = text.rfind('\n') + 1;
    const auto line = text.substr(start);
    if (const auto parsed = parse_run_line(line); !topic_of(line).empty() && parsed) tag_ = parsed->tag;
    text = text.substr(0, start);
  }
}

/// Topics of a piece of the file. The ids are copies, since looking at them in the file would bring it all back into
/// memory.
struct RunFile::Chunk {
  std::vector<std::string> topics;
  std::vector<std::pair<std::uint32_t, Segment>>
      segments;  ///< index into topics, and its lines; in the order of the file
};

RunFile::Chunk RunFile::index_chunk(std::string_view text, std::size_t begin, std::size_t end) {
  Chunk chunk;
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  std::string_view last;
  while (begin < end) {
    const std::size_t line_begin = begin;
    const auto line = take_line(text, begin);
    // Most lines have the topic of the line before and start with it.
    const bool starts_with_last = !last.empty() && line.size() > last.size() && is_field_blank(line[last.size()]) &&
                                  std::memcmp(line.data(), last.data(), last.size()) == 0;
    const auto topic = starts_with_last ? last : topic_of(line);
    if (topic.empty()) continue;
    if (topic == last) {
      chunk.segments.back().second.end = begin;
      continue;
    }
    const auto [at, is_new] = numbers.try_emplace(topic, static_cast<std::uint32_t>(chunk.topics.size()));
    if (is_new) chunk.topics.emplace_back(topic);
    chunk.segments.push_back({at->second, {line_begin, begin}});
    last = topic;
  }
  return chunk;
}

void RunFile::index_topics() {
  const std::string_view text = text_.view();
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size();) {
    starts.push_back(at);
    const auto end = text.find('\n', std::min(at + kChunkBytes, text.size()));
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  starts.push_back(text.size());
  std::vector<Chunk> chunks(starts.size() - 1);
  tbb::parallel_for(std::size_t{0}, chunks.size(), [&](std::size_t chunk) {
    chunks[chunk] = index_chunk(text, starts[chunk], starts[chunk + 1]);
    text_.release(starts[chunk], starts[chunk + 1]);
  });

  std::unordered_map<std::string, std::uint32_t> numbers;
  std::vector<std::pair<std::uint32_t, Segment>> places;  // in the order of the file
  for (auto& chunk : chunks) {
    std::vector<std::uint32_t> number_of;
    for (const auto& topic : chunk.topics) {
      const auto [at, is_new] = numbers.try_emplace(topic, static_cast<std::uint32_t>(topics_.size()));
      if (is_new) topics_.push_back(topic);
      number_of.push_back(at->second);
    }
    for (const auto& [topic, segment] : chunk.segments) {
      if (!places.empty() && places.back().first == number_of[topic]) {
        places.back().second.end = segment.end;
      } else {
        places.push_back({number_of[topic], segment});
      }
    }
    chunk = {};  // where topics take turns line by line, all this is as large as the file
  }
  first_segment_.assign(topics_.size() + 1, 0);
  for (const auto& [topic, segment] : places) ++first_segment_[topic + 1];
  for (std::size_t i = 1; i < first_segment_.size(); ++i) first_segment_[i] += first_segment_[i - 1];
  segments_.resize(places.size());
  auto next = first_segment_;
  for (const auto& [topic, segment] : places) segments_[next[topic]++] = segment;
}

LineFaults RunFile::read_topic(std::size_t index, std::vector<RunEntry>& entries) const {
  const std::string_view text = text_.view();
  LineFaults faults;
  entries.clear();
  thread_local std::vector<std::size_t> offsets;
  offsets.clear();
  for (auto i = first_segment_[index]; i < first_segment_[index + 1]; ++i) {
    const std::string_view segment = text.substr(0, segments_[i].end);
    for (std::size_t begin = segments_[i].begin; begin < segment.size();) {
      const std::size_t offset = begin;
      const auto line = take_line(segment, begin);
      const auto run = parse_run_line(line);
      if (!run) {
        if (!topic_of(line).empty()) faults.add(run.error(), offset);
        continue;
      }
      if (run->topic.front() == '#') continue;
      if (run->has_more) {
        ++faults.with_more_fields;
        faults.first_with_more = std::min(faults.first_with_more, offset);
      }
      entries.push_back({run->score, run->docid, xxh3_64(run->docid)});
      offsets.push_back(offset);
    }
  }
  thread_local SeenDocids seen;
  seen.start(entries.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[kept] = entries[i];
    if (seen.insert(entries, static_cast<std::uint32_t>(kept))) {
      faults.add(LineFault::kTwice, offsets[i]);
    } else {
      ++kept;
    }
  }
  entries.resize(kept);
  sort_by_rank(entries);
  return faults;
}

void RunFile::release_topics(std::size_t first, std::size_t last) const noexcept {
  const auto end = first_segment_[last];
  for (auto i = first_segment_[first]; i < end;) {
    const auto begin = segments_[i].begin;
    while (i + 1 < end && segments_[i + 1].begin == segments_[i].end) ++i;
    text_.release(begin, segments_[i++].end);
  }
}

std::string RunFile::describe(LineFault fault, std::size_t offset) const {
  const std::string_view text = text_.view();
  std::size_t begin = offset;
  const auto line = take_line(text, begin);
  auto rest = line;
  std::array<std::string_view, 6> words;
  std::size_t count = 0;
  while (count < words.size() && !(words[count] = next_field(rest)).empty()) ++count;
  std::string message = path_.string() + ":" + std::to_string(line_number(text, offset)) + ": ";
  switch (fault) {
    case LineFault::kFields:
      return message + "has " + std::to_string(count) + (count == 1 ? " field" : " fields") +
             " instead of the 6 of \"topic Q0 docid rank score tag\"; repair the line " + quote_for_message(line);
    case LineFault::kNumber:
      return message + "has the score " + quote_for_message(words[4]) +
             ", which is no finite number; correct the score";
    case LineFault::kTwice:
      break;
  }
  std::size_t before = 0;
  for (std::size_t at = 0; at < offset; before = at) {
    const auto other = parse_run_line(take_line(text, at));
    if (other && other->topic == words[0] && other->docid == words[2]) break;
  }
  return message + "retrieves docid " + quote_for_message(words[2]) + " for topic " + quote_for_message(words[0]) +
         " a second time after line " + std::to_string(line_number(text, before)) + "; keep one of the two lines";
}

}  // namespace touchstone::formats::trec
