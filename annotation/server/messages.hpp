#pragma once

#include "annotation/campaign.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The JSON that the page and the server exchange. Pure, thread-safe.
namespace touchstone::annotation::server {

/// Most answers of a request, tasks of a reply, and bytes of a request.
inline constexpr std::size_t kMaxAnswers = 50, kMaxTasksAtOnce = 10, kMaxRequestBytes = std::size_t{1} << 20;

struct NextRequest {
  std::size_t count = 1;
  std::vector<std::string> have;  ///< ids of tasks that the page holds
};

struct TakeBackRequest {
  AnswerFilter filter;
  bool reopen = false, dry_run = false;
};

// Readers throw FormatError with the end of a sentence about the request.
NextRequest read_next(std::string_view body);
std::vector<PostedAnswer> read_answers(std::string_view body);
TakeBackRequest read_take_back(std::string_view body);

std::string session_json(const Campaign& campaign, std::size_t annotator);
std::string next_json(const Campaign& campaign, const Campaign::Next& next);
std::string results_json(const std::vector<PostedAnswer>& answers, const std::vector<PostResult>& results,
                         Progress progress);
std::string history_json(const Campaign& campaign, const std::vector<Campaign::Answered>& answers);
std::string changed_json(Changed changed);
std::string error_json(std::string_view sentence);

}  // namespace touchstone::annotation::server
