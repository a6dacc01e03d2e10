#pragma once

#include "common/shared_journal.hpp"
#include "llm_client/budget.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace touchstone::pipeline::judging {

/// What processes that ask the same judges tell each other, in a journal on the disk that they share: who asks which
/// questions, so that none is asked twice, and who has taken how much of the budget. A portion that was taken stays
/// taken until it is given back, so that no crash and no second process of the same task passes a cap. Thread-safe. All
/// functions throw StorageError.
class SharedAsking : public llm_client::BudgetSource {
 public:
  /// \param folder  of the journal
  /// \param writer  a name that no other process has or had
  SharedAsking(const std::filesystem::path& folder, std::string writer, const llm_client::BudgetLimits& limits);

  std::optional<llm_client::Spending> take(const llm_client::Spending& least) override;
  void owe(const llm_client::Spending& more) override;
  void give_back(const llm_client::Spending& rest) override;
  llm_client::Spending left() const override;

  /// Makes something this process's own. False if another process has it, or the questions are no longer given out.
  /// \param what  a word without spaces
  bool claim(const std::string& what);
  /// Lets others have what this process claimed.
  void release_claims();
  /// Tells all that something is done, and whether somebody has.
  void tell_done(const std::string& what);
  bool is_done(const std::string& what);

  /// Ends all claims, and with them the work of those that have some and of those that are about to get one: somebody
  /// else asks what is left.
  void close();
  /// True if somebody has closed since this object was made.
  bool is_closed();

  const std::string& writer() const noexcept { return writer_; }

 private:
  void read_on();
  void apply(const std::string& entry);
  llm_client::Spending left_locked() const;
  template <class Entry>
  bool add(const Entry& entry);

  const std::string writer_;
  const llm_client::Spending most_;
  mutable std::mutex mutex_;
  SharedJournal journal_;
  llm_client::Spending taken_;                 ///< by all
  std::map<std::string, std::string> claims_;  ///< who has what
  std::map<std::string, std::string> done_;    ///< who has told so
  bool closed_ = false;
};

}  // namespace touchstone::pipeline::judging
