import { expect, test } from 'vitest';
import { answerOf } from './answer-of.ts';

const answer = (text: string, structuredContent?: unknown) =>
  answerOf('mcp__a__b', { content: [{ type: 'text', text }], structuredContent } as never).output;

test('data that a server also sends as text is returned once', () => {
  expect(answer('{"b":1,"a":[2]}', { a: [2], b: 1 })).toBe('{"b":1,"a":[2]}');
  expect(answer('the file', { content: 'the file' })).toBe('the file');
  expect(answer('[{"name":"x"}]', { entities: [{ name: 'x' }] })).toBe('[{"name":"x"}]');
});

test('data with more than the text is returned beside it', () => {
  expect(answer('2 found', { found: [1, 2] })).toBe('2 found\n{"found":[1,2]}');
  expect(answer('the file', { content: 'the file', size: 8 })).toBe(
    'the file\n{"content":"the file","size":8}',
  );
  expect(answer('', { sum: 3 })).toEqual({ sum: 3 });
});
