#!/usr/bin/python3
"""The peer of bench/judge_throughput: the same requests over aiohttp, every reply written and fsynced in groups.

Usage: judge_peer.py URL REQUESTS IN_FLIGHT FILE     prints one JSON line
"""
import asyncio
import json
import os
import resource
import sys
import time

import aiohttp

COMMIT_INTERVAL_S = 0.01
PROMPT_BYTES = 1400


def body(number):
    head = '{"model":"fast","messages":[{"role":"user","content":"%010d ' % number
    return (head + "x" * (PROMPT_BYTES - len(head) - 4) + '"}]}').encode()


async def main(url, requests, in_flight, path):
    waiting, stored, file = [], 0, open(path, "wb")

    async def commit():
        nonlocal waiting, stored
        while stored < requests:
            await asyncio.sleep(COMMIT_INTERVAL_S)
            group, waiting = waiting, []
            if group:
                file.write(b"\n".join(group) + b"\n")
                file.flush()
                os.fsync(file.fileno())
                stored += len(group)

    async def worker(numbers, session):
        for number in numbers:
            async with session.post(url + "/chat/completions", data=body(number)) as reply:
                assert reply.status == 200
                waiting.append(await reply.read())

    begin = time.monotonic()
    connector = aiohttp.TCPConnector(limit=0)
    headers = {"Authorization": "Bearer sk-benchmark", "Content-Type": "application/json"}
    async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
        numbers = iter(range(requests))
        await asyncio.gather(commit(), *(worker(numbers, session) for _ in range(in_flight)))
    seconds = time.monotonic() - begin
    usage = resource.getrusage(resource.RUSAGE_SELF)
    cpu = usage.ru_utime + usage.ru_stime
    print(json.dumps({"bench": "judge_peer", "peer": "aiohttp " + aiohttp.__version__, "requests": requests,
                      "seconds": round(seconds, 2), "requests_per_second": round(requests / seconds),
                      "cpu_us_per_request": round(cpu / requests * 1e6, 1)}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
