import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stripThoughts, THOUGHT_PREFIX } from './thoughts.ts';

test('stripThoughts() removes every argument with the prefix, from text and from fields (S001-68)', () => {
  const fields = { [THOUGHT_PREFIX]: 'secret', [`${THOUGHT_PREFIX}_path`]: 'secret', path: 'a.txt' };
  expect(stripThoughts(fields)).toEqual({ args: { path: 'a.txt' }, thoughts: 'some' });
  expect(stripThoughts(JSON.stringify(fields))).toEqual({ args: '{"path":"a.txt"}', thoughts: 'some' });
  expect(stripThoughts(String.raw`{"\u005ftafc_think":"secret","path":"a"}`)).toEqual({
    args: '{"path":"a"}',
    thoughts: 'some',
  });
});

test('stripThoughts() reports a call of nothing but thoughts (S001-69)', () => {
  expect(stripThoughts({ [THOUGHT_PREFIX]: 'x' })).toEqual({ args: {}, thoughts: 'only' });
  expect(stripThoughts(`{"${THOUGHT_PREFIX}":"x"}`)).toEqual({ args: '{}', thoughts: 'only' });
});

test('stripThoughts() cuts text that is no JSON where its first thought begins (S001-72)', () => {
  expect(stripThoughts(`{"path":"a","${THOUGHT_PREFIX}":"secret`)).toEqual({
    args: '{"path":"a","',
    thoughts: 'some',
  });
  expect(stripThoughts(String.raw`{"\u005Ftafc_think":"secret`)).toEqual({ args: '{"', thoughts: 'some' });
  expect(stripThoughts(String.raw`{"path":"\u00e9`).thoughts).toBe('none');
});

test('stripThoughts() leaves every other call as the model wrote it', () => {
  const arbitraryText = fc.oneof(fc.string(), fc.json()).filter((text) => !text.includes('tafc'));
  fc.assert(
    fc.property(arbitraryText, (text) => {
      expect(stripThoughts(text)).toEqual({ args: text, thoughts: 'none' });
    }),
  );
  const quoting = { content: `a file about ${THOUGHT_PREFIX}`, list: [{ [THOUGHT_PREFIX]: 1 }] };
  expect(stripThoughts(quoting)).toEqual({ args: quoting, thoughts: 'none' });
  expect(stripThoughts(JSON.stringify(quoting)).args).toBe(JSON.stringify(quoting));
});
