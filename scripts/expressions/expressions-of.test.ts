import { expect, test } from 'vitest';
import { expressionsOf } from './expressions-of.ts';

test.each([
  ['const found = /a+b/gi.exec(text);', 'a+b', 'gi'],
  ["RegExp('^a' + 'b+', 'm')", '^ab+', 'm'],
  ['const BODY = String.raw`\\d+`;\nnew RegExp(`^${BODY}$`)', '^\\d+$', ''],
  ['const ONE = /[ab]/u;\nnew RegExp(`${ONE.source}+`, "u")', '[ab]+', 'u'],
  ["new RegExp(['a+', 'b'].join('|'))", 'a+|b', ''],
  ["const ALL = [/a/, /b/];\nnew RegExp(ALL.map(({ source }) => source).join('|'))", 'a|b', ''],
])('%s is read as at run time', (text, source, flags) => {
  expect(expressionsOf({ path: 'a.ts', text }).constant.at(-1)).toMatchObject({ source, flags });
});

test.each([
  ['new RegExp(text)', '${…}'],
  ['new RegExp(`^${name}\\\\d+`)', '^${…}\\d+'],
  ["new RegExp(words.map(escape).join('|'))", '${…}'],
])('%s is known only at run time', (text, source) => {
  expect(expressionsOf({ path: 'a.ts', text })).toMatchObject({ constant: [], built: [{ source }] });
});
