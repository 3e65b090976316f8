import { ALL_MODES, type CallContext, type Effect, type Level } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { BASH, policyOf, questionOf, toolOf, write } from './testing/question-builders.ts';
import { ruled } from './testing/ruled.ts';

describe('approval modes (E1, S003-33, S002-24, S003-27)', () => {
  const LEVELS = ['safe', 'warning', 'dangerous', 'blocked'] as const;

  test.for([
    ['auto', ['allow', 'ask', 'ask', 'deny']],
    ['prompt', ['ask', 'ask', 'ask', 'deny']],
    ['deny_all', ['deny', 'deny', 'deny', 'deny']],
    // it lifts approvals, but neither that of a dangerous call nor the block.
    ['allow_all', ['allow', 'allow', 'ask', 'deny']],
  ] as const)('%s rules safe, warning, dangerous, blocked: %j', ([approval_mode, expected]) => {
    const policy = policyOf({ approval: { approval_mode } });
    expect(LEVELS.map((level) => policy.rule(questionOf({ tool: BASH, level })).kind)).toEqual(expected);
  });

  test('blocked is denied as blocked under every setting and in every mode (X-03, S001-13, S001-18, S003-28, S003-32)', () => {
    const open = policyOf({
      approval: { approval_mode: 'allow_all', prompt_on_warning: false },
      agents: { tool_execution: { auto_approve_tools: ['bash'] } },
    });
    for (const mode of ALL_MODES) {
      for (const trust of ['untrusted', 'provisional', 'trusted'] as const) {
        expect(
          open.rule(questionOf({ tool: BASH, level: 'blocked', mode, context: { trust } })),
        ).toMatchObject({
          kind: 'deny',
          outcome: 'blocked',
          failure: {
            code: 'blocked',
            category: 'PolicyBlocked',
            why: [expect.stringMatching(/^rule: blocked-never /), 'test: because the test says so'],
          },
        });
      }
    }
  });
});

test('the reason of the approval names the unknown programs, whatever else the line contains', () => {
  const reasonOf = (...programs: readonly string[]): string => {
    const effects = programs.map((program) => ({ kind: 'process', program }) as const);
    return policyOf({}).rule(questionOf({ tool: BASH, level: 'warning', effects: [write('a'), ...effects] }))
      .reason;
  };
  expect(reasonOf('frob', 'frob')).toBe(
    'unknown program "frob": needs approval unless an allow rule names it',
  );
  expect(reasonOf('a', 'b', 'c', 'd'.repeat(200))).toBe(
    'unknown programs "a", "b", "c" and 1 more: need approval unless allow rules name them',
  );
  expect(reasonOf('d'.repeat(200))).toContain(`"${'d'.repeat(60)}"`);
  expect(reasonOf('a', 'b')).toContain('"a", "b":');
});

describe('switches (E2, S003-34)', () => {
  test('auto_approve_safe: false requires approval for safe calls', () => {
    const policy = policyOf({ approval: { auto_approve_safe: false } });
    expect(ruled(policy, questionOf({ tool: BASH, level: 'safe' }))).toBe('ask safe-asks');
  });

  test('prompt_on_warning: false runs warnings, but not of unknown programs (X-05)', () => {
    const policy = policyOf({ approval: { prompt_on_warning: false } });
    const effects = [{ kind: 'process', program: 'frobnicate' }] as const;
    expect(ruled(policy, questionOf({ tool: BASH, level: 'warning' }))).toBe('allow warning-auto');
    expect(ruled(policy, questionOf({ tool: BASH, level: 'warning', effects }))).toBe(
      'ask unknown-program-asks',
    );
  });

  describe('prompt_on_warning: unless_reversible, the default', () => {
    const policy = policyOf({});
    const asked = (effects: readonly Effect[], more: Parameters<typeof questionOf>[0] = {}) =>
      ruled(policy, questionOf({ tool: BASH, level: 'warning', reversible: true, effects, ...more }));
    const resource = (name: string): Effect => ({ kind: 'resource', resource: name, access: 'write' });

    test('runs what a transaction contains and undo restores', () => {
      const effects: readonly Effect[] = [
        write('a'),
        { kind: 'read', path: 'b', scope: 'file' },
        { kind: 'delete', path: 'c', scope: 'file' },
        { kind: 'write-unknown' },
        { kind: 'repository-code' },
        resource('git:index'),
        resource('port:3000'),
      ];
      expect(asked(effects)).toBe('allow reversible-auto');
    });

    test.for<[string, Effect]>([
      ['the network', { kind: 'network' }],
      ['more rights', { kind: 'privilege', program: 'su' }],
      ['a thing outside the workspace', resource('database:shop')],
    ])('requires approval for access to %s', ([, effect]) => {
      expect(asked([write('a'), effect])).toBe('ask warning-asks');
    });

    test('requires approval when the command is no transaction, unconfined, or given the network like all', () => {
      expect(asked([write('a')], { reversible: false })).toBe('ask warning-asks');
      expect(ruled(policy, questionOf({ tool: BASH, level: 'warning', effects: [write('a')] }))).toBe(
        'ask warning-asks',
      );
      expect(asked([write('a')], { sandboxed: false })).toBe('ask unconfined-code-asks');
      const inProcess = { tool: { ...BASH, requiresSandbox: false }, sandboxed: false };
      expect(asked([write('a')], inProcess)).toBe('ask warning-asks');
      const online = policyOf({ sandbox: { network: { commands: 'all', hosts: ['example.com'] } } });
      const question = questionOf({ tool: BASH, level: 'warning', reversible: true, effects: [write('a')] });
      expect(ruled(online, question)).toBe('ask warning-asks');
      const always = policyOf({ approval: { prompt_on_warning: true } });
      expect(ruled(always, question)).toBe('ask warning-asks');
    });

    test('lifts no approval of a dangerous call, an unknown program, a list or a mode', () => {
      const question = (more: Parameters<typeof questionOf>[0]) =>
        questionOf({ tool: BASH, level: 'warning', reversible: true, effects: [write('a')], ...more });
      expect(ruled(policy, question({ level: 'dangerous' }))).toBe('ask dangerous-asks');
      const unknown = [{ kind: 'process', program: 'frobnicate' }] as const;
      expect(ruled(policy, question({ effects: unknown }))).toBe('ask unknown-program-asks');
      expect(ruled(policy, question({ mode: 'ALERT' }))).toBe('ask mode-asks');
      const listed = policyOf({ agents: { tool_execution: { require_approval_tools: ['write_file'] } } });
      expect(ruled(listed, question({ tool: toolOf({}) }))).toBe('ask writes-ask');
    });
  });

  test('deny_dangerous: true denies without an approval (X-04)', () => {
    const policy = policyOf({ approval: { deny_dangerous: true, approval_mode: 'allow_all' } });
    expect(ruled(policy, questionOf({ tool: BASH, level: 'dangerous' }))).toBe('deny dangerous-denied');
  });
});

describe('lists of tools (E5)', () => {
  const lists = (auto: readonly string[], asks: readonly string[] = []) =>
    policyOf({ agents: { tool_execution: { auto_approve_tools: auto, require_approval_tools: asks } } });

  test.for(['write_file', 'file.write', 'file_write'])(
    'auto_approve_tools with %s lifts the approval of a warning, for edit_file too',
    (name) => {
      const policy = lists([name]);
      expect(ruled(policy, questionOf({ effects: [write('a')] }))).toBe('allow listed-auto');
      const edit = toolOf({ name: 'edit_file', aliases: [] });
      expect(ruled(policy, questionOf({ tool: edit, effects: [write('a')] }))).toBe('allow listed-auto');
    },
  );

  test('edit_file is listed by its own name when a list has it', () => {
    const edit = toolOf({ name: 'edit_file', aliases: [] });
    expect(ruled(lists(['write_file'], ['edit_file']), questionOf({ tool: edit }))).toBe('ask writes-ask');
  });

  test('auto_approve_tools never lifts a dangerous call or an unknown program', () => {
    expect(ruled(lists(['bash']), questionOf({ tool: BASH, level: 'dangerous' }))).toBe('ask dangerous-asks');
    expect(
      ruled(
        lists(['bash']),
        questionOf({ tool: BASH, level: 'warning', effects: [{ kind: 'process', program: 'x' }] }),
      ),
    ).toBe('ask unknown-program-asks');
  });

  test('require_approval_tools covers even safe calls, and git.* means every git tool (S002-43)', () => {
    const status = toolOf({ name: 'git_status', aliases: ['git.status'], category: 'read_only' });
    expect(ruled(lists([], ['git.*']), questionOf({ tool: status }))).toBe('ask writes-ask');
    expect(ruled(lists([], []), questionOf({ tool: status }))).toBe('allow safe-auto');
  });
});

describe('a tool that always needs approval (D9, S004-20, S000-21, S004-32)', () => {
  const asking = toolOf({
    name: 'git_add',
    aliases: ['git.add'],
    policy: 'requires_approval',
    category: 'read_only',
  });

  test('needs it by its definition or by settings', () => {
    expect(ruled(policyOf(), questionOf({ tool: asking }))).toBe('ask tool-asks');
    const policy = policyOf({ tools: { bash: { policy: 'requires_approval' } } });
    expect(ruled(policy, questionOf({ tool: BASH, level: 'safe' }))).toBe('ask tool-asks');
    expect(ruled(policy, questionOf({ tool: BASH, level: 'warning' }))).toBe('ask tool-asks');
  });

  test('runs when your own list says so', () => {
    const policy = policyOf({ agents: { tool_execution: { auto_approve_tools: ['git.add'] } } });
    expect(ruled(policy, questionOf({ tool: asking }))).toBe('allow listed-auto');
  });
});

describe('trust (D5, S001-15)', () => {
  const open = policyOf({ approval: { approval_mode: 'allow_all' } });

  test.for<[CallContext['trust'], Level, string]>([
    ['untrusted', 'safe', 'allow allow-all'],
    ['untrusted', 'warning', 'ask untrusted-asks'],
    ['provisional', 'warning', 'allow allow-all'],
    ['trusted', 'dangerous', 'ask dangerous-asks'],
  ])('under allow_all %s with level %s: %s', ([trust, level, ruling]) => {
    expect(ruled(open, questionOf({ tool: BASH, level, context: { trust } }))).toBe(ruling);
  });

  test('a trusted provider’s warning runs when it stays inside, in the sandbox', () => {
    const trusted = { tool: BASH, level: 'warning', context: { trust: 'trusted' } } as const;
    const policy = policyOf();
    expect(ruled(policy, questionOf({ ...trusted, effects: [write('src/a.ts')] }))).toBe(
      'allow trusted-auto',
    );
    expect(ruled(policy, questionOf({ ...trusted, sandboxed: false }))).toBe('ask unconfined-code-asks');
    const inProcess = { ...trusted, tool: { ...BASH, requiresSandbox: false }, sandboxed: false };
    expect(ruled(policy, questionOf(inProcess))).toBe('ask warning-asks');
    for (const kind of ['network', 'write-unknown'] as const) {
      expect(ruled(policy, questionOf({ ...trusted, effects: [{ kind }] }))).toBe('ask warning-asks');
    }
    const listed = policyOf({ agents: { tool_execution: { require_approval_tools: ['write_file'] } } });
    expect(ruled(listed, questionOf({ effects: [write('a')], context: { trust: 'trusted' } }))).toBe(
      'ask writes-ask',
    );
  });

  test('a tool that its server redefined needs approval, under any list and approval mode (E8, S000-86)', () => {
    const changed = {
      ...toolOf({ name: 'mcp__a__b', aliases: [], category: 'read_only', kind: 'mcp' }),
      isChanged: true,
    };
    for (const policy of [
      open,
      policyOf(),
      policyOf({ agents: { tool_execution: { auto_approve_tools: ['mcp__a__b'] } } }),
    ]) {
      expect(ruled(policy, questionOf({ tool: changed, level: 'safe' }))).toBe('ask changed-tool-asks');
      expect(ruled(policy, questionOf({ tool: { ...changed, isChanged: false }, level: 'safe' }))).toMatch(
        /^allow/,
      );
    }
  });

  test('without a sandbox every program needs approval, in any approval mode and at any level (U1)', () => {
    const listing = { tool: BASH, level: 'safe', sandboxed: false } as const;
    for (const policy of [open, policyOf()])
      expect(ruled(policy, questionOf(listing))).toBe('ask unconfined-code-asks');
  });

  test('code of the workspace runs without approval only in the sandbox, and never for the untrusted', () => {
    const tests = { tool: BASH, level: 'safe', effects: [{ kind: 'repository-code' }] } as const;
    expect(ruled(open, questionOf(tests))).toBe('allow allow-all');
    expect(ruled(open, questionOf({ ...tests, sandboxed: false }))).toBe('ask unconfined-code-asks');
    const inProcess = { ...tests, tool: { ...BASH, requiresSandbox: false }, sandboxed: false };
    expect(ruled(open, questionOf(inProcess))).toBe('ask unconfined-code-asks');
    expect(ruled(open, questionOf({ ...tests, context: { trust: 'untrusted' } }))).toBe('ask untrusted-asks');
    expect(ruled(policyOf(), questionOf(tests))).toBe('allow safe-auto');
  });
});

test('when every line has the network a warning needs approval, even if reversible or trusted', () => {
  const policy = policyOf({ sandbox: { network: { commands: 'all', hosts: ['github.com'] } } });
  const trusted = { trust: 'trusted' } as const;
  const question = { tool: BASH, level: 'warning', effects: [write('a')], reversible: true } as const;
  expect(ruled(policy, questionOf(question))).toBe('ask warning-asks');
  expect(ruled(policy, questionOf({ ...question, context: trusted }))).toBe('ask warning-asks');
});

test('a verdict without reasons is still asked about or blocked', () => {
  const { verdict, ...rest } = questionOf({ tool: BASH, level: 'warning' });
  const without = (level: 'warning' | 'blocked') =>
    ruled(policyOf(), { ...rest, verdict: { ...verdict, level, reasons: [] } });
  expect([without('warning'), without('blocked')]).toEqual(['ask warning-asks', 'deny blocked-never']);
});
