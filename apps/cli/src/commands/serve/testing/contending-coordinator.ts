// One of several coordinators of a workspace: sends itself commands without end, until it is killed or told to stop.
//
//   node contending-coordinator.ts CONTEST
//
// Prints `opened`; after SIGUSR1 it takes in no more, and prints `idle` when all that it took in has ended.
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
/** How often the person looks for questions. */
const POLL_MS = 200;
/** Who is refused tries again after that: at once, and for ever, this process would never hear that Redis is back. */
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
// From here on it may be told to stop: before, the signal would have started Node's debugger.
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
    // One that is refused since Redis is away leaves nothing behind.
    if ((await submitted.resting) === 'failed') await pause(AGAIN_AFTER_MS);
    else tell({ taken: submitted.commandId });
    const { outcome } = await submitted.result;
    tell({ ended: submitted.commandId, outcome: outcome.kind });
  }
}

/** Many lost commands make a coordinator careful (mode DEGRADED, D4): it asks, and waits until somebody is there. */
async function answerAll(): Promise<void> {
  const { approvals } = runtime.coordinator;
  for (const { id, approval } of await approvals.pending()) {
    if (approval !== null) await approvals.answer(id, { kind: 'approve' }, PERSON, approval.callHash);
  }
}
// While Redis is away nobody can be asked; what waits is answered when it is back.
setInterval(() => void answerAll().catch(() => undefined), POLL_MS);

await Promise.all(Array.from({ length: IN_FLIGHT }, (_, lane) => sendOn(lane)));
process.stdout.write('idle\n');
