// One of several coordinators of a workspace: runs a command that holds a file until this process is killed.
//
//   node beating-coordinator.ts CONTEST workers|here
//
// Prints the command's id.
import { createId, ProviderId } from '@signalbox/core';
import { createMemoryLogger, createSeededRandom } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { openRuntime } from '../../../runtime/compose.ts';
import { beat } from './beating-tools.ts';
import { ContentionTest, contestLimits, contestSettings } from './contention-test.ts';

const contest = ContentionTest.parse(JSON.parse(process.argv[2] ?? ''));
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
  workersOnly: process.argv[3] === 'workers',
  limits: contestLimits(contest),
  tools: [beat],
});
const { commandId } = runtime.coordinator.submit(
  { callId: 'call-1', tool: 'beat', args: { file: 'a', until: 'never' } },
  {
    sessionId: createId('session', createSeededRandom(contest.seed)),
    provider: ProviderId.parse('test'),
    timeoutMs: 3_600_000,
  },
);
process.stdout.write(`${commandId}\n`);
