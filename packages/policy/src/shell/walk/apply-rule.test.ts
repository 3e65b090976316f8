import { describe, expect, test } from 'vitest';
import { applyRule } from './apply-rule.ts';
import type { Rule } from '../program.ts';
import { contextIn } from '../testing/command-context.ts';
import { literal, PLAIN } from '../word.ts';

const span = { start: 0, end: 9 };

function judged(
  rule: Rule,
  words: readonly string[],
  { cwd = '/repo' }: Readonly<{ cwd?: string | undefined }> = {},
) {
  const context = contextIn(cwd);
  applyRule({ program: 'frob', rule, words: words.map((text) => literal(text, span)), span, context });
  const { level, reasons, effects } = context.report.verdict();
  return { level, codes: reasons.map(({ code }) => code), effects };
}

describe('the data of a rule', () => {
  test.each([
    ['text', []],
    ['list', []],
    ['read', [{ kind: 'read', path: 'a', scope: 'file' }]],
    ['write', [{ kind: 'write', path: 'a', scope: 'file' }]],
    ['write-tree', [{ kind: 'write', path: 'a', scope: 'tree' }]],
    [
      'edit',
      [
        { kind: 'read', path: 'a', scope: 'file' },
        { kind: 'write', path: 'a', scope: 'file' },
      ],
    ],
    ['delete', [{ kind: 'delete', path: 'a', scope: 'file' }]],
    ['delete-tree', [{ kind: 'delete', path: 'a', scope: 'tree' }]],
    ['host', [{ kind: 'network', host: 'a' }]],
  ] as const)('an operand that is %j has its effect', (operands, effects) => {
    expect(judged({ operands }, ['a']).effects).toEqual(effects);
  });

  test('a program or a shell line that is started is itself judged', () => {
    expect(judged({ options: '--with=shell' }, ['--with=sudo id'])).toMatchObject({ level: 'blocked' });
    expect(judged({ operands: 'program' }, ['ls'])).toMatchObject({
      level: 'warning',
      codes: ['starts-program'],
    });
  });

  test('an unknown host still counts as network access', () => {
    const context = contextIn('/repo');
    const host = {
      kind: 'dynamic',
      beginning: '',
      splits: false,
      span,
      origin: PLAIN,
    } as const;
    applyRule({
      program: 'frob',
      rule: { operands: 'host', anyOption: 'harmless' },
      words: [host],
      span,
      context,
    });
    expect(context.report.verdict().effects).toEqual([{ kind: 'network' }]);
  });

  test('a level alone is a reason, in words of its own', () => {
    const context = contextIn('/repo');
    applyRule({ program: 'frob', rule: { level: 'warning' }, words: [], span, context });
    expect(context.report.verdict().reasons).toEqual([
      { level: 'warning', code: 'modifies', text: 'runs frob', span },
    ]);
  });

  test('writes in an unknown directory are unknown', () => {
    const rule: Rule = { effects: [{ kind: 'write', path: 'out', scope: 'tree' }] };
    expect(judged(rule, []).effects).toEqual([{ kind: 'write', path: 'out', scope: 'tree' }]);
    const context = contextIn(undefined);
    applyRule({ program: 'frob', rule, words: [], span, context });
    expect(context.report.verdict().effects).toEqual([{ kind: 'write-unknown' }]);
  });
});
