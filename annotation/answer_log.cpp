#include "annotation/answer_log.hpp"

#include "common/log.hpp"
#include "common/records/record_coding.hpp"

#include <utility>
#include <vector>

namespace touchstone::annotation {
namespace {

using records::RecordLog;

RecordLog::Take taking(const std::function<void(Event)>& take) {
  return [take](RecordLog::Place, std::string_view record) {
    records::Decoder decoder(record);
    Event event;
    decode(decoder, event);
    take(std::move(event));
  };
}

void tell_losses(const std::filesystem::path& file, const RecordLog::Losses& losses) {
  if (losses.bytes + losses.cut == 0) return;
  log_warn("{}: {} bytes in {} places are damaged, and {} at the end were cut off: answers in them are lost",
           file.string(), losses.bytes, losses.places, losses.cut);
}

}  // namespace

AnswerLog::AnswerLog(const std::filesystem::path& file, const std::function<void(Event)>& take)
    : file_(file, records::layout_of<Event>(), RecordLog::Access::kAppend, taking(take)) {
  tell_losses(file, file_.losses());
}

void for_each_event(const std::filesystem::path& file, const std::function<void(Event)>& take) {
  const RecordLog log(file, records::layout_of<Event>(), RecordLog::Access::kRead, taking(take));
  tell_losses(file, log.losses());
}

void AnswerLog::add(Event event, const std::function<void(const Event&)>& apply) {
  std::vector<Event> events;
  events.push_back(std::move(event));
  add(std::move(events), apply);
}

void AnswerLog::add(std::vector<Event> events, const std::function<void(const Event&)>& apply) {
  if (events.empty()) return;
  Waiting own{std::move(events), &apply, false, nullptr};
  std::unique_lock lock(mutex_);
  queue_.push_back(&own);
  // Whoever finds nobody writing writes for all who wait, until nobody does.
  while (!own.done && writing_) written_.wait(lock);
  while (!own.done) {
    writing_ = true;
    const auto batch = std::exchange(queue_, {});
    lock.unlock();
    write(batch);
    lock.lock();
    writing_ = false;
    for (auto* const waiting : batch) waiting->done = true;
    written_.notify_all();
  }
  lock.unlock();
  if (own.error) std::rethrow_exception(own.error);
}

void AnswerLog::write(const std::deque<Waiting*>& batch) {
  std::vector<std::string> encoded;
  for (const auto* const waiting : batch) {
    for (const auto& event : waiting->events) {
      records::Encoder encoder;
      encode(encoder, event);
      encoded.push_back(encoder.take());
    }
  }
  try {
    file_.append(encoded, RecordLog::Durability::kMachine);
    for (const auto* const waiting : batch) {
      for (const auto& event : waiting->events) (*waiting->apply)(event);
    }
  } catch (...) {  // goes to each who waits
    for (auto* const waiting : batch) waiting->error = std::current_exception();
  }
}

}  // namespace touchstone::annotation
