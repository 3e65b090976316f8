import { Verdict } from '@signalbox/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBudget, MAX_STEPS } from './budget.ts';
import { classifyLine, classifyWithin } from './classify-line.ts';
import { MAX_LINE_LENGTH } from './syntax/guards.ts';
import { hostileLine, SLOW_ONCE } from './testing/hostile-lines.ts';

const at = { cwd: '/repo' };

/** Steps that one line takes, and its verdict. */
function judged(line: string) {
  const budget = createBudget();
  const { level, reasons } = classifyWithin(budget, line, at);
  return { steps: budget.spent(), level, codes: reasons.map(({ code }) => code) };
}

/** A line of the maximum length. */
function full(opening: string, piece: string): string {
  return (opening + piece.repeat(MAX_LINE_LENGTH)).slice(0, MAX_LINE_LENGTH);
}

describe('a line that is written to keep the classifier busy', () => {
  test('gets a valid verdict and is never safe once its steps are spent', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(hostileLine, (line) => {
        const budget = createBudget();
        const startedAt = performance.now();
        const verdict = classifyWithin(budget, line, at);
        // Uncounted work would take seconds at such lengths; the benchmark bounds each line to 20 ms.
        expect(performance.now() - startedAt).toBeLessThan(5000);
        expect(Verdict.safeParse(verdict).error).toBeUndefined();
        if (budget.spent() <= MAX_STEPS && line.length <= MAX_LINE_LENGTH) return;
        expect(verdict.reasons.map(({ code }) => code)).toContain('too-long');
        expect(['dangerous', 'blocked']).toContain(verdict.level);
        expect(verdict.effects).toContainEqual({ kind: 'write-unknown' });
      }),
      { numRuns: 500, examples: SLOW_ONCE.map((line) => [line]) },
    );
  });

  test('stops at the step that exceeds the budget', () => {
    const budget = createBudget(100);
    expect(classifyWithin(budget, 'ls;'.repeat(100), at)).toMatchObject({
      level: 'dangerous',
      reasons: [{ level: 'dangerous', code: 'too-long', text: 'is too complex to check in time' }],
      effects: [{ kind: 'write-unknown' }],
    });
    expect(budget.spent()).toBeGreaterThan(100);
    expect(budget.spent()).toBeLessThan(130);
  });

  test('keeps the findings from before the budget was spent', () => {
    expect(judged(`sudo id;${'ls;'.repeat(1000)}`)).toMatchObject({ level: 'blocked' });
  });

  // Each took from 50 ms to for ever, because that work was not counted or an expression backtracked.
  test.each([
    ['letters of make without an end', `MAKEFLAGS='${'k'.repeat(5000)}!' make`],
    ['lints of rustc without an end', `RUSTFLAGS='${'-Da'.repeat(5000)}!' cargo build`],
    ['comments behind continued lines', `ls;${'\\\n#'.repeat(5000)}\n)`],
    ['backslashes that end nowhere', `ls ${'\\'.repeat(16_000)}x`],
    ['zeros that end a flag of perl', `perl -${'0'.repeat(60)}! x`],
    ['letters of ps', `ps -${'E'.repeat(16_000)}!`],
    ['open subscripts', `((a${'['.repeat(16_000)}))`],
    ['open brackets of a pattern', `cat ${'['.repeat(500)}`],
    ['rights of many letters', `chmod ${'a'.repeat(16_000)} x`],
    ['words that hint at endless processes', full("node -e '", 'fork while ')],
  ])('takes few steps for %s', (_name, line) => {
    expect(judged(line).steps).toBeLessThan(MAX_STEPS);
  });

  test.each([
    ['a value that is evaluated again and again', full(`a='${'"x" '.repeat(2000)}';`, 'eval "$a";')],
    ['a value that doubles', `a=xxxxxxxxxxxxxxxx;${'a=$a$a;'.repeat(40)}touch $a;eval $a`],
    ['a long value in arithmetic', full(`a=${'x'.repeat(8000)};`, '((a+a+a));')],
    ['a directory that becomes deeper', full('', 'cd a/a/a/a;')],
    [
      'substitutions within each other, one quote open',
      `ls ${`${'$(a '.repeat(20)}"${')'.repeat(20)} `.repeat(12)}`,
    ],
    [
      'parameters within each other, one quote open',
      `ls ${`${'${a:-'.repeat(6)}"${'}'.repeat(6)} `.repeat(80)}`,
    ],
    ['alternatives that multiply', full('', 'ls {a,b}{a,b}{a,b}{a,b}{a,b}{a,b};')],
    ['texts of a loop as programs and words', full('for a in find env sudo bash git;do ', '$a $a $a;')],
    ['nested loops', `${'while a;do '.repeat(32)}${'ls;'.repeat(400)}${'done;'.repeat(32)}`],
    ['cases', full('case a in ', 'a) ls;; ')],
    ['branches', full('', 'a||')],
    ['statements', full('', 'a;')],
    ['words', full('ls ', 'a ')],
  ])('gives up %s', (_name, line) => {
    expect(judged(line)).toMatchObject({ codes: expect.arrayContaining(['too-long']) });
  });

  test.each([
    ['here-documents', 'a<<E;', 1025],
    ['backticks', '`', 1025],
    ['substitutions', '$(a) ', 648],
    ['parameters', '${a} ', 916],
  ] as const)('is not parsed with too many %s', (_name, piece, count) => {
    expect(judged(piece.repeat(count))).toMatchObject({ level: 'dangerous', codes: ['too-many'] });
    expect(judged(piece.repeat(count - 1)).codes).not.toContain('too-many');
  });
});

test('a message of 15 KiB in a here-document is judged to its end', () => {
  const body = 'It says what has changed, and why: `x` is "y" now.\n'.repeat(300);
  expect(classifyLine(`git commit -m "$(cat <<'EOF'\n${body}EOF\n)"`, at).level).toBe('warning');
  expect(classifyLine(`cat > notes.md <<'EOF'\n${body}EOF\nsudo id`, at).level).toBe('blocked');
});
