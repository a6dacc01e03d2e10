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
  if (losses.bytes > 0) {
    log_warn(
        "{}: {} bytes in {} {} are damaged, and the answers in them are lost; if you have a copy of the file, stop "
        "and put it back",
        file.string(), losses.bytes, losses.places, losses.places == 1 ? "place" : "places");
  }
  if (losses.cut > 0) {
    log_warn(
        "{}: the last {} bytes were no whole record, as a crash leaves them, and were cut off; answers in them were "
        "not confirmed, and the pages send them again",
        file.string(), losses.cut);
  }
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
  const auto own = std::make_shared<Waiting>(std::move(events), &apply);
  bool writes = false;
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(own);
    writes = !std::exchange(writing_, true);
  }
  if (writes || wait(*own) == Turn::kWrites) write_for_all();
  if (own->error) std::rethrow_exception(own->error);
}

void AnswerLog::wake(Waiting& waiting, Turn turn) {
  waiting.turn = turn;
  waiting.turn.notify_one();
}

AnswerLog::Turn AnswerLog::wait(Waiting& waiting) {
  waiting.turn.wait(Turn::kWaits);
  return waiting.turn;
}

void AnswerLog::write_for_all() {
  // Another thread would have to wake up first. Its own answer waits for few writes only.
  constexpr int kWrites = 4;
  for (int i = 0; i < kWrites; ++i) {
    Queue batch;
    {
      const std::lock_guard lock(mutex_);
      batch.swap(queue_);
      writing_ = !batch.empty();
    }
    if (batch.empty()) return;
    write(batch);
    for (const auto& waiting : batch) wake(*waiting, Turn::kDone);
  }
  std::shared_ptr<Waiting> next;
  {
    const std::lock_guard lock(mutex_);
    writing_ = !queue_.empty();
    if (writing_) next = queue_.front();
  }
  if (next) wake(*next, Turn::kWrites);
}

void AnswerLog::write(const Queue& batch) {
  try {
    std::vector<std::string> encoded;
    for (const auto& waiting : batch) {
      for (const auto& event : waiting->events) {
        records::Encoder encoder;
        encode(encoder, event);
        encoded.push_back(encoder.take());
      }
    }
    file_.append(encoded, RecordLog::Durability::kMachine);
    for (const auto& waiting : batch) {
      for (const auto& event : waiting->events) (*waiting->apply)(event);
    }
  } catch (...) {  // goes to each who waits
    for (const auto& waiting : batch) waiting->error = std::current_exception();
  }
}

}  // namespace touchstone::annotation
