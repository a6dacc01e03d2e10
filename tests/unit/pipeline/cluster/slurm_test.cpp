#include "pipeline/cluster/slurm.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/stop.hpp"
#include "pipeline/cluster/cluster_status.hpp"
#include "pipeline/cluster/driver_claim.hpp"
#include "pipeline/cluster/job_script.hpp"
#include "pipeline/cluster/journal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::cluster {
namespace {

TEST(SlurmAnswers, LinesOfTheQueueAreJobsAndOthersAreLeftOut) {
  const auto jobs = parse_queue(
      "12_3|ts-1-pages|RUNNING|None|n2\nslurm_load_jobs "
      "warning\n13|ts-1-pages|PENDING|Dependency|\n||||\n14_[5-7]|x|PENDING|"
      "launch failed requeued held|");
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[0].id, "12_3");
  EXPECT_EQ(jobs[0].node, "n2");
  EXPECT_EQ(jobs[1].state, "PENDING");
  EXPECT_EQ(jobs[1].reason, "Dependency");
  EXPECT_EQ(jobs[2].reason, "launch failed requeued held");
  EXPECT_TRUE(parse_queue("").empty());
}

TEST(SlurmAnswers, TheEndOfAJobIsItsStateAndItsNodeIsNotThatOfARequest) {
  const auto said = [](const std::string& state) {
    return parse_job("JobId=3 ArrayJobId=1 JobName=x\n   JobState=" + state +
                     " Reason=None\n   ReqNodeList=n9 ExcNodeList=(null)\n   NodeList=n2\n");
  };
  EXPECT_EQ(said("NODE_FAIL").end, JobEnd::kNodeFail);
  EXPECT_EQ(said("NODE_FAIL").node, "n2");
  EXPECT_EQ(said("OUT_OF_MEMORY").end, JobEnd::kOutOfMemory);
  EXPECT_EQ(said("TIMEOUT").end, JobEnd::kTimeout);
  EXPECT_EQ(said("PREEMPTED").end, JobEnd::kPreempted);
  EXPECT_EQ(said("COMPLETED").end, JobEnd::kDone);
  EXPECT_EQ(said("RUNNING").end, JobEnd::kUnknown);
  EXPECT_EQ(parse_job("JobId=3 ArrayJobId=1 JobName=x-link\n   JobState=FAILED\n").name, "x-link");
  EXPECT_EQ(parse_job("").end, JobEnd::kUnknown);
  EXPECT_EQ(parse_accounting("CANCELLED by 0|n3|x\nCOMPLETED|n3|batch\n").end, JobEnd::kCancelled);
  EXPECT_EQ(parse_accounting("CANCELLED by 0|n3|x\n").node, "n3");
  EXPECT_EQ(parse_accounting("CANCELLED by 0|n3|x\n").name, "x");
  EXPECT_EQ(parse_accounting("").end, JobEnd::kUnknown);
}

TEST(SlurmAnswers, NumbersAreFoundAmongOtherLines) {
  EXPECT_EQ(config_value("Foo = 1\nMaxArraySize            = 1001\n", "MaxArraySize"), "1001");
  EXPECT_EQ(config_value("MaxArraySizeOfOthers = 5\n", "MaxArraySize"), std::nullopt);
  EXPECT_EQ(submitted_id("123\n"), "123");
  EXPECT_EQ(submitted_id("hello from the site\n123;cluster\n"), "123");
  EXPECT_EQ(submitted_id("sbatch: error\n"), std::nullopt);
}

TEST(SlurmAnswers, TheLimitOfAPartitionIsInMinutes) {
  constexpr auto kPartitions =
      "PartitionName=short AllowGroups=ALL Default=YES MaxTime=00:15:00 State=UP\n"
      "PartitionName=long Default=NO MaxNodes=UNLIMITED MaxTime=2-01:30:00\n"
      "PartitionName=free Default=NO MaxTime=UNLIMITED\n";
  EXPECT_EQ(most_minutes(kPartitions, ""), 15);
  EXPECT_EQ(most_minutes(kPartitions, "long"), 2 * 24 * 60 + 90);
  EXPECT_EQ(most_minutes(kPartitions, "free"), std::nullopt);
  EXPECT_EQ(most_minutes(kPartitions, "free,long,short"), 15);
  EXPECT_EQ(most_minutes(kPartitions, "hort"), std::nullopt);
  EXPECT_EQ(most_minutes("", ""), std::nullopt);
}

TEST(JobScripts, EachTaskTakesItsNumberAndAMergeWaitsForAllArrays) {
  const ClusterPaths paths{"/w o/cluster"};
  Job job{"ts-1-pages", "pages-1", {"shard", "pages", "--index", "{index}"}, {4, 7}, {2, 500, 10},
          {"n1", "n2"}, {"5", "6"}};
  const auto options = sbatch_options(job, {}, paths);
  const auto has = [&](const char* option) {
    return std::find(options.begin(), options.end(), option) != options.end();
  };
  EXPECT_TRUE(has("--array=0-1"));
  EXPECT_TRUE(has("--dependency=afterany:5:6"));
  EXPECT_TRUE(has("--exclude=n1,n2"));
  EXPECT_TRUE(has("--no-requeue"));
  EXPECT_TRUE(has("--mem=500M"));
  EXPECT_TRUE(has("--time=10"));
  EXPECT_TRUE(has("--signal=B:USR1@60"));
  const auto script = job_script(job, paths, "/opt/touch stone", "/home/it's");
  EXPECT_NE(script.find("set -- 4 7\nshift \"$SLURM_ARRAY_TASK_ID\"\nindex=$1\n"), std::string::npos) << script;
  EXPECT_NE(script.find("'/opt/touch stone' shard pages --index \"$index\" &"), std::string::npos) << script;
}

TEST(Journals, StagesThatWereFinishedAreForgotten) {
  const testing::TemporaryFolder folder;
  const Journal journal(folder / "journal.jsonl");
  EXPECT_TRUE(journal.unfinished().empty());
  journal.submitted("facets", {"12"}, 0);
  journal.submitted("pages", {"7", "8"}, 4);
  journal.failed({"pages", 1, 4, "7_1", "n1", "failed", "/log", {"touchstone", "shard"}});
  journal.failed({"pages", 1, 4, "9_0", "n2", "needed more time than it had", "/log2", {"touchstone", "shard"}});
  journal.failed({"facets", 0, 0, "12", "n3", "failed", "/log3", {"touchstone"}});
  journal.finished("facets");
  journal.submitted("pages", {"9", "10"}, 4);
  const auto stages = journal.unfinished();
  ASSERT_EQ(stages.size(), 1U);
  EXPECT_EQ(stages[0].stage, "pages");
  EXPECT_EQ(stages[0].jobs, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(stages[0].shards, 4U);
  ASSERT_EQ(stages[0].failures.size(), 1U);
  EXPECT_EQ(stages[0].failures[0].job, "9_0");
  EXPECT_EQ(stages[0].failures[0].command.size(), 2U);
}

TEST(ClusterStatuses, NumbersOfShardsAreRangesAndAFewOfThem) {
  EXPECT_EQ(shard_numbers({}), "");
  EXPECT_EQ(shard_numbers({0}), "1");
  EXPECT_EQ(shard_numbers({1, 4, 5, 6, 8}), "2, 5-7 and 9");
  EXPECT_EQ(shard_numbers({0, 2, 4, 6, 8, 10, 12, 14, 16, 18}), "1, 3, 5, 7, 9, 11, 13, 15 and 2 more");
}

TEST(ClusterStatuses, ItSaysWhatRunsWhatIsMissingAndWhatFailedWithTheEndOfItsLog) {
  const testing::TemporaryFolder folder;
  write_file_atomically(folder / "log", "one\ntwo\nthree\nfour\n");
  StageJobs stage{"pages", {"7", "8"}, 4, {0, 2}, {"7_0 on n1"}, 2, true, {}};
  stage.failures.push_back({"pages", 2, 4, "5_2", "n3", "failed", folder / "log", {"touchstone", "shard", "pages"}});
  const auto text = status_text({stage});
  EXPECT_EQ(text,
            "pages: jobs 7, 8; 1 run (7_0 on n1), 2 wait; 2 of 4 shards are missing: 1 and 3\n"
            "  shard 3 of 4 (job 5_2 on n3) failed\n    log      " +
                (folder / "log").string() +
                "\n    |        two\n    |        three\n    |        four\n"
                "    again    touchstone shard pages\n");
  stage.failures.clear();
  stage.slurm_answers = false;
  stage.missing.clear();
  EXPECT_EQ(status_text({stage}), "pages: jobs 7, 8; squeue does not answer here; all 4 shards are whole\n");
}

TEST(DriverClaims, OneProcessHasItUntilItGivesItUp) {
  const testing::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "cluster");
  const auto file = folder / "cluster" / "driver";
  const StopFlag stop;
  {
    DriverClaim claim(file, std::chrono::seconds(1), stop);
    claim.beat();
    EXPECT_THROW(DriverClaim(file, std::chrono::seconds(1), stop), ConfigError);
  }
  EXPECT_FALSE(std::filesystem::exists(file));
  DriverClaim(file, std::chrono::seconds(1), stop).beat();
}

TEST(DriverClaims, OfADeadOwnerItIsTakenAndOneThatWasTakenIsNoted) {
  const testing::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "cluster");
  const auto file = folder / "cluster" / "driver";
  const StopFlag stop;
  write_file_atomically(file, "another-host 1 abc\n5\n");  // writes no more
  DriverClaim claim(file, std::chrono::seconds(1), stop);
  write_file_atomically(file, "another-host 1 abc\n6\n");  // it woke up and took it
  EXPECT_THROW(claim.beat(), Error);
}

}  // namespace
}  // namespace touchstone::pipeline::cluster
