// Opens the coordinator of a workspace, times calls that a session makes, and closes it: for the bench.
//
//   node timed-runtime.ts WORKSPACE COUNT FILE
//
// Prints one line of JSON: for each kind of call the milliseconds of each, sorted.
import { createId, defaultSettings, ProviderId } from '@signalbox/core';
import { randomBytes } from 'node:crypto';
import { createSystemClock } from '@signalbox/embedded';
import { openRuntime } from '../../runtime/compose.ts';

const [workspace = '.', count = '2000', file = ''] = process.argv.slice(2);
const nothing = (): void => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => silent };

const runtime = await openRuntime({
  workspace,
  settings: defaultSettings(),
  unconfined: false,
  user: 'nobody',
  subcommand: 'bench',
  apiKeys: process.env,
  log: silent,
  clock: createSystemClock(),
});
const context = { sessionId: createId('session', randomBytes), provider: ProviderId.parse('openai') };

async function call(tool: string, args: Readonly<Record<string, unknown>>) {
  const result = await runtime.coordinator.submit({ callId: tool, tool, args }, context).result;
  if (!result.success) throw new Error(result.content);
  return result;
}

/** After a warm-up as long as the measurement. */
async function timesOf(run: (n: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < 2 * Number(count); n++) {
    const startedAt = performance.now();
    await run(n);
    times.push(performance.now() - startedAt);
  }
  return times.slice(Number(count)).toSorted((a, b) => a - b);
}

const read = () => call('read_file', { path: file });
const echo = await timesOf((n) => call('echo', { text: `hello ${n}` }));
// A file that has just changed is not compared yet.
while ((await read()).reusedFrom === undefined);
const kept = await timesOf(read);
process.stdout.write(`${JSON.stringify({ echo, kept })}\n`);
await runtime.close();
