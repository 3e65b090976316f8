import { expect, test } from 'vitest';
import { argumentsOf } from './arguments-of.ts';

const args = argumentsOf({
  type: 'object',
  properties: {
    text: { type: 'string', pattern: '^(a+)+$' },
    count: { type: 'integer' },
    any: {},
    either: { type: ['string', 'null'] },
  },
  required: ['text'],
  additionalProperties: false,
});

function wrong(value: unknown): readonly string[] {
  const parsed = args.safeParse(value);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim());
}

test('arguments are checked for required names, unknown names and types', () => {
  expect(wrong({ text: 'b', count: 1, any: [1], either: null })).toEqual([]);
  expect(wrong({})).toEqual(['text is missing']);
  expect(wrong({ text: 1, count: 1.5 })).toEqual(['text must be string', 'count must be integer']);
  expect(wrong({ text: 'a', either: 1 })).toEqual(['either must be string or null']);
  expect(wrong({ text: 'a', more: 1 })).toEqual(['more is not an argument of this tool']);
  expect(wrong({ text: 'x'.repeat(2 * 1024 * 1024) })).toEqual(['over 1048576 bytes']);
  expect(wrong('text')).not.toEqual([]);
});

test('a pattern of the server is never evaluated', () => {
  expect(wrong({ text: `${'a'.repeat(60)}!` })).toEqual([]);
});

test('an empty schema accepts every object', () => {
  for (const schema of [{}, { properties: 7, required: 'x' }, { properties: { a: 5 } }])
    expect(argumentsOf(schema as never).safeParse({ a: 1 }).success).toBe(true);
});
