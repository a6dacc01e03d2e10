#include "collection/evidence/report/topic_contents.hpp"

namespace touchstone::collection::evidence::report::internal {
namespace {

constexpr std::size_t kMemberBytes = std::size_t{16} << 20, kPassageBytes = std::size_t{48} << 20;

std::vector<ShownPassage>& list_of(PassagePart part, TopicContents& contents) {
  switch (part) {
    case PassagePart::kEvidence:
      return contents.evidence;
    case PassagePart::kNotEvidence:
      return contents.not_evidence;
    case PassagePart::kUnjudged:
      break;
  }
  return contents.unjudged;
}

}  // namespace

TopicContentsJoin::TopicContentsJoin(const std::filesystem::path& folder)
    : by_docid_(folder, kPassageBytes), members_(folder, kMemberBytes), passages_(folder, kPassageBytes) {}

void TopicContentsJoin::add_member(std::size_t topic, std::size_t rank, MemberRecord member) {
  members_.add({topic, rank, std::move(member)});
}

void TopicContentsJoin::for_each_topic(std::size_t topics, const std::filesystem::path& corpus, const StopFlag& stop,
                                       const std::function<void(std::size_t, const TopicContents&)>& use) {
  by_docid_.for_each(corpus, stop, [&](ShownPassage shown, const PassageRecord* passage) {
    shown.found = passage != nullptr;
    if (shown.found) shown.passage = *passage;
    shown.passage.docid = shown.docid;
    passages_.add(std::move(shown));
  });
  auto member = members_.next();
  auto passage = passages_.next();
  for (std::size_t topic = 0; topic < topics; ++topic) {
    stop.check();
    TopicContents contents;
    for (; member && member->topic == topic; member = members_.next())
      contents.members.push_back(std::move(member->member));
    for (; passage && passage->topic == topic; passage = passages_.next())
      list_of(passage->part, contents).push_back(std::move(*passage));
    use(topic, contents);
  }
}

}  // namespace touchstone::collection::evidence::report::internal
