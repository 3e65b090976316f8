import type { DeclaredFilter } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import type { Filter } from './filter.ts';
import { filtered } from './testing/recorded-log.ts';

const many = (line: string, count = 60): string => `${line}\n`.repeat(count);
const PROGRESS = many('waiting for the compiler');

describe('the filter of an output', () => {
  test('is that of its program, also in a chain, and its name is in the result (S001-44)', () => {
    const printed = `${many('   Compiling serde v1')}    Finished dev\n`;
    expect(filtered('cd web; cargo build', printed)).toMatchObject({
      stdout: '    Finished dev\n',
      leftOut: { stdout: 60, stderr: 0 },
      use: { filter: 'cargo', confidence: 'full', keptLines: 1, lines: 61 },
    });
  });

  test('is found by its signature behind another program', () => {
    const printed = `${many('=== RUN   TestA')}ok  \tshop\t0.1s\n`;
    expect(filtered('make check', printed)?.use.filter).toBe('go');
    expect(filtered('', printed)?.use.filter).toBe('go');
    expect(filtered('make check', PROGRESS)?.use.filter).toBe('plain');
  });

  test('is several where several programs printed', () => {
    const printed = `${many('   Compiling serde v1')}    Finished dev\n${many('ok  \tshop/a\t0.1s')}`;
    expect(filtered('cargo build; go test ./...', printed)).toMatchObject({
      stdout: '    Finished dev\n[… 60 packages passed]\n',
      use: { filter: 'cargo+go' },
    });
  });

  test('leaves alone what a reader of files prints, and what a model selected', () => {
    for (const line of ['cat a.log', 'grep x a.log', 'npm test | grep FAIL', 'git blame a', 'seq 9 | sort'])
      expect(filtered(line, PROGRESS)).toBeNull();
    expect(filtered('npm test | tail -50', PROGRESS)?.use.filter).toBe('plain');
    expect(filtered('cat a.log; make', PROGRESS)).toBeNull();
  });

  test('leaves short outputs and those without noise alone', () => {
    expect(filtered('cargo build', '   Compiling serde v1\n')).toBeNull();
    expect(
      filtered(
        'cargo build',
        many('a').replaceAll('a', () => String(Math.random())),
      ),
    ).toBeNull();
  });

  test('falls back to the whole output when nothing would be left, or the filter throws (S001-45)', () => {
    const printed = many('   Compiling serde v1');
    expect(filtered('cargo build', printed)).toMatchObject({
      stdout: printed,
      leftOut: { stdout: 0, stderr: 0 },
      use: { confidence: 'fallback', keptLines: 60, lines: 60, savedTokens: 0 },
    });
    const broken: Filter = {
      name: 'broken',
      matchers: [{ kind: 'exact', command: 'make' }],
      stages: [
        () => {
          throw new Error('broken');
        },
      ],
    };
    expect(filtered('make', PROGRESS, { custom: [broken] })).toMatchObject({
      stdout: PROGRESS,
      use: { filter: 'broken', confidence: 'fallback' },
    });
  });

  test('has partial confidence without a summary, or with a cut middle (S001-45)', () => {
    expect(filtered('cargo build', `${many('   Compiling a')}x\n`)?.use.confidence).toBe('partial');
    const long = Array.from({ length: 900 }, (_, at) => `row ${at + 1000} ${'abc'.repeat(at % 7)}`).join(
      '\n',
    );
    const cut = filtered('cargo test', `${long}\ntest result: ok. 1 passed\n`);
    expect(cut?.use).toMatchObject({ confidence: 'partial', keptLines: 420 });
    expect(cut?.stdout).toContain('\n[… 481 lines left out]\n');
  });

  test('applies to both streams', () => {
    const both = filtered('cargo test', `${many('test a ... ok')}x\n`, {
      stderr: `${many('   Compiling a')}y\n`,
    });
    expect(both).toMatchObject({ stdout: 'x\n', stderr: 'y\n', leftOut: { stdout: 60, stderr: 60 } });
  });
});

describe('filters of the settings (S001-49)', () => {
  const strip: DeclaredFilter = {
    match: { prefix: 'make' },
    strip: ['waiting'],
    keep: [],
    context: 2,
    fold: 'equal',
    head: null,
    tail: null,
  };

  test('come before the built-in ones; the first for a program decides', () => {
    const define = {
      second: { ...strip, strip: [] },
      first: { ...strip, match: [{ exact: 'x' }, { regex: '^ma' }] },
    };
    const result = filtered('make', `${PROGRESS}done\n`, { settings: { define } });
    expect(result?.use.filter).toBe('second');
    const { second: _, ...others } = define;
    expect(filtered('make', `${PROGRESS}done\n`, { settings: { define: others } })).toMatchObject({
      stdout: 'done\n',
      use: { filter: 'first', confidence: 'partial' },
    });
  });

  test('keep by pattern with context, and cut to head and tail', () => {
    const printed = Array.from({ length: 99 }, (_, at) => `row ${at} of a longer list`).join('\n');
    const keep = { ...strip, strip: [], keep: ['^row 50 '], context: 1 };
    expect(filtered('make', printed, { settings: { define: { keep } } })?.stdout.split('\n')).toEqual([
      '[… 96 lines left out]',
      'row 49 of a longer list',
      'row 50 of a longer list',
      'row 51 of a longer list',
    ]);
    const ends = { ...strip, strip: [], head: 1, tail: 1 };
    expect(filtered('make', printed, { settings: { define: { ends } } })?.stdout.split('\n')).toEqual([
      'row 0 of a longer list',
      '[… 97 lines left out]',
      'row 98 of a longer list',
    ]);
    const similar = { ...strip, strip: [], fold: 'similar' as const };
    expect(filtered('make', printed, { settings: { define: { similar } } })?.stdout).toBe(
      'row 98 of a longer list  ×99',
    );
  });

  test('can leave out neither an error nor a warning, and fall back when they would take too long', () => {
    const printed = `${PROGRESS}error: waiting failed\nwarning: waiting\nsrc/a.ts:3: waiting\n`;
    expect(filtered('make', printed, { settings: { define: { strip } } })?.stdout).toBe(
      'error: waiting failed\nwarning: waiting\nsrc/a.ts:3: waiting\n',
    );
    const slow = { ...strip, strip: Array.from({ length: 50 }, () => 'waiting'.repeat(73)) };
    expect(
      filtered('make', many('waiting for it', 5000), { settings: { define: { slow } } })?.use.confidence,
    ).toBe('fallback');
  });
});
