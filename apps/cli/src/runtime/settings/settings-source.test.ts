import { expect, test } from 'vitest';
import { readYaml } from './settings-source.ts';

test('a file of 80,000 names, the largest allowed, is read in linear time', () => {
  const text = `tools:\n${Array.from({ length: 80_000 }, (_, at) => `  t${at}: {}`).join('\n')}\n`;
  const { value } = readYaml('signalbox.yaml', 'workspace', { text });
  expect(Object.keys((value as { tools: object }).tools)).toHaveLength(80_000);
});

test('a key that occurs twice in one map is reported with its position; in two maps it is valid', () => {
  const text = 'a: { b: 1 }\nc:\n  b: 1\n  b: 2\n';
  expect(() => readYaml('signalbox.yaml', 'workspace', { text })).toThrowError(
    expect.objectContaining({
      why: ['Map keys must be unique'],
      picture: { file: 'signalbox.yaml', line: 4, column: 3, source: ['  b: 1', '  b: 2'], length: 1 },
    }) as Error,
  );
  expect(readYaml('signalbox.yaml', 'workspace', { text: 'a: { b: 1 }\nc: { b: 1 }\n' }).value).toEqual({
    a: { b: 1 },
    c: { b: 1 },
  });
});
