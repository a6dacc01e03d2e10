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
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(own);
    if (!std::exchange(writing_, true)) own->turn = Turn::kWrites;
  }
  own->turn.wait(Turn::kWaits);
  if (own->turn == Turn::kWrites) write_for_all();
  if (own->error) std::rethrow_exception(own->error);
}

void AnswerLog::write_for_all() {
  Queue batch;
  {
    const std::lock_guard lock(mutex_);
    batch.swap(queue_);
  }
  write(batch);
  std::shared_ptr<Waiting> next;
  {
    const std::lock_guard lock(mutex_);
    if (!queue_.empty()) next = queue_.front();
    writing_ = next != nullptr;
  }
  const auto wake = [](Waiting& waiting, Turn turn) {
    waiting.turn = turn;
    waiting.turn.notify_one();
  };
  if (next) wake(*next, Turn::kWrites);
  for (const auto& waiting : batch) wake(*waiting, Turn::kDone);
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
