import { expect, test } from 'vitest';
import { CommandRecord, type CommandState, publishedStatus } from './command.ts';
import type { OutcomeKind } from './outcome.ts';
import { aCommandRecord, ended } from '../testing/builders.ts';

test.for<[CommandState, string]>([
  ['submitted', 'pending'],
  ['classified', 'pending'],
  ['awaiting_approval', 'pending'],
  ['approved', 'pending'],
  ['queued', 'queued'],
  ['running', 'running'],
])('a command that is %s is published as %s (X-14, S003-23)', ([state, status]) => {
  expect(publishedStatus(aCommandRecord({ state }))).toBe(status);
});

test.for<[OutcomeKind, string]>([
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['conflict', 'failed'],
  ['timed_out', 'failed'],
  ['lost', 'failed'],
  ['denied', 'denied'],
  ['blocked', 'denied'],
  ['cancelled', 'cancelled'],
])('a command that ended as %s is published as %s (X-14)', ([outcome, status]) => {
  expect(publishedStatus(ended(aCommandRecord(), { outcome }))).toBe(status);
});

test('a record has only its own fields, and its revision is an integer', () => {
  expect(CommandRecord.safeParse({ ...aCommandRecord(), secret: 1 }).success).toBe(false);
  expect(CommandRecord.safeParse(aCommandRecord({ revision: 1.5 })).success).toBe(false);
});
