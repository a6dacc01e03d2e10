#pragma once

#include "common/records/record_log.hpp"
#include "formats/labeling/annotation.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::annotation {

/// What can happen to the answers of a campaign.
enum class EventKind : std::uint8_t {
  kAnswer,    ///< takes the place of the annotator's answer to the same task, if there is one
  kWithdraw,  ///< the annotator's answer to the task counts no longer, and is not asked for again
  kReopen     ///< the annotator's answer to the task counts no longer, and the annotator is asked again
};

/// A line of the history.
struct Event {
  EventKind kind = EventKind::kAnswer;
  formats::labeling::Annotation answer;  ///< all of it with kAnswer; else its id, annotator, task and time
  bool by_owner = false;                 ///< else by the annotator

  template <class Fields>
  void fields(Fields& field) {
    field("kind", kind)("answer", answer)("by_owner", by_owner);
  }
};

/// The history of a campaign on disk, which only grows. Events that arrive together are flushed together. Thread-safe.
class AnswerLog {
 public:
  /// Reads what is there, and opens it to add more. Throws StorageError, also where another server has the file open,
  /// and FormatError for a file of something else. Says on the program's log what is lost in a damaged file.
  AnswerLog(const std::filesystem::path& file, const std::function<void(Event)>& take);

  /// Returns when the event survives a power cut. Throws StorageError; nothing is stored then.
  /// \param apply  is called before `add` returns, for one event at a time, in the order of the file
  void add(Event event, const std::function<void(const Event&)>& apply);
  /// Likewise for many, all or none of them.
  void add(std::vector<Event> events, const std::function<void(const Event&)>& apply);

 private:
  /// Whoever finds nobody writing writes for all who wait, some times, and then hands over to one of those who came
  /// meanwhile. Each waits for a signal of its own: a burst would wake everybody for each write.
  enum class Turn : int { kWaits, kWrites, kDone };  // of a size that the system can wait for
  struct Waiting {
    Waiting(std::vector<Event> what, const std::function<void(const Event&)>* use)
        : events(std::move(what)), apply(use) {}
    std::vector<Event> events;
    const std::function<void(const Event&)>* apply;
    std::exception_ptr error;
    std::atomic<Turn> turn = Turn::kWaits;
  };
  using Queue = std::vector<std::shared_ptr<Waiting>>;

  void write_for_all();
  static void wake(Waiting& waiting, Turn turn);
  static Turn wait(Waiting& waiting);
  void write(const Queue& batch);

  records::RecordLog file_;
  std::mutex mutex_;  ///< of the two below
  Queue queue_;
  bool writing_ = false;
};

/// Reads a history without opening it to add more: for a server that runs meanwhile.
void for_each_event(const std::filesystem::path& file, const std::function<void(Event)>& take);

}  // namespace touchstone::annotation
