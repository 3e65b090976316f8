import { ALL_MODES, type Effect, type Level, type Mode, Phase } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { BUILT_IN_RULES, type RuleId } from './built-in-rules.ts';
import { createPolicy } from './create-policy.ts';
import type { Question } from './question.ts';
import {
  BASH,
  PATH_CONTEXT,
  policyOf,
  questionOf,
  read,
  READ_FILE,
  settingsOf,
  toolOf,
  write,
} from './testing/question-builders.ts';
import { ruled } from './testing/ruled.ts';

describe('without settings', () => {
  const policy = policyOf();

  test.for<[Level, string]>([
    ['safe', 'allow safe-auto'],
    ['warning', 'ask warning-asks'],
    ['dangerous', 'ask dangerous-asks'],
    ['blocked', 'deny blocked-never'],
  ])('a shell line of level %s: %s (S003-34)', ([level, ruling]) => {
    expect(ruled(policy, questionOf({ tool: BASH, level }))).toBe(ruling);
  });

  test.for(['write_file', 'edit_file', 'delete_file', 'git_commit', 'git_add'])(
    '%s runs if undo can restore it, otherwise asks, and always with file_writes: ask (S002-36, S002-43, S002-54…56)',
    (name) => {
      const question = { tool: toolOf({ name, aliases: [] }), effects: [write('src/a.ts')] };
      expect(ruled(policy, questionOf({ ...question, reversible: true }))).toBe('allow reversible-auto');
      expect(ruled(policy, questionOf(question))).toBe('ask warning-asks');
      const asking = policyOf({ approval: { file_writes: 'ask' } });
      expect(ruled(asking, questionOf({ ...question, reversible: true }))).toBe('ask writes-ask');
    },
  );

  test('read_file runs, by its own list (S002-35, S002-53)', () => {
    expect(ruled(policy, questionOf({ tool: READ_FILE, effects: [read('src/a.ts')] }))).toBe(
      'allow listed-auto',
    );
  });
});

describe('operational modes (D1, X-33, S000-37, S000-40)', () => {
  // S000-45
  const policy = policyOf({
    agents: { tool_execution: { auto_approve_tools: ['write_file'] } },
    tools: {
      write_file: {
        allowed_in_modes: ['NORMAL'],
        requires_approval_in_modes: ['ALERT', 'RECOVERY'],
        forbidden_in_modes: ['LOCKDOWN', 'RECOVERY'],
      },
    },
  });

  test.for<[Mode, string]>([
    ['NORMAL', 'allow listed-auto'],
    ['ALERT', 'ask mode-asks'],
    ['DEGRADED', 'deny mode-forbids'],
    ['LOCKDOWN', 'deny mode-forbids'],
    ['RECOVERY', 'deny mode-forbids'],
  ])('forbidden, then approval, then allowed, else forbidden: %s → %s', ([mode, ruling]) => {
    expect(ruled(policy, questionOf({ mode, effects: [write('a')] }))).toBe(ruling);
  });

  test('settings can’t allow what the tool’s definition forbids (S000-39)', () => {
    const tool = toolOf({ allowedModes: ['NORMAL'] });
    const open = policyOf({
      tools: { write_file: { allowed_in_modes: ['ALERT'], requires_approval_in_modes: ['ALERT'] } },
    });
    expect(open.rule(questionOf({ tool, mode: 'ALERT' }))).toMatchObject({
      kind: 'deny',
      rule: 'mode-forbids',
      failure: { code: 'denied-by-mode', message: 'Tool not allowed in ALERT mode: write_file' },
    });
  });

  test.for(['ALERT', 'DEGRADED', 'RECOVERY'] as const)(
    'in %s all but safe calls need approval, under allow_all too',
    (mode) => {
      const open = policyOf({ approval: { approval_mode: 'allow_all' } });
      expect(ruled(open, questionOf({ tool: BASH, level: 'warning', mode }))).toBe('ask mode-asks');
      expect(ruled(open, questionOf({ tool: BASH, level: 'safe', mode }))).toBe('allow allow-all');
    },
  );

  test('LOCKDOWN allows read-only calls only', () => {
    const open = policyOf({ approval: { approval_mode: 'allow_all' } });
    const looking = questionOf({ tool: READ_FILE, effects: [read('a')], mode: 'LOCKDOWN' });
    expect(ruled(open, looking)).toBe('allow allow-all');
    const git = [{ kind: 'resource', resource: 'git:refs', access: 'read' }] as const;
    expect(ruled(open, questionOf({ tool: READ_FILE, effects: git, mode: 'LOCKDOWN' }))).toBe(
      'allow allow-all',
    );
    for (const effect of [
      { kind: 'repository-code' },
      { kind: 'network' },
      { kind: 'resource', resource: 'git:index', access: 'write' },
    ] as const) {
      expect(ruled(open, questionOf({ tool: READ_FILE, effects: [effect], mode: 'LOCKDOWN' }))).toBe(
        'deny lockdown-looks-only',
      );
    }
    expect(ruled(open, questionOf({ tool: BASH, level: 'safe', mode: 'LOCKDOWN' }))).toBe(
      'deny lockdown-looks-only',
    );
  });
});

describe('verdicts that no approval lifts', () => {
  test.for<[string, Mode, string]>([
    ['classify', 'NORMAL', 'allow safe-auto'],
    ['reject', 'NORMAL', 'deny composition-rejected'],
    ['classify', 'ALERT', 'allow safe-auto'],
    ['classify', 'DEGRADED', 'deny composition-rejected'],
  ])('a composed line with shell_composition %s in %s: %s (X-01)', ([shell_composition, mode, ruling]) => {
    const policy = policyOf({ shell_composition });
    const question = questionOf({ tool: BASH, level: 'safe', composed: true, mode });
    expect(ruled(policy, question)).toBe(ruling);
  });

  test('a denied composition has the code of specification 003 (S003-67)', () => {
    const question = questionOf({ tool: BASH, level: 'safe', composed: true });
    expect(policyOf({ shell_composition: 'reject' }).rule(question)).toMatchObject({
      outcome: 'denied',
      failure: { code: 'shell_injection_detected', category: 'PolicyBlocked' },
    });
  });

  test('with a command_allowlist an unknown program is denied unless it is listed (X-05)', () => {
    const policy = policyOf({ tools: { bash: { command_allowlist: ['frob'] } } });
    const starting = (program: string) =>
      questionOf({ tool: BASH, level: 'warning', effects: [write('a'), { kind: 'process', program }] });
    expect(ruled(policy, starting('frob'))).toBe('ask unknown-program-asks');
    expect(ruled(policy, starting('evil'))).toBe('deny program-not-listed');
    const none = policyOf({ tools: { bash: { command_allowlist: [] } } });
    expect(ruled(none, starting('frob'))).toBe('deny program-not-listed');
  });

  test('the autonomous phase is for internal tools (X-27)', () => {
    const context = { phase: 'autonomous' } as const;
    const internal = toolOf({ name: 'echo', aliases: [], category: 'internal' });
    expect(ruled(policyOf(), questionOf({ tool: internal, context }))).toBe('allow safe-auto');
    expect(ruled(policyOf(), questionOf({ tool: READ_FILE, context }))).toBe('deny autonomous-internal');
    const effects: Effect[] = [write('a'), { kind: 'process', program: 'x' }, { kind: 'repository-code' }];
    for (const effect of effects)
      expect(ruled(policyOf(), questionOf({ tool: internal, context, effects: [effect] }))).toBe(
        'deny autonomous-internal',
      );
  });

  test('rules with phases apply only in those, and lift nothing of the autonomous one (D8, X-27)', () => {
    const policy = policyOf({
      rules: [
        { id: 'look-before', deny: { tool: 'write_file' }, phases: ['planner'] },
        { id: 'two-eyes', ask: { tool: 'read_file' }, phases: ['verifier'] },
        { id: 'free', allow: { tool: 'write_file', path: '**' }, phases: ['executor', 'autonomous'] },
      ],
    });
    const rulings = (tool: Question['tool'], effects: Effect[]) =>
      Phase.options.map(
        (phase) => `${phase} ${ruled(policy, questionOf({ tool, effects, context: { phase } }))}`,
      );
    expect(rulings(toolOf(), [write('a')])).toEqual([
      'planner deny look-before',
      'executor allow free',
      'verifier ask warning-asks',
      'autonomous deny autonomous-internal',
    ]);
    expect(rulings(READ_FILE, [read('a')])).toEqual([
      'planner allow listed-auto',
      'executor allow listed-auto',
      'verifier ask two-eyes',
      'autonomous deny autonomous-internal',
    ]);
  });

  test('with tools disabled models can’t call any, and a person still can (S002-33)', () => {
    const off = policyOf({ agents: { tool_execution: { enabled: false } } });
    expect(ruled(off, questionOf({ tool: READ_FILE }))).toBe('deny tools-off');
    const you = questionOf({ tool: READ_FILE });
    expect(ruled(off, { ...you, context: { ...you.context, provider: 'you' as never } })).toBe(
      'allow listed-auto',
    );
  });
});

test('a text over max_file_size_mb is denied before approval (S000-42, S000-45, X-06)', () => {
  const policy = policyOf({ tools: { write_file: { max_file_size_mb: 1 } } });
  const MIB = 1024 * 1024;
  expect(ruled(policy, questionOf({ contentBytes: MIB }))).toBe('ask warning-asks');
  expect(policy.rule(questionOf({ contentBytes: MIB + 1 }))).toMatchObject({
    rule: 'too-large',
    failure: { message: 'Cannot call write_file with 1.0 MiB: its limit is 1 MiB' },
  });
  expect(ruled(policyOf(), questionOf({ contentBytes: 10 * MIB + 1 }))).toBe('deny too-large');
});

test('no approval is requested before a denial: `rm -rf /` is dangerous, and denied (X-02, X-06)', () => {
  const rm = questionOf({
    tool: BASH,
    level: 'dangerous',
    effects: [{ kind: 'delete', path: '/', scope: 'tree' }],
  });
  expect(policyOf().rule(rm)).toEqual({
    kind: 'deny',
    rule: 'path-outside',
    source: 'built in',
    reason: 'paths outside the workspace can’t be read or written',
    outcome: 'denied',
    failure: {
      code: 'path_not_allowed',
      category: 'PolicyBlocked',
      message: 'Cannot delete "/": it is outside the workspace',
      suggestion: 'Use a path inside the workspace; no rule or approval can allow this one',
      why: ['rule: path-outside (built in): paths outside the workspace can’t be read or written'],
      visibility: 'visible',
    },
  });
});

test('settings may put a tool into a stricter category, not into a looser one', () => {
  const stricter = policyOf({ tools: { echo: { category: 'network' } } });
  const echo = toolOf({ name: 'echo', aliases: [], category: 'internal', risk: 'low' });
  expect(ruled(stricter, questionOf({ tool: echo }))).toBe('ask warning-asks');
  const looser = policyOf({ tools: { bash: { category: 'internal' } } });
  expect(ruled(looser, questionOf({ tool: BASH, level: 'warning' }))).toBe('ask warning-asks');
});

test('timeoutOf() is the tool’s own unless settings set another (X-11, S002-50)', () => {
  expect(policyOf().timeoutOf(toolOf())).toBe(30_000);
  expect(policyOf({ tools: { write_file: { timeout: '5s' } } }).timeoutOf(toolOf())).toBe(5000);
});

test('the version depends on what decides: safety settings and the workspace, not models', () => {
  const version = (value: unknown, pathContext = PATH_CONTEXT) =>
    createPolicy(settingsOf(value), pathContext).version;
  expect(version({})).toMatch(/^[0-9a-f]{14}$/);
  expect(version({ providers: { openai: { model: 'x' } } })).toBe(version({}));
  expect(version({ approval: { deny_dangerous: true } })).not.toBe(version({}));
  expect(version({}, { ...PATH_CONTEXT, workspace: '/elsewhere' })).not.toBe(version({}));
});

test('each gate can be called alone', () => {
  const policy = policyOf();
  expect(policy.checkMode(questionOf())).toBeUndefined();
  expect(policy.checkVerdict(questionOf({ level: 'blocked' }))?.rule).toBe('blocked-never');
  expect(policy.checkPaths(questionOf({ effects: [write('/etc/passwd')] }))?.rule).toBe('path-outside');
  expect(policy.checkSizes(questionOf())).toBeUndefined();
});

test('every ruling has the kind that the table of rules states', () => {
  const policies = [
    policyOf(),
    policyOf({ approval: { approval_mode: 'prompt', deny_dangerous: true }, shell_composition: 'reject' }),
  ];
  for (const policy of policies) {
    for (const level of ['safe', 'warning', 'dangerous', 'blocked'] as const) {
      for (const mode of ALL_MODES) {
        const ruling = policy.rule(questionOf({ tool: BASH, level, mode, composed: level === 'warning' }));
        expect(BUILT_IN_RULES[ruling.rule as RuleId].ruling).toBe(ruling.kind);
      }
    }
  }
});
