#!/usr/bin/env bash
# Measures requests per second of the judge's transport on the loopback device, with every reply stored durably and at
# most 1,024 requests in flight, also as a ratio to a bare epoll client in the same run. One server answers at once, another takes 200 ms; then the replies are replayed from the
# log. The client runs on the first core and the server on the last. Finally, the whole judge stage runs on the bundled
# wiki and asks each question 100 times. If python3-aiohttp is installed, it is measured as a peer. Prints JSON lines.
# Usage: scripts/bench_judge.sh [REQUESTS]       default 250,000
. "$(dirname "$0")/common.sh"

install_packages
build release bench_judge_throughput judge_server touchstone
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
  taskset -c 0 build/release/bench_judge_throughput "$url" --requests "$requests" --log "$work/judgments$latency_ms.log"
  stage=(--config configs/miniwiki.toml --work "$work/stage$latency_ms" --set judge.kind=openai --set judge.base_url="$url" --set judge.model=fast
    --set judge.samples=100 --set judge.temperature=1 --set judge.in_flight=1024)
  build/release/touchstone --progress never build "${stage[@]}" --dump examples/miniwiki/*.xml --to candidates 2>/dev/null
  taskset -c 0 build/release/touchstone --progress never judge "${stage[@]}" 2>&1 | grep -E 'questions asked|done in' >&2
  if /usr/bin/python3 -c 'import aiohttp' 2>/dev/null; then
    taskset -c 0 /usr/bin/python3 bench/judge_peer.py "$url" $((requests / 20)) 1024 "$work/peer"
  fi
  kill $server
  rm -rf "$work/port" "$work"/judgments* "$work"/stage*
done
