// One of several workers of a workspace, until it is killed, or stopped by SIGTERM.
//
//   node contending-worker.ts CONTEST
//
// Prints `opened`.
import { createMemoryLogger } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { openWorker } from '../open-worker.ts';
import { ContentionTest, contestLimits, contestSettings } from './contention-test.ts';

const contest = ContentionTest.parse(JSON.parse(process.argv[2] ?? ''));
const worker = await openWorker({
  workspace: contest.workspace,
  address: { url: contest.url, volatile: false },
  settings: contestSettings(),
  concurrency: contest.concurrency,
  labels: [],
  unconfined: false,
  env: { PATH: process.env['PATH'] },
  clock: createSystemClock(),
  logger: createMemoryLogger(),
  limits: contestLimits(contest),
});
process.once('SIGTERM', () => void worker.drain());
process.stdout.write('opened\n');
