import { expect, test } from 'vitest';
import { emptyTrace, type Trace } from '../evidence/trace.ts';
import type { PlannedCommand } from '../plan/planned-command.ts';
import { findWaits } from './find-waits.ts';

type Timing = Readonly<{ sent: number; started: number; ended: number; answered?: number }>;

/** Waits of commands that did this on these paths, in this order; microseconds. */
function waitsOf(...commands: readonly (Partial<PlannedCommand> & Timing)[]) {
  const moment = (atUs: number) => ({ order: null, atUs });
  const traces = commands.map(({ sent, started, ended, answered = ended }, key): Trace => ({
    ...emptyTrace(key),
    submitted: moment(sent),
    starts: [moment(started)],
    ended: moment(ended),
    answers: [{ moment: moment(answered), outcome: 'completed', commandId: 'cmd_x' }],
  }));
  const planned = (key: number) => ({ work: 'write', scope: 'file', ...commands[key] }) as PlannedCommand;
  return findWaits(traces, planned);
}

test('a wait lasts from submission until the holder of the file released it, or the command started', () => {
  expect(
    waitsOf(
      { path: 'a', sent: 0, started: 10, ended: 100, answered: 120 },
      { path: 'a', sent: 50, started: 130, ended: 200 },
      { path: 'a', sent: 60, started: 190, ended: 300 },
    ),
  ).toEqual([
    { resource: 'a', fromUs: 50, toUs: 120 },
    { resource: 'a', fromUs: 60, toUs: 190 },
  ]);
});

test('a command does not wait for another file, for a reader beside it, or for a released lease', () => {
  const holder = { path: 'a', work: 'read', sent: 0, started: 10, ended: 100 } as const;
  expect(waitsOf(holder, { path: 'b', sent: 50, started: 130, ended: 200 })).toEqual([]);
  expect(waitsOf(holder, { path: 'a', work: 'read', sent: 50, started: 130, ended: 200 })).toEqual([]);
  expect(waitsOf(holder, { path: 'a', sent: 100, started: 130, ended: 200 })).toEqual([]);
});

test('a wait for a folder or for git names what the other command held of it', () => {
  expect(
    waitsOf(
      { path: 'p/a.txt', sent: 0, started: 10, ended: 100 },
      { path: 'p', scope: 'tree', work: 'read', sent: 20, started: 110, ended: 200 },
      { path: 'p/b.txt', sent: 120, started: 210, ended: 300 },
    ).map(({ resource }) => resource),
  ).toEqual(['p/a.txt', 'p/']);
  expect(
    waitsOf(
      { path: 'a', work: 'git', sent: 0, started: 10, ended: 100 },
      { path: 'b', work: 'git', sent: 20, started: 110, ended: 200 },
    ),
  ).toEqual([{ resource: 'git:index', fromUs: 20, toUs: 100 }]);
});
