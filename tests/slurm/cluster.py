"""A Slurm cluster of its own on one machine: munge, a controller and four nodes on loopback, without systemd.

    with Cluster() as cluster:
        subprocess.run(['sbatch', ...], env=cluster.environment())

Needs root and the packages that scripts/check_slurm.sh installs. `python3 cluster.py COMMAND...` runs a command in one.
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

NODES = ['n1', 'n2', 'n3', 'n4']


def is_installed():
    return os.geteuid() == 0 and all(shutil.which(program, path=os.environ.get('PATH', '') + ':/usr/sbin') for program in ('slurmctld', 'slurmd', 'sbatch', 'munged'))


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(('127.0.0.1', 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    def __init__(self, max_array_size=1001, more='', max_time='INFINITE'):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='ts-slurm-', dir='/tmp'))
        self.daemons = {}
        self.max_array_size = max_array_size
        self.more = more
        self.max_time = max_time

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for node in NODES:
            self.kill_node(node)
        for name in list(self.daemons):
            self.kill(name)
        shutil.rmtree(self.folder, ignore_errors=True)

    def environment(self, **more):
        return {**os.environ, 'SLURM_CONF': str(self.folder / 'slurm.conf'), 'PATH': os.environ.get('PATH', '') + ':/usr/sbin', **more}

    def start(self):
        key = self.folder / 'munge.key'
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        host = socket.gethostname()
        control, *ports = free_ports(1 + len(NODES))
        nodes = ''.join(f'NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory=16000 State=UNKNOWN\n'
                        for node, port in zip(NODES, ports))
        (self.folder / 'slurm.conf').write_text(f'''
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge.socket
CredType=cred/munge
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool.%n
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.%n.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=8
InactiveLimit=0
KillWait=2
MinJobAge=300
MaxArraySize={self.max_array_size}
{self.more}
{nodes}
PartitionName=main Nodes=n[1-4] Default=YES MaxTime={self.max_time} State=UP
''')
        for name in ('state', *(f'spool.{node}' for node in NODES)):
            (self.folder / name).mkdir()
        self.daemons['munge'] = self.spawn('munge', 'munged', '--foreground', '--force', f'--key-file={key}', f'--socket={self.folder}/munge.socket',
                                           f'--pid-file={self.folder}/munge.pid', f'--log-file={self.folder}/munge.log', f'--seed-file={self.folder}/munge.seed')
        self.wait_until(lambda: (self.folder / 'munge.socket').exists(), 10, 'munged does not start')
        self.start_controller()
        for node in NODES:
            self.start_node(node)
        self.wait_until(lambda: self.output('sinfo', '-h', '-t', 'idle', '-o', '%D').strip() == str(len(NODES)), 30, 'the nodes do not become idle')

    def spawn(self, name, *command):
        with open(self.folder / f'{name}.out', 'ab') as log:
            return subprocess.Popen(command, env=self.environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, start_new_session=True)

    def start_controller(self):
        self.daemons['controller'] = self.spawn('controller', 'slurmctld', '-D')

    def kill_controller(self):
        self.kill('controller')

    def start_node(self, node):
        self.daemons[node] = self.spawn(node, 'slurmd', '-D', '-N', node)

    def processes_of(self, node):
        """Processes of the jobs on a node, with the parent of each."""
        found = {}
        for process in pathlib.Path('/proc').glob('[0-9]*'):
            try:
                environment = (process / 'environ').read_bytes()
                if f'SLURMD_NODENAME={node}\0'.encode() in environment and f'SLURM_CONF={self.folder}'.encode() in environment:
                    found[int(process.name)] = int((process / 'stat').read_text().rsplit(')', 1)[1].split()[1])
            except (OSError, ValueError, IndexError):
                pass
        return found

    def runs_on(self, node, program):
        """Whether a job on a node has come as far as its program."""
        return any(self.command_of(process).startswith(program + '\0') for process in self.processes_of(node))

    def kill_node(self, node):
        """Kills the daemon of a node, and with it its jobs, as when the machine loses its power."""
        self.kill(node)
        mine = self.processes_of(node)
        # The daemons of the steps first: they would tell the controller of the end of their job.
        steps = [parent for parent in set(mine.values()) - {0, 1} if 'slurmstepd' in self.command_of(parent)]
        for process in [*steps, *mine]:
            try:
                os.kill(process, signal.SIGKILL)
            except OSError:
                pass

    @staticmethod
    def command_of(process):
        try:
            return pathlib.Path(f'/proc/{process}/cmdline').read_text()
        except OSError:
            return ''

    def kill(self, name):
        process = self.daemons.pop(name, None)
        if process is not None:
            process.kill()
            process.wait()

    def output(self, *command):
        return subprocess.run(command, env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode()

    def wait_until(self, holds, seconds, what):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                raise AssertionError(what + '\n' + self.logs())
            time.sleep(0.2)

    def logs(self):
        """The last lines of all daemons."""
        return ''.join(f'--- {file.name}\n' + ''.join(file.read_text(errors='replace').splitlines(True)[-15:]) for file in sorted([*self.folder.glob('*.log'), *self.folder.glob('*.out')]))


if __name__ == '__main__':
    with Cluster() as one:
        sys.exit(subprocess.run(sys.argv[1:], env=one.environment()).returncode)
