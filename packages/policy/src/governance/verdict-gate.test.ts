import { expect, test } from 'vitest';
import { BASH, policyOf, questionOf, settingsOf, toolOf } from './testing/question-builders.ts';
import { ruled } from './testing/ruled.ts';
import { checkVerdict } from './verdict-gate.ts';

test('command_allowlist_only denies unlisted programs, and lines that can’t be parsed (S000-42)', () => {
  const ruling = (line: string | null | undefined, listed?: readonly string[]): string => {
    const bash = {
      command_allowlist_only: true,
      ...(listed === undefined ? {} : { command_allowlist: listed }),
    };
    return ruled(
      policyOf({ tools: { bash } }),
      questionOf({ tool: BASH, level: 'safe', line: line ?? null }),
    );
  };
  expect(ruling('git log; echo a | test -f b', ['git'])).toBe('allow safe-auto');
  expect(ruling('sed -n 1p a', ['git'])).toBe('deny program-not-listed');
  expect(ruling('$X', ['git'])).toBe('deny program-not-listed');
  expect(ruling('git log "', ['git'])).toBe('deny program-not-listed');
  expect(ruling('git log')).toBe('deny program-not-listed');
  expect(ruling(null, ['git'])).toBe('allow safe-auto');
});

test('what is blocked is denied with its blocking reasons alone, whatever else is true of it (X-01)', () => {
  const question = questionOf({ tool: BASH, level: 'blocked', composed: true });
  const reasons = [
    { level: 'blocked', code: 'privilege', text: 'runs sudo' },
    { level: 'warning', code: 'network', text: 'contacts x' },
  ] as const;
  const blocked = { ...question, verdict: { ...question.verdict, reasons } };
  expect(checkVerdict(blocked, settingsOf({ shell_composition: 'reject' }))).toMatchObject({
    kind: 'deny',
    outcome: 'blocked',
    rule: 'blocked-never',
    failure: {
      code: 'blocked',
      message: 'Blocked: runs sudo',
      why: [expect.stringContaining('blocked-never'), 'privilege: runs sudo'],
    },
  });
  const silent = { ...question, verdict: { ...question.verdict, reasons: [] } };
  expect(checkVerdict(silent, settingsOf({}))).toMatchObject({
    failure: {
      message: 'Blocked: this call is never allowed',
      why: [expect.stringContaining('blocked-never')],
    },
  });
});

test('in the autonomous phase only internal tools without effects run (X-27)', () => {
  const rule = (tool: Partial<typeof BASH>, more: Parameters<typeof questionOf>[0] = {}): string =>
    ruled(policyOf(), questionOf({ tool: toolOf(tool), context: { phase: 'autonomous' }, ...more }));
  const internal = { name: 'find_tools', aliases: [], category: 'internal', risk: 'low' } as const;
  expect(rule(internal)).toBe('allow safe-auto');
  expect(rule({ ...internal, category: 'read_only' })).toBe('deny autonomous-internal');
  expect(rule(internal, { level: 'warning' })).toBe('deny autonomous-internal');
  expect(rule(internal, { effects: [{ kind: 'repository-code' }] })).toBe('deny autonomous-internal');
  expect(policyOf().rule(questionOf({ context: { phase: 'autonomous' } }))).toMatchObject({
    failure: {
      message:
        'Cannot call write_file in the autonomous phase: only internal tools without effects are allowed',
      suggestion: 'Call it in another phase',
    },
  });
});

test('a composed line is denied where the settings or the mode say so, and the denial says which (X-03, X-05)', () => {
  const question = questionOf({ tool: BASH, level: 'safe', composed: true, line: 'a | b' });
  expect(policyOf().rule(question).kind).toBe('allow');
  expect(policyOf({ shell_composition: 'reject' }).rule({ ...question, mode: 'DEGRADED' })).toMatchObject({
    rule: 'composition-rejected',
    failure: {
      code: 'shell_injection_detected',
      message: 'Cannot run a shell line with a chain, pipe or substitution: shell_composition is "reject"',
      suggestion: 'Run each program in a separate call',
    },
  });
  expect(
    policyOf({ shell_composition: 'reject' }).rule({
      ...question,
      line: 'a',
      verdict: { ...question.verdict, composed: false },
    }).kind,
  ).toBe('allow');
  expect(policyOf().rule({ ...question, mode: 'DEGRADED' })).toMatchObject({
    rule: 'composition-rejected',
    failure: {
      code: 'denied-by-mode',
      message: 'Cannot run a shell line with a chain, pipe or substitution in DEGRADED mode',
    },
  });
  const lockedDown = checkVerdict({ ...question, mode: 'LOCKDOWN' }, settingsOf({}));
  expect(lockedDown).toMatchObject({ failure: { code: 'denied-by-mode' } });
});

test('with command_allowlist alone only programs that the policy does not know need to be in it (S000-42)', () => {
  const starts = (program: string, more: object = {}) =>
    policyOf({ tools: { bash: { command_allowlist: ['deploy', 'lint'], ...more } } }).rule(
      questionOf({ tool: BASH, line: program, effects: [{ kind: 'process', program }] }),
    );
  expect(starts('lint').kind).not.toBe('deny');
  expect(starts('other')).toMatchObject({
    rule: 'program-not-listed',
    failure: {
      message: 'Cannot start "other": it is unknown, and tools.bash.command_allowlist does not list it',
      suggestion: 'Allowed programs: deploy, lint',
    },
  });
  expect(starts('other', { command_allowlist: [] })).toMatchObject({
    failure: { suggestion: 'Use the tools you are offered' },
  });
  expect(starts('$X', { command_allowlist_only: true })).toMatchObject({
    failure: {
      message: expect.stringContaining(
        'Cannot start a program known only at run time: command_allowlist_only is on',
      ),
    },
  });
  expect(
    policyOf().rule(questionOf({ tool: BASH, line: 'x', effects: [{ kind: 'process', program: 'x' }] })).kind,
  ).toBe('ask');
});
