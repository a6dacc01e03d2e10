#!/usr/bin/env bash
# Requests a second of the judge's transport on the loopback, every reply stored durably, against a server that answers
# at once and one that takes 200 ms, with 1,024 in flight at most; then replay from the log. The server has the last core
# for itself and the client the first. Where python3-aiohttp is installed, it does the same as a peer.
# JSON lines on standard output.
# Usage: scripts/bench_judge.sh [REQUESTS]       default 250,000
. "$(dirname "$0")/common.sh"

install_packages
build release bench_judge_throughput judge_server
requests=${1:-250000}
last=$(($(nproc) - 1))
work=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT

for latency_ms in 0 200; do
  taskset -c $last build/release/judge_server --fast --latency-ms $latency_ms >"$work/port" &
  server=$!
  until [ -s "$work/port" ]; do sleep 0.1; done
  url=http://127.0.0.1:$(cat "$work/port")/v1
  say "server with a latency of $latency_ms ms"
  taskset -c 0 build/release/bench_judge_throughput "$url" --requests "$requests" --dir "$work/store$latency_ms"
  if /usr/bin/python3 -c 'import aiohttp' 2>/dev/null; then
    taskset -c 0 /usr/bin/python3 bench/judge_peer.py "$url" $((requests / 20)) 1024 "$work/peer"
  fi
  kill $server
  rm -rf "$work/port" "$work"/store*
done
