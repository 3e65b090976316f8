import { expect, test } from 'vitest';
import type { NetworkUse } from '@signalbox/core';
import { createConnectionLog } from './connection-log.ts';

test('connections with the same target and outcome share a row, reported once', () => {
  const reported: NetworkUse[] = [];
  const log = createConnectionLog((row) => reported.push(row));
  for (const sentBytes of [10, 20]) {
    log.add({ target: 'a:443', outcome: 'reached', why: null })({ sentBytes, receivedBytes: 5 });
  }
  log.add({ target: 'a:443', outcome: 'refused', why: 'no' });
  expect(reported.map(({ target, outcome }) => `${outcome} ${target}`)).toEqual([
    'reached a:443',
    'refused a:443',
  ]);
  expect(log.rows()).toEqual([
    { target: 'a:443', outcome: 'reached', why: null, connections: 2, sentBytes: 30, receivedBytes: 10 },
    { target: 'a:443', outcome: 'refused', why: 'no', connections: 1, sentBytes: 0, receivedBytes: 0 },
  ]);
});

test('a command that keeps requesting new targets uses bounded memory', () => {
  const reported: NetworkUse[] = [];
  const log = createConnectionLog((row) => reported.push(row));
  for (let n = 0; n < 5000; n++) log.add({ target: `${n}`.padEnd(9000, 'x'), outcome: 'refused', why: 'no' });
  expect(reported.length).toBe(101);
  expect(log.rows().at(-1)).toMatchObject({ target: 'others', connections: 4900 });
  expect(Math.max(...log.rows().map(({ target }) => target.length))).toBe(300);
});
