#!/usr/bin/env bash
# Installs Slurm and runs the tests that build on a cluster of four nodes on this machine.
# Usage: scripts/check_slurm.sh [ctest arguments...]
. "$(dirname "$0")/common.sh"

install_packages slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge
build release touchstone judge_server
ctest --preset release -L slurm -j $(($(nproc) + 2)) "$@"
