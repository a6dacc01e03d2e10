#include "pipeline/judging/judge_questions.hpp"

#include "common/error.hpp"
#include "common/files.hpp"

#include <algorithm>
#include <unordered_map>

namespace touchstone::pipeline::judging {

using corpus::Passage;
using corpus::PassageComposer;
using corpus::TitleIndex;
using evidence::Group;
using evidence::TopicCandidates;

CandidateReader::CandidateReader(std::filesystem::path groups_file, std::filesystem::path candidates_file)
    : candidates_file_(std::move(candidates_file)) {
  for (auto& group : evidence::read_groups(groups_file)) {
    if (group.kept()) groups_.emplace(group.topic, std::move(group));
  }
}

void CandidateReader::for_each_topic(const std::function<void(const Group&, TopicCandidates)>& use) const {
  for_each_line(candidates_file_, [&](std::string_view line, std::uint64_t number) {
    auto candidates =
        evidence::candidates_from_line(line, candidates_file_.string() + " line " + std::to_string(number));
    const auto group = groups_.find(candidates.topic);
    if (group == groups_.end())
      throw FormatError(candidates_file_.string() + ": topic " + candidates.topic +
                        " is in no group; run touchstone candidates again");
    use(group->second, std::move(candidates));
    return true;
  });
}

std::uint64_t CandidateReader::count() const {
  std::uint64_t count = 0;
  for_each_topic([&](const Group&, const TopicCandidates& candidates) {
    for (const auto& member : candidates.members) count += member.passages.size();
  });
  return count;
}

void CandidateReader::for_each_chunk(std::size_t chunk_size, const std::function<void(CandidateChunk)>& use) const {
  for_each_topic([&](const Group& group, const TopicCandidates& topic) {
    CandidateChunk chunk;
    std::size_t size = 0;
    const auto start = [&] {
      chunk = {&group, {}, false};
      chunk.candidates.topic = topic.topic;
      size = 0;
    };
    start();
    for (const auto& member : topic.members) {
      for (std::size_t i = 0; i < member.passages.size();) {
        const std::size_t taken = std::min(chunk_size - size, member.passages.size() - i);
        const auto begin = member.passages.begin() + static_cast<std::ptrdiff_t>(i);
        chunk.candidates.members.push_back({member.page, {begin, begin + static_cast<std::ptrdiff_t>(taken)}});
        i += taken;
        size += taken;
        if (size == chunk_size) {
          use(std::move(chunk));
          start();
        }
      }
    }
    chunk.last = true;
    use(std::move(chunk));
  });
}

namespace {

/// What questions need of the pages of a chunk.
struct CandidatePage {
  std::vector<std::uint32_t> ordinals;
  std::string title;
  std::vector<Passage> passages;
};

std::unordered_map<PageId, CandidatePage> read_pages(const TitleIndex& titles, const PassageComposer& composer,
                                                     const TopicCandidates& candidates) {
  std::unordered_map<PageId, CandidatePage> pages;
  for (const auto& member : candidates.members) {
    for (const auto& candidate : member.passages) pages[candidate.page].ordinals.push_back(candidate.ordinal);
  }
  for (auto& [id, page] : pages) {
    std::sort(page.ordinals.begin(), page.ordinals.end());
    page.passages = composer.texts(id, page.ordinals);
    if (const auto record = titles.page(id)) page.title = record->title.text;
  }
  return pages;
}

}  // namespace

std::vector<JudgeQuestion> compose_questions(const TitleIndex& titles, const PassageComposer& composer,
                                             const Group& group, const TopicCandidates& candidates,
                                             const std::string& query) {
  std::vector<JudgeQuestion> questions;
  const auto pages = read_pages(titles, composer, candidates);
  for (const auto& member : candidates.members) {
    const auto name =
        std::find_if(group.members.begin(), group.members.end(), [&](const auto& m) { return m.page == member.page; });
    if (name == group.members.end())
      throw FormatError("candidates of topic " + group.topic +
                        " name a page that is not a member; run touchstone candidates again");
    std::vector<std::string> aliases;
    for (const auto& redirect : titles.redirects_to(member.page, false)) aliases.push_back(redirect.text);
    for (const auto& candidate : member.passages) {
      const auto& page = pages.at(candidate.page);
      const auto passage = std::find_if(page.passages.begin(), page.passages.end(),
                                        [&](const auto& p) { return p.ordinal == candidate.ordinal; });
      if (passage == page.passages.end())
        throw FormatError("candidates of topic " + group.topic +
                          " name a passage that is not in the corpus; run touchstone candidates again");
      JudgeQuestion question;
      question.docid = composer.docid(candidate.page, candidate.ordinal);
      question.member_page = member.page;
      question.source = candidate.source;
      question.mentions = candidate.mentions;
      const bool linked = candidate.source <= CandidateSource::kLink;
      question.request = {group.page,
                          group.section_path,
                          group.column,
                          name->title,
                          aliases,
                          page.title,
                          passage->text,
                          linked ? candidate.mentions : decltype(candidate.mentions){},
                          candidate.page == member.page,
                          query,
                          passage->section_path.empty()};
      questions.push_back(std::move(question));
    }
  }
  return questions;
}

}  // namespace touchstone::pipeline::judging
