#include "storage/reading_record.hpp"

#include "storage/record_coding.hpp"

namespace touchstone::storage {

using internal::Decoder;
using internal::Encoder;

std::string encode(const ReadingRecord& record) {
  Encoder out;
  out.number(record.date ? 1U : 0U);
  out.number(record.counters.size());
  for (const auto counter : record.counters) out.number(counter);
  out.number(record.inclusions.size());
  for (const auto& inclusion : record.inclusions) {
    out.title(inclusion.title);
    out.number(inclusion.existence ? 1U : 0U);
    out.digest(inclusion.content);
  }
  if (record.source != Digest128{}) {
    out.digest(record.source);
    for (const auto count : {record.links, record.paragraphs, record.tables}) out.number(count);
    out.number(record.remarks.size());
    for (const auto& remark : record.remarks) {
      out.number(remark.issue);
      out.text(remark.where);
      out.text(remark.detail);
    }
  }
  return out.take();
}

ReadingRecord decode_reading(std::string_view bytes) {
  Decoder in(bytes, "reading");
  ReadingRecord record;
  record.date = in.number() != 0;
  record.counters.resize(in.count());
  for (auto& counter : record.counters) counter = in.number();
  record.inclusions.resize(in.count());
  for (auto& inclusion : record.inclusions) {
    inclusion.title = in.title();
    inclusion.existence = in.number() != 0;
    inclusion.content = in.digest();
  }
  if (!in.at_end()) {
    record.source = in.digest();
    for (auto* count : {&record.links, &record.paragraphs, &record.tables}) *count = in.number();
    record.remarks.resize(in.count());
    for (auto& remark : record.remarks) remark = {in.number(), in.text(), in.text()};
  }
  in.end();
  return record;
}

}  // namespace touchstone::storage
