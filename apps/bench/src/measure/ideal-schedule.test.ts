import { pathResource, readClaim, writeClaim } from '@signalbox/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type IdealCommand, idealMs } from './ideal-schedule.ts';

const write = (agent: number, path: string, { workMs }: Readonly<{ workMs: number }>): IdealCommand => ({
  agent,
  claims: [writeClaim(pathResource(path))],
  workMs,
});

test('agents without conflicts work side by side, as many as there are slots', () => {
  const commands = [
    write(0, 'a', { workMs: 10 }),
    write(1, 'b', { workMs: 10 }),
    write(2, 'c', { workMs: 10 }),
    write(3, 'd', { workMs: 10 }),
  ];
  expect(idealMs(commands, 4)).toBe(10);
  expect(idealMs(commands, 2)).toBe(20);
});

test('conflicting commands follow each other, and readers do not', () => {
  expect(idealMs([write(0, 'a', { workMs: 10 }), write(1, 'a', { workMs: 5 })], 8)).toBe(15);
  const read = { agent: 2, claims: [readClaim(pathResource('a'))], workMs: 7 };
  expect(idealMs([read, { ...read, agent: 3 }], 8)).toBe(7);
});

test('no schedule is shorter than its longest agent, its fullest file or its work divided by the slots', () => {
  const one = fc.tuple(fc.nat(3), fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 20 }));
  fc.assert(
    fc.property(fc.array(one, { maxLength: 20 }), fc.integer({ min: 1, max: 4 }), (list, slots) => {
      const commands = list.map(([agent, path, workMs]) => write(agent, path, { workMs }));
      const total = (of: readonly IdealCommand[]): number => of.reduce((sum, { workMs }) => sum + workMs, 0);
      const longest = (by: (command: IdealCommand) => unknown): number =>
        Math.max(0, ...[...Map.groupBy(commands, by).values()].map(total));
      const ideal = idealMs(commands, slots);
      expect(ideal).toBeGreaterThanOrEqual(longest(({ agent }) => agent));
      expect(ideal).toBeGreaterThanOrEqual(longest(({ claims }) => claims[0]?.resource));
      expect(ideal).toBeGreaterThanOrEqual(total(commands) / slots);
      expect(ideal).toBeLessThanOrEqual(total(commands));
    }),
  );
});
