#include "pipeline/judging/judge_questions.hpp"

#include "common/error.hpp"
#include "common/files.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace touchstone::pipeline::judging {

using corpus::TitleIndex;
using evidence::Group;
using evidence::TopicCandidates;
using passages::PagePassages;
using passages::PassageCorpus;

CandidateReader::CandidateReader(std::filesystem::path groups_file, std::filesystem::path candidates_file)
    : candidates_file_(std::move(candidates_file)) {
  evidence::GroupFile::for_each(groups_file, [&](Group group) {
    if (group.kept()) groups_.emplace(group.topic, std::move(group));
  });
}

void CandidateReader::for_each_topic(const std::function<void(const Group&, TopicCandidates)>& use) const {
  evidence::CandidateFile::for_each(candidates_file_, [&](TopicCandidates candidates) {
    const auto group = groups_.find(candidates.topic);
    if (group == groups_.end())
      throw FormatError(candidates_file_.string() + ": topic " + candidates.topic +
                        " is in no group; run touchstone candidates again");
    use(group->second, std::move(candidates));
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

/// The articles of the candidates of a chunk, read in ascending order.
std::map<PageId, PagePassages> read_articles(const PassageCorpus& passages, const TopicCandidates& candidates) {
  std::map<PageId, PagePassages> articles;
  for (const auto& member : candidates.members) {
    for (const auto& candidate : member.passages) articles.try_emplace(candidate.page);
  }
  for (auto& [id, article] : articles) {
    if (auto found = passages.article(id)) article = std::move(*found);
  }
  return articles;
}

}  // namespace

std::vector<JudgeQuestion> compose_questions(const TitleIndex& titles, const PassageCorpus& passages,
                                             const Group& group, const TopicCandidates& candidates,
                                             const std::string& query) {
  std::vector<JudgeQuestion> questions;
  const auto articles = read_articles(passages, candidates);
  for (const auto& member : candidates.members) {
    const auto name =
        std::find_if(group.members.begin(), group.members.end(), [&](const auto& m) { return m.page == member.page; });
    if (name == group.members.end())
      throw FormatError("candidates of topic " + group.topic +
                        " name a page that is not a member; run touchstone candidates again");
    std::vector<std::string> aliases;
    for (const auto& redirect : titles.redirects_to(member.page, false)) aliases.push_back(redirect.text);
    for (auto& alias : titles.other_names(member.page)) {
      if (alias != name->title && std::find(aliases.begin(), aliases.end(), alias) == aliases.end())
        aliases.push_back(std::move(alias));
    }
    for (const auto& candidate : member.passages) {
      const auto& article = articles.at(candidate.page);
      const auto passage = std::find_if(article.passages.begin(), article.passages.end(),
                                        [&](const auto& p) { return p.ordinal == candidate.ordinal; });
      if (passage == article.passages.end())
        throw FormatError("candidates of topic " + group.topic +
                          " name a passage that is not in the corpus; run touchstone candidates again");
      JudgeQuestion question;
      question.member_page = member.page;
      question.page = candidate.page;
      question.source = candidate.source;
      question.mentions = candidate.mentions;
      const bool linked = candidate.source <= CandidateSource::kLink;
      question.request = {group.page,
                          group.section_path,
                          group.column,
                          name->title,
                          aliases,
                          article.title,
                          passage->text,
                          linked ? candidate.mentions : decltype(candidate.mentions){},
                          candidate.page == member.page,
                          query,
                          passage->section_path.empty()};
      question.request.docid = passages.docid(candidate.page, candidate.ordinal);
      if (passage != article.passages.begin()) question.request.before = std::prev(passage)->text;
      if (const auto next = std::next(passage); next != article.passages.end()) question.request.after = next->text;
      questions.push_back(std::move(question));
    }
  }
  return questions;
}

}  // namespace touchstone::pipeline::judging
