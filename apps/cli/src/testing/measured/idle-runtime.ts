// Opens the coordinator of a workspace, reports it, and stays until its input ends: for measurements.
//
//   node idle-runtime.ts WORKSPACE
import { once } from 'node:events';
import { openMeasuredRuntime } from './open-measured-runtime.ts';

const runtime = await openMeasuredRuntime(process.argv[2] ?? '.');
process.stdout.write('opened\n');
process.stdin.resume();
await once(process.stdin, 'end');
await runtime.close();
