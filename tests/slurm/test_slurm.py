"""Builds as jobs of a real Slurm (cluster.py): the bytes of one process, whatever happens to nodes, tasks, controller and driver."""
import pathlib
import re
import subprocess
import sys
import time
import unittest

from on_slurm import CONFIG, DUMP, FAST, PROGRAM, SOURCE, OnSlurm, need_data

BOTH = ['--to', 'all', '--set', 'automatic.min_sections=1', '--set', 'automatic.folds=2']


class Test(OnSlurm):
    def test_both_collections_have_the_bytes_of_one_process(self):
        expected = self.expected(*BOTH)
        said = self.on_slurm(self.cluster(), 'w', '--shards', '4', *BOTH)
        self.assertIn('pages: 2 of 2 shards in 1 array', said.stderr)
        self.assert_same_results('w', expected)
        self.assertIn('done before', self.on_slurm(self.cluster(), 'w', '--shards', '4', *BOTH).stderr)

    def test_the_next_month_takes_over_what_did_not_change(self):
        dump = self.folder / 'next.xml'
        dump.write_bytes(subprocess.run([sys.executable, SOURCE / 'bench' / 'next_month.py', DUMP, '--share', '0.1'], stdout=subprocess.PIPE, check=True).stdout)
        self.build('m0')
        previous = ['--previous', self.folder / 'm0']
        self.build('local', *previous, dump=dump)
        slurm = self.cluster()
        self.build('m1', '--executor', 'slurm', '--shards', '4', *FAST, *previous, dump=dump, environment=slurm.environment())
        self.assert_same_results('m1', self.results('local'))
        self.assertGreater(self.manifest('m1')['stages']['ingest']['counts']['pages taken over from the previous dump'], 100)

    def test_the_shinto_wiki_on_four_nodes_has_the_bytes_of_one_process(self):
        dump = need_data(self, 'shintowiki-20260531-pages-meta-current-multistream.xml.bz2')
        config = SOURCE / 'configs' / 'automatic.toml'
        run = lambda work, *more, **options: self.run_program('--progress', 'never', 'build', '--to', 'all', '--config', config, '--dump', dump, '--work', self.folder / work,
                                                              *more, **options)
        run('local')
        said = run('w', '--executor', 'slurm', '--shards', '24', *FAST, environment=self.cluster(max_array_size=10).environment())
        self.assertIn('24 of 24 shards in 3 arrays', said.stderr)
        self.assert_same_results('w', self.results('local'))

    def test_a_node_that_dies_is_left_out_and_its_shards_run_again(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', '--to', 'passages', '--shards', '2', TOUCHSTONE_SLEEP_AT='shard.begun:8')
        (task, node), *_ = self.wait_for_tasks(slurm, 'passages')
        # A job that is said to run may not have a process yet, which would survive.
        slurm.wait_until(lambda: slurm.runs_on(node, PROGRAM), 60, f'no program runs on {node}')
        slurm.kill_node(node)
        said = self.finish(driver)
        self.assertRegex(said, rf'passages: .*on {node}.* was on a node that failed')
        self.assert_same_results('w', expected)

    def test_a_task_that_runs_on_when_its_node_is_lost_harms_nobody(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', '--to', 'passages', '--shards', '2', TOUCHSTONE_SLEEP_AT='shard.begun:15')
        (task, node), *_ = self.wait_for_tasks(slurm, 'passages', 2)
        slurm.kill(node)  # the daemon alone
        said = self.finish(driver)
        self.assertIn('passages: done', said)
        self.assert_same_results('w', expected)

    def test_a_killed_task_runs_again(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', '--to', 'passages', '--shards', '2', TOUCHSTONE_SLEEP_AT='shard.begun:4')
        slurm.wait_until(self.kill_first_shard, 60, 'the task of the first shard does not run')
        said = self.finish(driver)
        self.assertRegex(said, 'passages: shard 1 of 2')
        self.assertIn('passages: 1 of 2 shards', said)
        self.assert_same_results('w', expected)

    def test_a_task_that_needs_more_memory_gets_it(self):
        expected = self.expected('--to', 'passages')
        said = self.on_slurm(self.cluster(), 'w', '--to', 'passages', '--shards', '2', '--set', 'slurm.memory_mb=15', '--set', 'slurm.attempts=6',
                             environment={'TOUCHSTONE_SLEEP_AT': 'shard.begun:3'}).stderr
        self.assertIn('needed more memory than it had', said)
        self.assert_same_results('w', expected)

    def test_a_controller_that_is_killed_and_comes_back_loses_nothing(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', '--to', 'passages', '--shards', '2', TOUCHSTONE_SLEEP_AT='shard.begun:4')
        self.wait_for_tasks(slurm, 'passages')
        slurm.kill_controller()
        time.sleep(6)
        slurm.start_controller()
        self.finish(driver)
        self.assert_same_results('w', expected)

    def test_a_killed_driver_finds_its_jobs_again(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', '--to', 'passages', '--shards', '2', TOUCHSTONE_SLEEP_AT='shard.begun:4')
        self.wait_for_tasks(slurm, 'passages', 2)
        driver.kill()
        driver.communicate()
        said = self.on_slurm(slurm, 'w', '--to', 'passages', '--shards', '2').stderr
        self.assertIn('jobs of an earlier run', said)
        self.assertIn('passages: done before', said)
        self.assert_same_results('w', expected)

    def test_a_second_driver_is_refused(self):
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', '--to', 'passages', '--shards', '2', TOUCHSTONE_SLEEP_AT='shard.begun:4')
        self.wait_for_tasks(slurm, 'passages')
        self.assert_one_error(self.on_slurm(slurm, 'w', '--to', 'passages', '--shards', '2', status=2), 'another process gives out the jobs', str(driver.pid))
        self.finish(driver)

    def test_a_failure_of_the_program_ends_the_build_with_its_reason(self):
        slurm = self.cluster()
        self.build('w', '--to', 'passages')
        file = self.folder / 'w' / 'stages' / 'passage_index.records'
        file.write_bytes(file.read_bytes()[:-1] + b'x')
        said = self.assert_one_error(self.on_slurm(slurm, 'w', '--to', 'candidates', '--shards', '2', status=1), 'stage candidates failed: shard 1 of 2',
                                     'passage_index.records is not as stage passages wrote it')
        log = pathlib.Path(re.search(r'its log is (\S+)', said)[1])
        self.assertTrue(log.exists())
        status = self.run_program('status', '--work', self.folder / 'w').stdout
        self.assertRegex(status, r'on the cluster:\ncandidates: jobs \d+, \d+; .*2 of 2 shards are missing: 1-2\n  shard 1 of 2 \(job ')
        self.assertIn('passage_index.records is not as stage passages wrote it', status)
        self.assertIn(f'shard candidates --index 0 --of 2 --work {self.folder}', status)

    def test_files_of_a_dump_are_read_by_tasks_side_by_side(self):
        text = DUMP.read_text()
        first, end = text.index('  <page>'), text.index('</mediawiki>')
        middle = text.index('  <page>', (first + end) // 2)
        dumps = [self.folder / 'a.xml', self.folder / 'b.xml']
        for dump, (begin, stop) in zip(dumps, ((first, middle), (middle, end))):
            dump.write_text(text[:first] + text[begin:stop] + text[end:])
        build = lambda work, *arguments, **options: self.run_program('build', '--config', CONFIG, '--to', 'passages', '--dump', *dumps, '--work', self.folder / work,
                                                                     *arguments, **options)
        build('local')
        said = build('w', '--executor', 'slurm', '--shards', '2', '--set', 'slurm.poll_seconds=1', environment=self.cluster().environment()).stderr
        self.assertIn('ingest: 2 of 2 shards in 1 array', said)
        self.assertIn('forecast: building a sample', said)
        self.assert_same_results('w', self.results('local'))

    def test_a_campaign_is_one_array_and_what_fails_is_named(self):
        (self.folder / 'wikis.toml').write_text(f'''
[campaign]
to = "passages"
[[campaign.wiki]]
name = "a"
dump = ["{DUMP}"]
[[campaign.wiki]]
name = "b"
dump = ["{self.folder}/none.xml"]
[slurm]
poll_seconds = 1
merge_memory_mb = 1500
''')
        environment = self.cluster().environment()
        campaign = lambda status: self.run_program('campaign', self.folder / 'wikis.toml', '--executor', 'slurm', status=status, environment=environment)
        said = campaign(1)
        self.assertIn('campaign: 2 of 2 builds in 1 array', said.stderr)
        self.assertRegex(said.stdout, r'(?m)^a\t\t\tdone\t147\t.*\nb\t\t\tfailed\t.*none.xml: no such file')
        self.build('local', '--to', 'passages')
        read = lambda work: (work / 'stages' / 'passage_index.records').read_bytes()
        self.assertEqual(read(self.folder / 'campaign' / 'a'), read(self.folder / 'local'))
        self.assertIn('campaign: 1 of 2 builds in 1 array', campaign(1).stderr)

    def test_a_build_of_a_campaign_that_no_attempt_finishes_is_in_its_table(self):
        (self.folder / 'wikis.toml').write_text(f'''
[campaign]
to = "link"
[[campaign.wiki]]
name = "a"
dump = ["{DUMP}"]
[slurm]
poll_seconds = 1
attempts = 1
merge_memory_mb = 15
''')
        environment = self.cluster().environment(TOUCHSTONE_SLEEP_AT='shard.begun:4')
        said = self.run_program('campaign', self.folder / 'wikis.toml', '--executor', 'slurm', status=1, environment=environment)
        self.assertRegex(said.stdout, r'(?m)^a\t\t\tfailed\t.*not done after 1 attempts; the last: .*needed more memory than it had')
        self.assert_one_error(said, '1 of 1 builds failed')

    def test_what_cannot_be_done_is_said_before_a_job_is_given_out(self):
        self.assert_one_error(self.build('w', '--executor', 'slurm', status=1, environment={'PATH': '/none'}), 'scontrol')
        slurm = self.cluster()
        self.assert_one_error(self.on_slurm(slurm, 'w', '--force', status=2), '--force')
        self.assert_one_error(self.on_slurm(slurm, 'w', '--set', 'slurm.partition=none', status=1), 'sbatch refused', 'partition')


if __name__ == '__main__':
    unittest.main()
