import type { JsonObject } from '@signalbox/core';
import { expect, test } from 'vitest';
import { schemaComplexity } from './schema-complexity.ts';
import { withThinkFirst } from './think-first.ts';

const flat = (fields: number, required: number): JsonObject => {
  const names = Array.from({ length: fields }, (_, n) => `f${n}`);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names.slice(0, required),
  };
};

test.each([
  ['nothing to fill in', { type: 'object' }, 0],
  ['one required field', flat(1, 1), 0.03],
  ['ten required fields', flat(10, 10), 0.3],
  ['ten optional fields', flat(10, 0), 0.5],
  ['many more', flat(50, 0), 0.5],
  ['one choice', { type: 'object', properties: { a: { enum: ['x', 'y'] } }, required: ['a'] }, 0.11],
  [
    'a list of objects',
    {
      type: 'object',
      properties: { edits: { type: 'array', items: flat(2, 2) } },
      required: ['edits'],
    },
    0.22,
  ],
] as const)('the complexity of a schema with %s is documented (S001-67)', (_, schema, score) => {
  expect(schemaComplexity(schema as JsonObject).score).toBe(score);
});

test('a deep, wide schema with choices is as complex as any, and a hostile one is read up to a bound', () => {
  const branch = { ...flat(6, 0), anyOf: [{ enum: [1, 2] }, { enum: [3, 4] }] };
  const deep: JsonObject = {
    type: 'object',
    properties: { a: { type: 'object', properties: { b: branch, c: branch } } },
  };
  expect(schemaComplexity(deep).score).toBe(1);
  let nested: JsonObject = flat(1, 0);
  for (let level = 0; level < 10_000; level++) nested = { type: 'object', properties: { a: nested } };
  const { score, fields } = schemaComplexity(nested);
  expect([score <= 1, fields < 100]).toEqual([true, true]);
  expect(schemaComplexity({ ...flat(100_000, 0) }).score).toBe(0.5);
});

test('the field for thoughts is the first, and required (S001-66)', () => {
  const definition = { name: 'a', description: 'A.', inputSchema: flat(2, 1) };
  const { inputSchema } = withThinkFirst(definition);
  expect(Object.keys(inputSchema['properties'] as object)).toEqual(['_tafc_think', 'f0', 'f1']);
  expect(inputSchema['required']).toEqual(['_tafc_think', 'f0']);
  expect(inputSchema['properties']).toMatchObject({
    _tafc_think: { type: 'string', description: expect.stringContaining('step by step') },
  });
});

test('a schema without fields, or with such a field of its own, is left alone', () => {
  for (const inputSchema of [
    { type: 'object' },
    { type: 'object', properties: [] },
    { type: 'object', properties: { _tafc_think_more: { type: 'string' } } },
  ]) {
    const definition = { name: 'a', description: 'A.', inputSchema };
    expect(withThinkFirst(definition)).toBe(definition);
  }
});
