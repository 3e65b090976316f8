import { isAtLeast } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { classifyLine } from '../classify-line.ts';
import { MAX_LINE_LENGTH, MAX_NESTING } from './guards.ts';

function codesOf(line: string): readonly string[] {
  return classifyLine(line, { cwd: '/repo' }).reasons.map((reason) => reason.code);
}

const GUARDED: readonly (readonly [string, string, string])[] = [
  ['contains a word attached to a closed descriptor', 'ls 2>&-x', 'glued-close'],
  ['a backslash at the end that joins nothing', 'ls \\', 'trailing-backslash'],
  ['a lone surrogate', 'ls \uD800', 'ill-formed'],
  ["a line that goes on inside $'…'", "echo $'a\\\nb'", 'ansi-continuation'],
  ['a NUL', 'ls\0-la', 'control-character'],
  ['an escape sequence', 'ls \u001B[2J', 'control-character'],
  ['a character that turns the writing direction', 'ls \u202Egnp.x', 'control-character'],
  ['contains an unterminated here-document', 'cat <<E\nfoo', 'unparseable'],
  ['a reserved word in the place of a program', 'x=1 then', 'reserved-word'],
  ['a word that the parser steps over', 'ls ( ls', 'unparseable'],
  ['a bracket that the parser steps over at the end', 'ls (', 'unparseable'],
  ['a word where arithmetic should be', '((sudo id))', 'unparseable'],
  ['an open quote', "echo 'open", 'unparseable'],
  ['a dangling pipe', 'ls |', 'unparseable'],
  ['an error inside a substitution', 'echo $(ls |)', 'unparseable'],
  ['nothing at all', '', 'empty'],
  ['a comment alone', '# rm -rf lib', 'empty'],
];

describe('the guards around the parser', () => {
  test.each(GUARDED)('%s is never safe', (_name, line, code) => {
    expect(codesOf(line)).toContain(code);
    expect(classifyLine(line, { cwd: '/repo' }).level).not.toBe('safe');
  });

  test('an even number of backslashes at the end is text', () => {
    expect(classifyLine('echo \\\\', { cwd: '/repo' }).level).toBe('safe');
  });

  test('contains a command with too many words to check is dangerous', () => {
    const { level, reasons } = classifyLine(`ls${' a'.repeat(1100)}`, { cwd: '/repo' });
    expect([level, reasons.map(({ text }) => text)]).toEqual([
      'dangerous',
      ['contains a command with too many words to check'],
    ]);
  });

  test('a line over 16 KiB is not analysed and dangerous', () => {
    const line = `echo ${'a'.repeat(MAX_LINE_LENGTH)}`;
    expect(classifyLine(line, { cwd: '/repo' })).toMatchObject({
      level: 'dangerous',
      effects: [{ kind: 'write-unknown' }],
    });
    expect(classifyLine(`echo ${'a'.repeat(MAX_LINE_LENGTH - 5)}`, { cwd: '/repo' }).level).toBe('safe');
  });

  test.each(['$(', '(', '{ ', '${x:-', '((', '[[ ( '])(
    'more than 32 of %j open at once are dangerous',
    (open) => {
      expect(codesOf(open.repeat(MAX_NESTING + 1))).toContain('too-nested');
    },
  );

  test('more than 1024 backticks are not analysed', () => {
    expect(codesOf('`'.repeat(1025))).toContain('too-many');
  });

  test('32 brackets open at once are analysed', () => {
    const line = `${'( '.repeat(MAX_NESTING)}sudo id${' )'.repeat(MAX_NESTING)}`;
    expect(classifyLine(line, { cwd: '/repo' }).level).toBe('blocked');
  });

  test('a line that makes the parser throw is dangerous', () => {
    expect(isAtLeast(classifyLine('f() '.repeat(4000), { cwd: '/repo' }).level, 'dangerous')).toBe(true);
  });

  test('nested shells are analysed, up to a depth', () => {
    const nested = Array.from({ length: 8 }).reduce<string>(
      (line) => `bash -c ${JSON.stringify(line)}`,
      'ls',
    );
    expect(codesOf(nested)).toContain('too-nested');
    expect(classifyLine(`bash -c "bash -c 'sudo id'"`, { cwd: '/repo' }).level).toBe('blocked');
  });

  test('text that bash reads after a closed descriptor is judged too', () => {
    expect(classifyLine('2>&-sudo id', { cwd: '/repo' }).level).toBe('blocked');
  });

  test('more commands than can be judged in time are dangerous', () => {
    expect(codesOf('ls;'.repeat(2000))).toContain('too-long');
  });

  const BLOWN_UP = [
    'ls;',
    '$(ls) ',
    '`',
    '{a,b}',
    '[a]',
    '>a ',
    'a=$a$a;',
    "'",
    '\\',
    '<<E\n',
    'f() ',
    '((',
    'env ',
  ];

  test.each(BLOWN_UP)('a megabyte of %j is refused without parsing', (piece) => {
    const line = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const { level, reasons, effects } = classifyLine(line, { cwd: '/repo' });
    expect({ level, codes: reasons.map(({ code }) => code), effects }).toEqual({
      level: 'dangerous',
      codes: ['too-long'],
      effects: [{ kind: 'write-unknown' }],
    });
  });

  test.each(['ls;', 'ls|', '>a ', 'a '])(
    'the maximum number of %j in a line is not judged completely, and dangerous',
    (piece) => {
      const line = `ls ${piece.repeat(Math.floor(16_000 / piece.length))}`;
      expect(codesOf(line)).toContain('too-long');
    },
  );

  test('a pattern longer than any file name counts as any name', () => {
    const line = `cat ${'[a]'.repeat(500)}`;
    expect(classifyLine(line, { cwd: '/repo' }).effects).toEqual([]);
  });
});
