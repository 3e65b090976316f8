// Opens the coordinator of a workspace, reports it, and stays until its input ends: for measurements.
//
//   node idle-runtime.ts WORKSPACE
import { once } from 'node:events';
import { defaultSettings } from '@signalbox/core';
import { createSystemClock } from '@signalbox/embedded';
import { openRuntime } from '../../runtime/compose.ts';

const nothing = (): void => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => silent };

const runtime = await openRuntime({
  workspace: process.argv[2] ?? '.',
  settings: defaultSettings(),
  unconfined: false,
  user: 'nobody',
  subcommand: 'bench',
  apiKeys: process.env,
  log: silent,
  clock: createSystemClock(),
});
process.stdout.write('opened\n');
process.stdin.resume();
await once(process.stdin, 'end');
await runtime.close();
