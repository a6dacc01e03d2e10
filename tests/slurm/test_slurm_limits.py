"""Builds on a real Slurm at the limits of jobs, disks and Slurm's memory, and with shards that others left or harmed."""
import hashlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import unittest

from on_slurm import DUMP, SOURCE, OnSlurm

PASSAGES = ['--to', 'passages', '--shards', '2']


class Test(OnSlurm):
    def script(self, name, text):
        """A program of the test's own; returns its folder, to be put first in PATH."""
        path = self.folder / 'programs' / name
        path.parent.mkdir(exist_ok=True)
        path.write_text('#!/bin/sh\n' + text)
        path.chmod(0o755)
        return path

    def with_accounting(self, slurm, says):
        """Environment in which sacct is a script that notes how it was called, and says this of a task of passages."""
        name = 'ts-' + hashlib.sha256(str(self.folder / 'w').encode()).hexdigest()[:8] + '-passages'
        sacct = self.script('sacct', f'echo "$@" >> {self.folder}/asked\necho "{says}|{name}"\n')
        return {'PATH': f'{sacct.parent}:{slurm.environment()["PATH"]}'}

    def asked(self):
        file = self.folder / 'asked'
        return file.read_text().splitlines() if file.exists() else []

    def arrays(self, said):
        return re.findall(r'passages: \d of 2 shards in 1 array \((\d+)\)', said)

    def make_shards(self, work, *arguments, indexes=(0, 1), **options):
        """Shards of passages that nothing merged; returns their folder."""
        for stage in ('link', 'boilerplate'):
            self.build(work, '--to', stage, *arguments, **options)
        for index in indexes:
            self.run_program('shard', 'passages', '--index', index, '--of', 2, '--work', self.folder / work, *arguments)
        return self.folder / work / 'stages' / 'shards' / 'passages'

    # Limits of jobs.

    def sleeping_once(self):
        """A prolog of tasks: the first run of the first task of an array does not come to its end."""
        return self.script('prolog', f'[ "$SLURM_ARRAY_TASK_ID" = 0 ] && mkdir {self.folder}/slept 2>/dev/null && '
                                     'echo export TOUCHSTONE_SLEEP_AT=shard.begun:300\nexit 0\n')

    def end_first_task(self, slurm):
        """Lets the task that sleeps come to its limit of time."""
        slurm.wait_until((self.folder / 'slept').exists, 60, 'the first task does not run')
        (task, _), *_ = [one for one in self.wait_for_tasks(slurm, 'passages') if one[0].endswith('_0')]
        self.move_end(slurm, task, 1)

    def test_a_task_that_needs_more_time_gets_it(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster(more=f'TaskProlog={self.sleeping_once()}')
        driver = self.start_driver(slurm, 'w', *PASSAGES, '--set', 'slurm.minutes=5')
        self.end_first_task(slurm)
        said = self.finish(driver)
        self.assertRegex(said, r'passages: shard 1 of 2 \(job \d+_0 on n\d\) needed more time than it had')
        self.assertNotIn('shard 2 of 2', said)
        first, second = self.arrays(said)
        self.assertIn('TimeLimit=00:10:00', slurm.output('scontrol', 'show', 'job', second + '_0'))
        self.assert_same_results('w', expected)

    def test_shards_for_which_the_partition_has_not_the_time_are_cut_smaller(self):
        large = self.folder / 'large.xml'
        large.write_bytes(subprocess.run([sys.executable, SOURCE / 'bench' / 'large_wiki.py', DUMP, '--bytes', '600000'], stdout=subprocess.PIPE, check=True).stdout)
        expected = self.expected('--to', 'passages', dump=large)
        slurm = self.cluster(more=f'TaskProlog={self.sleeping_once()}', max_time='15')
        driver = self.start_driver(slurm, 'w', *PASSAGES, '--set', 'slurm.minutes=100', dump=large)
        self.end_first_task(slurm)
        said = self.finish(driver)
        self.assertRegex(said, r'passages: shard 1 of 2 .* needed more time than it had, and the partition gives no job more than 15 minutes')
        self.assertRegex(said, 'now it is cut into 4\n')
        self.assertRegex(said, 'passages: 4 of 4 shards in 1 array')
        self.assertIn('TimeLimit=00:15:00', slurm.output('scontrol', 'show', 'job', self.arrays(said)[0] + '_1'))
        self.assert_same_results('w', expected)

    def test_a_job_that_asks_for_more_than_it_may_have_is_not_waited_for(self):
        slurm = self.cluster()
        slurm.output('scontrol', 'update', 'PartitionName=main', 'MaxNodes=0')
        said = self.on_slurm(slurm, 'w', '--to', 'link', status=1)
        self.assert_one_error(said, 'Slurm gives no job as much', 'PartitionNodeLimit')
        self.assertEqual(slurm.output('squeue', '--noheader'), '')

    # What Slurm forgets.

    def test_ids_that_are_given_again_mix_up_nothing(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', *PASSAGES, TOUCHSTONE_SLEEP_AT='shard.begun:10')
        self.wait_for_tasks(slurm, 'passages', 2)
        slurm.wait_until(self.kill_first_shard, 60, 'the task of the first shard does not run')
        ends = self.folder / 'w' / 'cluster' / 'ends'
        slurm.wait_until(lambda: any(ends.glob('passages-*-0')), 60, 'the first shard leaves no status')
        self.forget_all(slurm)
        said = self.finish(driver)
        arrays = self.arrays(said)
        self.assertGreaterEqual(len(arrays), 2, said)
        self.assertEqual(arrays[0], arrays[1], 'the ids begin anew')
        self.assertEqual(len(list(ends.glob('passages-*-0'))), 1 + len(arrays), 'each array has files of its own')
        self.assert_same_results('w', expected)

    def test_a_job_of_others_that_got_the_id_of_a_task_is_not_taken_for_it(self):
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', *PASSAGES, TOUCHSTONE_SLEEP_AT='shard.begun:5')
        self.addCleanup(driver.kill)
        self.wait_for_tasks(slurm, 'passages', 2)
        driver.send_signal(signal.SIGSTOP)
        self.forget_all(slurm)
        others = ''
        while not others.isdigit():  # until the controller answers
            others = slurm.output('sbatch', '--parsable', '--hold', '--job-name=others', '--array=0-1', '--wrap=true').strip()
        slurm.output('scancel', others)
        self.assertIn('JobState=CANCELLED', slurm.output('scontrol', 'show', 'job', others + '_0'))
        driver.send_signal(signal.SIGCONT)
        said = self.finish(driver)
        self.assertEqual(self.arrays(said)[0], others)
        self.assertNotIn('cancelled', said)

    def forget_all(self, slurm):
        """A controller that loses its state."""
        slurm.kill_controller()
        shutil.rmtree(slurm.folder / 'state')
        (slurm.folder / 'state').mkdir()
        slurm.start_controller()

    def test_accounting_is_asked_only_of_what_slurm_has_forgotten(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster(more='MinJobAge=2')
        driver = self.start_driver(slurm, 'w', *PASSAGES, '--set', 'slurm.poll_seconds=2', TOUCHSTONE_SLEEP_AT='shard.begun:8',
                                   **self.with_accounting(slurm, 'OUT_OF_MEMORY|n9'))
        self.wait_for_tasks(slurm, 'passages', 2)
        slurm.wait_until(self.kill_first_shard, 60, 'the task of the first shard does not run')
        driver.send_signal(signal.SIGSTOP)
        self.addCleanup(driver.kill)
        slurm.wait_until(lambda: 'JobId=' not in slurm.output('scontrol', 'show', 'job'), 90, 'Slurm does not forget its jobs')
        driver.send_signal(signal.SIGCONT)
        said = self.finish(driver)
        self.assertRegex(said, r'passages: shard 1 of 2 \(job \d+_0 on n9\) needed more memory than it had')
        self.assertEqual([line.split()[-1] for line in self.asked()], [f'--jobs={self.arrays(said)[0]}_0'])
        self.assert_same_results('w', expected)

    def test_accounting_is_not_asked_of_what_slurm_knows(self):
        slurm = self.cluster()
        driver = self.start_driver(slurm, 'w', *PASSAGES, TOUCHSTONE_SLEEP_AT='shard.begun:5', **self.with_accounting(slurm, 'NODE_FAIL|n9'))
        slurm.wait_until(self.kill_first_shard, 60, 'the task of the first shard does not run')
        self.assertIn('passages: shard 1 of 2', self.finish(driver))
        self.assertEqual(self.asked(), [])

    # A disk that is full.

    def small_disk(self, megabytes):
        disk = self.folder / 'disk'
        disk.mkdir()
        mounted = subprocess.run(['mount', '-t', 'tmpfs', '-o', f'size={megabytes}m', 'tmpfs', disk], stderr=subprocess.PIPE)
        if mounted.returncode != 0:
            self.skipTest('mount is not permitted here: ' + mounted.stderr.decode().strip())
        self.addCleanup(subprocess.run, ['umount', '-l', disk])
        return disk

    def fill(self, disk, but):
        """Fills a disk with one file, except for a number of bytes."""
        with open(disk / 'filler', 'wb', buffering=0) as file:
            while (free := shutil.disk_usage(disk).free - but) > 0:
                file.write(bytes(min(free, 1 << 20)))

    def assert_full_disk_is_said_and_survived(self, but, *words, options=('--set', 'run.keep_free_mb=0'), why='No space left on device'):
        expected = self.expected('--to', 'passages')
        disk = self.small_disk(64)
        work = disk / 'w'
        slurm = self.cluster()
        driver = self.start_driver(slurm, work, *PASSAGES, *options, TOUCHSTONE_SLEEP_AT='shard.begun:6')
        self.wait_for_tasks(slurm, 'passages', 2)
        self.fill(disk, but)
        out, err = driver.communicate(timeout=300)
        said = subprocess.CompletedProcess([], driver.returncode, out, err)
        self.assertEqual(said.returncode, 1, err)
        self.assert_one_error(said, str(work), why, *words)
        (disk / 'filler').unlink()
        self.on_slurm(slurm, work, *PASSAGES)
        self.assert_same_results(work, expected)

    def test_a_shared_disk_without_a_byte_ends_the_build_with_its_reason(self):
        self.assert_full_disk_is_said_and_survived(0, 'cluster')

    def test_a_shared_disk_without_room_for_a_shard_ends_the_build_with_its_reason(self):
        self.assert_full_disk_is_said_and_survived(24 << 10)

    def test_a_shared_disk_that_is_nearly_full_is_left_to_others(self):
        self.assert_full_disk_is_said_and_survived(24 << 10, 'stage passages failed', 'bytes are free', options=(), why='nearly full')

    def test_a_shared_disk_without_room_for_the_store_ends_the_build_with_its_reason(self):
        self.assert_full_disk_is_said_and_survived(4 << 20, 'stage passages failed', 'cannot open store', 'free some space', 'its log is')

    # By hand.

    def test_printed_scripts_run_by_hand_give_the_bytes_of_one_process(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster()
        work = '100%j by hand'  # a blank is a matter of quotes, and %j the number of a job in names of logs
        printed = self.build(work, '--executor', 'slurm', *PASSAGES, '--print-scripts', '--set', 'slurm.memory_mb=700', '--set', 'slurm.merge_memory_mb=1500').stdout
        scripts = re.split(r'(?m)^# (?=sbatch )', printed)[1:]
        self.assertGreater(len(scripts), 4)
        for script in scripts:
            line, text = script.split('\n', 1)
            *command, name = shlex.split(line)
            (self.folder / name).write_text(text)
            done = subprocess.run([*command, '--wait', name], cwd=self.folder, env=slurm.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            logs = ''.join(file.read_text() for file in (self.folder / work).rglob('*.log') if '/cluster/' in str(file))
            self.assertEqual(done.returncode, 0, line + '\n' + done.stdout + logs)
        self.assert_same_results(work, expected)

    # Shards and stores that do not fit.

    def assert_other_shards_are_made_again(self, why, *arguments, **options):
        expected = self.expected('--to', 'passages')
        other = self.make_shards('other', *arguments, **options)
        for stage in ('link', 'boilerplate'):
            self.build('w', '--to', stage)
        shutil.copytree(other, self.folder / 'w' / 'stages' / 'shards' / 'passages')
        said = self.on_slurm(self.cluster(), 'w', *PASSAGES).stderr
        for number in (1, 2):
            self.assertEqual(said.count(f'passages: shard {number} of 2 was made {why}'), 1, said)
        self.assertIn('2 of 2 shards in 1 array', said)
        self.assert_same_results('w', expected)

    def test_shards_of_other_options_are_made_again(self):
        self.assert_other_shards_are_made_again('with other settings', '--set', 'passages.min_words=6')

    def test_shards_of_another_dump_are_made_again(self):
        dump = self.folder / 'other.xml'
        text = DUMP.read_text()
        dump.write_text(text[:text.rindex('  <page>')] + '</mediawiki>\n')  # without its last page
        self.assert_other_shards_are_made_again('from other inputs', dump=dump)

    def test_harmed_shards_are_made_again(self):
        expected = self.expected('--to', 'passages')
        shards = self.make_shards('w')
        cut, edited = (sorted((shards / f'{number}-of-2').glob('*.passages'))[0] for number in (1, 2))
        cut.write_bytes(cut.read_bytes()[:-1])
        edited.write_bytes(edited.read_bytes()[:-1] + b'\xff')
        said = self.on_slurm(self.cluster(), 'w', *PASSAGES).stderr
        self.assertEqual(said.count('passages: shard 1 of 2 has a file of another length than it wrote'), 1, said)
        self.assertEqual(said.count('passages: shard 2 of 2 has a file whose bytes were changed'), 1, said)
        self.assert_same_results('w', expected)

    def test_a_shard_that_is_harmed_before_the_merge_is_made_again_alone(self):
        expected = self.expected('--to', 'passages')
        slurm = self.cluster()
        shards = self.make_shards('w', indexes=[1])
        driver = self.start_driver(slurm, 'w', *PASSAGES, TOUCHSTONE_SLEEP_AT='shard.begun:6')
        self.wait_for_tasks(slurm, 'passages')
        part = sorted((shards / '2-of-2').glob('*.passages'))[0]
        part.write_bytes(part.read_bytes()[:-1] + b'\xff')
        said = self.finish(driver)
        self.assertEqual(said.count('passages: shard 2 of 2 has a file whose bytes were changed'), 1, said)
        self.assertEqual(len(self.arrays(said)), 2, said)
        self.assertNotIn('2 of 2 shards in 1 array', said)
        self.assert_same_results('w', expected)

    def test_a_store_of_an_older_version_is_refused_before_a_job_is_given_out(self):
        self.build('w', '--to', 'ingest')
        self.put_into_store('w', b'schema_version', b'0')
        slurm = self.cluster()
        self.assert_one_error(self.on_slurm(slurm, 'w', *PASSAGES, status=1), 'was made by an older touchstone', 'build it again from the dump')
        self.assertEqual(slurm.output('scontrol', 'show', 'job').strip(), 'No jobs in the system')


if __name__ == '__main__':
    unittest.main()
