import { expect, test } from 'vitest';
import { screenLines } from './screen-lines.ts';

test.for<[string, readonly string[]]>([
  ['a\nb\n', ['a', 'b']],
  ['a\r\n\r\nb', ['a', '', 'b']],
  ['\u001B[31mred\u001B[0m \u001B]8;;http://a\u0007link\u001B]8;;\u0007', ['red link']],
  ['10 %\r50 %\r100 %\ndone', ['100 %', 'done']],
  ['50 %\r\u001B[2K\rdone', ['done']],
  ['50 %\u001B[1G\u001B[Kdone', ['done']],
  ['|\b/\b-\bok', ['ok']],
  ['a\u0000b\u0007c\u009B1md', ['abcd']],
  ['Packages: 1\nPackages: 2\n\u001B[2A\u001B[2KPackages: 9', ['Packages: 9']],
  ['one\n\u001B[5A\u001B[Jtwo', ['two']],
  ['\u001B', ['']],
])('shows what a terminal shows in the end: %j', ([printed, lines]) => {
  expect(screenLines(printed)).toEqual(lines);
});

test('an error that backspaces erase stays, and a spinner is one line', () => {
  const erased = `error: leak${'\b'.repeat(11)}`;
  expect(screenLines(`${erased}ok\n`)).toEqual(['error: leak', 'ok']);
  expect(screenLines(`${erased}a\b\rb\n`)).toEqual(['error: leak', 'b']);
  expect(screenLines('no errors yet |\b/\b-\b\\\b\n')).toEqual(['no errors yet ']);
  expect(screenLines('x\bxy\by\n')).toEqual(['xy']);
});

test('an error that a progress bar overwrites stays', () => {
  expect(screenLines('error: disk full\r50 %\n')).toEqual(['error: disk full', '50 %']);
  expect(screenLines('warning: old\n1 %\n\u001B[2A2 %\n')).toEqual(['warning: old', '2 %']);
  expect(screenLines('failed\u001B[2K\rnext\n')).toEqual(['failed', 'next']);
});
