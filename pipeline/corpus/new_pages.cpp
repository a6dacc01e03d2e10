#include "pipeline/corpus/new_pages.hpp"

#include "extractors/site/moment.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "storage/keys.hpp"
#include "storage/meta_keys.hpp"
#include "storage/records.hpp"

#include <string_view>
#include <utility>

namespace touchstone::pipeline::corpus {
namespace {

constexpr std::size_t kDayLength = 10;  // of "2026-05-31"

}  // namespace

std::vector<Option<NewPagesOptions>> NewPagesOptions::options() {
  return {{"previous.only_new", &NewPagesOptions::only_new,
           "A day, such as 2026-05-31: evidence, and the topics of automatic collections, are only of pages whose "
           "newest revision is of a later day. With previous.work, of a dump that is not later, only texts count that "
           "their page did not have in it. Empty: of any age."}};
}

std::vector<std::string> NewPagesOptions::problems(const Settings& settings) {
  const auto& day = settings.get<NewPagesOptions>().only_new;
  if (day.empty() || (day.size() == kDayLength && extractors::site::read_fixed_moment(day))) return {};
  return {"previous.only_new is \"" + day + "\", which is no day; write it as 2026-05-31"};
}

std::string new_pages_fingerprint(const Settings& settings) {
  return settings.get<NewPagesOptions>().only_new.empty() ? "" : settings.get<PreviousOptions>().work;
}

NewPages::NewPages(const storage::Store& store, std::string day, const std::filesystem::path& previous)
    : store_(store), day_(std::move(day)) {
  if (previous.empty()) return;
  auto earlier = open_previous(previous);
  std::string newest;
  earlier->get(storage::Family::kMeta, storage::kMetaNewestTimestamp, newest);
  if (std::string_view(newest).substr(0, kDayLength) <= day_) previous_ = std::move(earlier);
}

bool NewPages::has(PageId page) const {
  std::string bytes;
  return store_.get(storage::Family::kPage, storage::page_key(page), bytes) &&
         std::string_view(storage::decode_page(bytes).timestamp).substr(0, kDayLength) > day_;
}

}  // namespace touchstone::pipeline::corpus
