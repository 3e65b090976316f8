// A client process that starts the coordinator of a workspace if there is none.
//
//   node connecting-client.ts WORKSPACE PROGRAM
//
// Prints the coordinator's pid, or `failed: ` and why. PROGRAM is the file that a coordinator is started from.
import { createSystemClock } from '@signalbox/embedded';
import { entry } from '../../program/runtime-entry.ts';
import { connectCoordinator } from '../connect-coordinator.ts';
import { spawnCoordinator } from '../spawn-coordinator.ts';

const [directory = '', program = ''] = process.argv.slice(2);
const context = {
  directory,
  env: process.env,
  clock: createSystemClock(),
  entry: { ...entry, startCoordinator: (start: Start) => spawnCoordinator(start, program) },
  user: 'ana',
};
type Start = Parameters<typeof spawnCoordinator>[0];
const said = await connectCoordinator(context, { what: 'work', start: true }).then(
  ({ pid }) => String(pid),
  (error) => [`failed: ${error.message}`, ...(error.next ?? [])].join('\n'),
);
process.stdout.write(said, () => process.exit(0));
