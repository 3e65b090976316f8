import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBlock } from './parse-block.ts';

test.each([
  [
    'name and arguments',
    '{"name": "x", "arguments": {"a": 1}}',
    [{ id: undefined, name: 'x', argsText: '{"a":1}' }],
  ],
  ['an id', '{"id": "7", "name": "x"}', [{ id: '7', name: 'x', argsText: '{}' }]],
  ['other names for both', '{"tool": "x", "input": {}}', [{ id: undefined, name: 'x', argsText: '{}' }]],
  [
    'arguments as text',
    '{"name": "x", "arguments": "{\\"a"}',
    [{ id: undefined, name: 'x', argsText: '{"a' }],
  ],
  [
    'a list',
    '[{"name": "x"}, {"name": "y"}]',
    [
      { id: undefined, name: 'x', argsText: '{}' },
      { id: undefined, name: 'y', argsText: '{}' },
    ],
  ],
  [
    'one a line',
    '{"name": "x"}\n{"name": "y"}',
    [
      { id: undefined, name: 'x', argsText: '{}' },
      { id: undefined, name: 'y', argsText: '{}' },
    ],
  ],
  [
    'broken JSON',
    '{"name": "x", "arguments": {',
    [{ id: undefined, name: 'x', argsText: '{"name": "x", "arguments": {' }],
  ],
  ['no JSON at all', 'x(1)', [{ id: undefined, name: '', argsText: 'x(1)' }]],
  ['a number', '7', [{ id: undefined, name: '', argsText: '7' }]],
])('parseBlock() reads %s', (_, body, calls) => {
  expect(parseBlock(body)).toEqual(calls);
});

test('parseBlock() always returns calls and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
      for (const call of parseBlock(body)) {
        expect(typeof call.name).toBe('string');
        expect(typeof call.argsText).toBe('string');
      }
    }),
  );
});
