// One of several coordinators of a workspace: submits commands endlessly, until it is killed or stopped.
//
//   node contending-coordinator.ts CONTEST
//
// Prints `opened`; after SIGUSR1 it submits no more, and prints `idle` when all of them have ended.
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createId, ProviderId } from '@signalbox/core';
import { createMemoryLogger, createSeededRandom } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { openRuntime } from '../../../runtime/compose.ts';
import { ContentionTest, contend, contestLimits, contestSettings, Reported } from './contention-test.ts';

const FILES = ['a', 'b', 'c'];
const IN_FLIGHT = 5;
const PERSON = { name: 'ana', channel: 'test' } as const;
/** How often the person reads pending approvals. */
const POLL_MS = 200;
/** Delay after a refusal: retrying at once for ever would keep this process from noticing that Redis is back. */
const AGAIN_AFTER_MS = 20;

const contest = ContentionTest.parse(JSON.parse(process.argv[2] ?? ''));
const random = createSeededRandom(contest.seed);
const below = (bound: number): number => (random(1)[0] ?? 0) % bound;
const runtime = await openRuntime({
  workspace: contest.workspace,
  settings: contestSettings(),
  unconfined: false,
  user: 'ana',
  subcommand: 'test',
  apiKeys: { PATH: process.env['PATH'] },
  clock: createSystemClock(),
  log: createMemoryLogger(),
  redis: { url: contest.url, volatile: false },
  workersOnly: true,
  limits: contestLimits(contest),
  tools: [contend],
});
const closing = new AbortController();
process.on('SIGUSR1', () => closing.abort());
// From here on it may be stopped: earlier, the signal would have started Node's debugger.
process.stdout.write('opened\n');

const tell = (reported: unknown): void =>
  appendFileSync(contest.evidence, `${JSON.stringify(Reported.parse(reported))}\n`);

async function sendOn(lane: number): Promise<void> {
  const context = { sessionId: createId('session', random), provider: ProviderId.parse(`lane-${lane}`) };
  for (let n = 0; !closing.signal.aborted; n++) {
    const args = { file: FILES[below(FILES.length)] ?? 'a', workMs: 10 + below(60) };
    const submitted = runtime.coordinator.submit(
      { callId: `call-${lane}-${n}`, tool: 'contend', args },
      context,
    );
    // A command refused because Redis is away leaves nothing behind.
    if ((await submitted.resting) === 'failed') await pause(AGAIN_AFTER_MS);
    else tell({ taken: submitted.commandId });
    const { outcome } = await submitted.result;
    tell({ ended: submitted.commandId, outcome: outcome.kind });
  }
}

/** Many lost commands make a coordinator careful (mode DEGRADED, D4): it requests approval and waits for an answer. */
async function answerAll(): Promise<void> {
  const { approvals } = runtime.coordinator;
  for (const { id, approval } of await approvals.pending()) {
    if (approval !== null)
      await approvals.answer(id, { kind: 'approve' }, { by: PERSON, expect: approval.callHash });
  }
}
// While Redis is away no answer is possible; pending approvals are answered when it is back.
setInterval(() => void answerAll().catch(() => undefined), POLL_MS);

await Promise.all(Array.from({ length: IN_FLIGHT }, (_, lane) => sendOn(lane)));
process.stdout.write('idle\n');
