import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = new URL('lua/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.lua'),
);
const texts = new Map(files.map((name) => [basename(name), readFileSync(new URL(name, folder), 'utf8')]));
/** Files that other scripts are prefixed with; they are not called themselves. */
const libraries = new Set([
  'entries.lua',
  'events.lua',
  'format.lua',
  'jobs.lua',
  'queue.lua',
  'scoreboard.lua',
  'totals.lua',
]);
const scripts = [...texts.keys()].filter((name) => !libraries.has(name));
/** All TypeScript sources: script names, libraries and schemas must be found in them. */
const sources = readdirSync(new URL('./', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  .join('\n');

test('only one file knows where scripts are: a bundle has them all in one folder beside it', () => {
  expect(sources.match(/\blua\//g)).toHaveLength(1);
});

describe.each(scripts)('the head of %s', (name) => {
  const text = texts.get(name) ?? '';
  const lines = text.split('\n');
  const head = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('--')),
  );
  const body = lines.slice(head.length).join('\n');
  const says = (word: string): string => head.find((line) => line.startsWith(`-- ${word}`)) ?? '';

  test('begins with its name and what it does', () => {
    expect(head[0]).toMatch(new RegExp(`^-- ${name.replace('.lua', '')}: \\S.*[.a-z,]$`));
  });

  test('documents the single key, which keeps a workspace in one slot of a cluster', () => {
    expect(says('KEYS')).toMatch(/KEYS\[1\] +prefix of the workspace/);
    expect(body).not.toMatch(/KEYS\[[^1]/);
  });

  test('documents as many arguments as the script reads', () => {
    const stated = head.join('\n').matchAll(/ARGV\[(\d+)(?:\.\.(\d*))?\]/g);
    const numbers = new Set<number>();
    let openFrom = Infinity;
    for (const [, first = '', last] of stated) {
      if (last === '') openFrom = Number(first);
      for (let n = Number(first); n <= Number(last || first); n++) numbers.add(n);
    }
    const read = Array.from(body.matchAll(/ARGV\[(\d+)\]/g), ([, number]) => Number(number));
    expect(read.filter((number) => !numbers.has(number) && number < openFrom)).toEqual([]);
    const unread = [...numbers].filter((number) => !read.includes(number));
    const readInLoop = body.includes('#ARGV');
    expect({ openEnd: openFrom < Infinity, unread: readInLoop ? [] : unread }).toEqual({
      openEnd: readInLoop,
      unread: [],
    });
  });

  test('documents every word it replies, and a schema contains each', () => {
    const stated = head.slice(head.findIndex((line) => line.startsWith('-- Replies'))).join('\n');
    const replied = Array.from(body.matchAll(/\breturn (?:\{ )?'([a-z-]+)'/g), ([, word = '']) => word);
    for (const word of replied) {
      expect(stated).toContain(`'${word}'`);
      expect(sources.includes(`'${word}'`), `${word} is in a schema`).toBe(true);
    }
    expect(stated).toMatch(/Replies +\S/);
  });

  test('documents the libraries it is sent with', () => {
    const stated = Array.from(says('Libraries').matchAll(/[a-z-]+\.lua/g), ([library]) => library);
    const called = [...libraries].filter((library) => {
      const defined = Array.from(
        (texts.get(library) ?? '').matchAll(/^local function (\w+)/gm),
        ([, word = '']) => word,
      );
      return defined.some(
        (word) => new RegExp(`\\b${word}\\(`).test(body) && !body.includes(`local function ${word}(`),
      );
    });
    expect(stated).toEqual(expect.arrayContaining(called));
  });
});
