import { expect, test } from 'vitest';
import { CommandRecord } from '../commands/command.ts';
import { NewEvent } from '../event.ts';
import { createId } from '../id.ts';
import { aCommandId, aCommandRecord, anOutputEvent, aSubmittedEvent, ended } from './builders.ts';
import { createSeededRandom } from './seeded-random.ts';

test("the builders' objects pass the schemas", () => {
  const record = aCommandRecord();
  for (const built of [record, ended(record), ended(record, { outcome: 'denied' })])
    expect(CommandRecord.parse(built)).toEqual(built);
  for (const event of [anOutputEvent(), aSubmittedEvent()]) expect(NewEvent.parse(event)).toEqual(event);
});

test('different labels make different ids', () => {
  const ids = ['a', 'a1', 'a10', 'a100', 'i', 'l', 'o', 'u', 'all'].map((label) => aCommandId(label));
  expect(new Set(ids).size).toBe(ids.length);
});

test('seeded random bytes are the same at every run, and different seeds differ', () => {
  const id = (seed: number) => createId('command', createSeededRandom(seed));
  expect(id(1)).toBe(id(1));
  expect(id(1)).not.toBe(id(2));
  const random = createSeededRandom();
  expect(createId('command', random)).not.toBe(createId('command', random));
});
