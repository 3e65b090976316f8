// Opens the coordinator of a workspace, times calls that a session makes, and closes it: for the bench.
//
//   node timed-runtime.ts WORKSPACE COUNT FILE
//
// Prints one line of JSON: for each kind of call the milliseconds of COUNT calls, sorted.
import { createId, ProviderId, quantile } from '@signalbox/core';
import { randomBytes } from 'node:crypto';
import { openMeasuredRuntime } from './open-measured-runtime.ts';

const [workspace = '.', count = '2000', file = ''] = process.argv.slice(2);
const ROUNDS = 5;
const runtime = await openMeasuredRuntime(workspace);
const context = { sessionId: createId('session', randomBytes), provider: ProviderId.parse('openai') };

async function call(tool: string, args: Readonly<Record<string, unknown>>) {
  const result = await runtime.coordinator.submit({ callId: tool, tool, args }, context).result;
  if (!result.success) throw new Error(result.content);
  return result;
}

/** Of the quietest round, after one to warm up: other work on the machine only makes a round slower. */
async function timesOf(run: (n: number) => Promise<unknown>): Promise<readonly number[]> {
  const rounds: number[][] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const times: number[] = [];
    for (let n = 0; n < Number(count); n++) {
      const startedAt = performance.now();
      await run(n);
      times.push(performance.now() - startedAt);
    }
    rounds.push(times.toSorted((one, other) => one - other));
  }
  const [first = [], ...others] = rounds.slice(1);
  return others.reduce((best, times) => (quantile(times, 0.5) < quantile(best, 0.5) ? times : best), first);
}

const read = () => call('read_file', { path: file });
const echo = await timesOf((n) => call('echo', { text: `hello ${n}` }));
// A file that has just changed is not compared yet.
while ((await read()).reusedFrom === undefined);
const kept = await timesOf(read);
process.stdout.write(`${JSON.stringify({ echo, kept })}\n`);
await runtime.close();
