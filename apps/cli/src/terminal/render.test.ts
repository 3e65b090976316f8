import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { as, line, printed, type TextRole, underlined } from './line.ts';
import { lineCells } from './cells.ts';
import { renderLine } from './render.ts';

const plain = { colour: false, ascii: false, width: Infinity };

test('colour depends on the stream, the words do not', () => {
  const shown = line(as('danger', 'failed'), ' ', underlined('warning', 'x'));
  expect(renderLine(shown, plain)).toBe('failed x');
  expect(renderLine(shown, { ...plain, colour: true })).toBe('\x1b[31mfailed\x1b[0m \x1b[33;4mx\x1b[0m');
});

test('ASCII keeps the width of icons and borders', () => {
  expect(renderLine(line('⚡ ⏳ ✓ ─│└ a…b'), { ...plain, ascii: true })).toBe('>  ~  + -|` a~b');
  expect(renderLine(line('日本'), { ...plain, ascii: true })).toBe('<U+65E5><U+672C>');
});

test('every symbol on our own screens has an ASCII form', () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const shown = globSync('**/*.ts', { cwd })
    .filter((file) => !/\.test\.ts$|(^|\/)testing\/|cli-page/.test(file))
    .map((file) => readFileSync(`${cwd}${file}`, 'utf8').replaceAll(/\/\*.*?\*\/|\/\/.*$/gms, ''))
    .join('');
  const signs = [...new Set(shown.match(/[^\0-\x7f]/gu))];
  expect(signs).toContain('»');
  const without = signs.filter((sign) => renderLine(line(sign), { ...plain, ascii: true }).includes('<U+'));
  expect(without).toEqual([]);
});

test('a program’s own colours pass, its other control sequences do not', () => {
  const output = printed('\x1b[32mok\x1b[0m\t\x1b[2J\x1b]0;title\x07');
  expect(renderLine(line(output), { ...plain, colour: true })).toBe(
    '\x1b[32mok\x1b[0m  \x1b[31;7m\\x1b\x1b[0m[2J\x1b[31;7m\\x1b\x1b[0m]0;title\x1b[31;7m\\x07\x1b[0m\x1b[0m',
  );
  expect(renderLine(line(output), plain)).toBe('ok  \\x1b[2J\\x1b]0;title\\x07');
});

test('blanks that align a program’s output are kept, and count when a row is cut', () => {
  const row = line(printed(`.${' '.repeat(20)}[100%]`));
  expect(renderLine(row, plain)).toBe('.                    [100%]');
  expect(renderLine(row, { ...plain, width: 24 })).toBe('.                    [1…');
});

test('a cut row of output keeps its colours', () => {
  // Linear: blanks before a letter are scanned once.
  const blanks = ' '.repeat(200_000);
  expect(renderLine(line(printed(`${blanks}x${blanks}`)), plain)).toBe(`${blanks}x`);
  const row = line(printed('\x1b[31mred and\x1b[0m plain'));
  expect(renderLine(row, { ...plain, colour: true, width: 6 })).toBe('\x1b[31mred a…\x1b[0m');
  expect(renderLine(row, { ...plain, colour: true, width: 10 })).toBe('\x1b[31mred and\x1b[0m p…\x1b[0m');
  expect(renderLine(row, { ...plain, width: 10 })).toBe('red and p…');
});

test('emoji in output are separated: terminals differ in the width of joined ones', () => {
  const joined = line(printed('⚠\u{FE0F} 👩\u{200D}👧 a\u{200D}b'));
  expect(renderLine(joined, plain)).toBe('⚠ 👩👧 a<U+200D>b');
  expect(lineCells(joined)).toBe(17);
});

test('no text brings control characters to the screen, except our own colours', () => {
  const roles: readonly TextRole[] = ['text', 'danger', 'blocked', 'lane3'];
  const piece = fc.record({
    text: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('\x1b', '[', '2J', '31m', ']8;;', '\x9b', '\u202E', '\n', 'é'))
        .map((parts) => parts.join('')),
    ),
    role: fc.constantFrom(...roles),
    printed: fc.boolean(),
    underlined: fc.boolean(),
  });
  const rendering = fc.record({
    colour: fc.boolean(),
    ascii: fc.boolean(),
    width: fc.constantFrom(10, 80, Infinity),
  });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), rendering, (pieces, how) => {
      const bytes = renderLine(pieces, how);
      // oxlint-disable-next-line no-control-regex -- these are what must not be there
      const rest = how.colour ? bytes.replaceAll(/\x1b\[[\d;:]*m/g, '') : bytes;
      expect(rest).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      expect(how.ascii ? rest.replaceAll(/[ -~]/g, '') : '').toBe('');
    }),
    { numRuns: 1000 },
  );
});
