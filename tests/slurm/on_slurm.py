"""What the tests on a real Slurm share: a cluster of its own for each, the driver, and how its tasks are disturbed."""
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'e2e'))
import cluster  # noqa: E402
from harness import CONFIG, DUMP, PROGRAM, SOURCE, EndToEnd, need_data  # noqa: E402, F401

FAST = ['--set', 'slurm.poll_seconds=1', '--set', 'slurm.memory_mb=700', '--set', 'slurm.merge_memory_mb=1500', '--set', 'slurm.minutes=60']


@unittest.skipUnless(cluster.is_installed(), 'Slurm is not installed; scripts/check_slurm.sh installs it')
class OnSlurm(EndToEnd):
    def results(self, work):
        root = self.folder / work
        automatic = {str(path.relative_to(root)): path.read_bytes() for path in (root / 'automatic').rglob('*') if path.is_file()}
        return {**super().results(work), **automatic}

    def cluster(self, **options):
        made = cluster.Cluster(**options)
        self.addCleanup(made.__exit__)
        made.start()
        return made

    def on_slurm(self, slurm, work, *arguments, status=0, environment=None):
        return self.build(work, '--executor', 'slurm', *FAST, *arguments, status=status, environment=slurm.environment(**(environment or {})))

    def start_driver(self, slurm, work, *arguments, dump=DUMP, **environment):
        """A driver whose first stage on the cluster is passages, so that only its tasks take the time to be disturbed."""
        for stage in ('link', 'boilerplate'):
            self.build(work, '--to', stage, dump=dump)
        return subprocess.Popen([PROGRAM, '--progress', 'never', 'build', '--config', CONFIG, '--dump', dump, '--work', self.folder / work, '--executor', 'slurm', *FAST,
                                 *arguments], cwd=SOURCE, env=slurm.environment(**environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def expected(self, *arguments, dump=DUMP):
        """What one process makes of a wiki."""
        self.build('local', *arguments, dump=dump)
        return self.results('local')

    def running_tasks(self, slurm, stage):
        """Node of each running task of the array of a stage."""
        lines = slurm.output('squeue', '--noheader', '--array', '--states=RUNNING', '--format=%j %i %N').splitlines()
        return [line.split()[1:] for line in lines if line.split()[0].endswith('-' + stage) and '_' in line]

    def wait_for_tasks(self, slurm, stage, count=1):
        slurm.wait_until(lambda: len(self.running_tasks(slurm, stage)) >= count, 60, f'no task of {stage} runs')
        return self.running_tasks(slurm, stage)

    def move_end(self, slurm, task, seconds):
        """Slurm's shortest limit is a minute. An end that is moved is the same to it, but sooner."""
        moved = time.strftime('%Y-%m-%dT%H:%M:%S', time.localtime(time.time() + seconds))
        self.assertEqual(slurm.output('scontrol', 'update', f'JobId={task}', f'EndTime={moved}'), '')

    def finish(self, driver, status=0):
        out, err = driver.communicate(timeout=300)
        self.assertEqual(driver.returncode, status, err)
        return err

    def kill_first_shard(self):
        """Kills the program of the first shard of passages; false if it does not run yet."""
        for process in pathlib.Path('/proc').glob('[0-9]*'):
            try:
                words = (process / 'cmdline').read_bytes().decode().split('\0')
                if words[0] == PROGRAM and 'shard' in words and words[words.index('--index') + 1] == '0' and str(self.folder) in words[words.index('--work') + 1]:
                    os.kill(int(process.name), signal.SIGKILL)
                    return True
            except (OSError, ValueError):
                pass
        return False
