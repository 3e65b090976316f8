import {
  ALL_MODES,
  type Mode,
  mergeLayers,
  type Ruling,
  type Settings,
  type SettingsLayer,
} from '@signalbox/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { classifyLine } from '../shell/classify-line.ts';
import { createPolicy, type Policy } from './create-policy.ts';
import {
  BASH,
  PATH_CONTEXT,
  questionOf,
  read,
  READ_FILE,
  toolOf,
  write,
} from './testing/question-builders.ts';

type Kind = SettingsLayer['kind'];

const EDIT_FILE = toolOf({ name: 'edit_file', aliases: ['file.edit'] });
const TOOLS = ['bash', 'write_file', 'edit_file', 'read_file'];
const PATHS = ['src', 'src/**', 'docs', '**', '.', '*.md', 'src/a.ts'];
const LINES = [
  'ls src',
  'npm test',
  'npm publish',
  'npm $X',
  'shopgen src',
  'rm -rf build',
  'cat src/a.ts | head',
  'curl https://example.com',
];

const some = <Value>(values: readonly Value[]): fc.Arbitrary<Value[]> => fc.subarray([...values]);
const modes = some(ALL_MODES);

const matcher = fc.constantFrom(
  { program: 'npm', args: ['publish'] },
  { program: 'shopgen', args: ['**'] },
  { program: 'rm' },
  { line: 'npm test' },
  { path: 'src/**' },
);
const rules = fc
  .array(fc.tuple(fc.constantFrom('allow', 'ask', 'deny'), matcher, fc.constantFrom(1, 2)), { maxLength: 4 })
  .map((all) =>
    all.map(([ruling, match, approvers], at) => ({
      id: `rule-${at}`,
      [ruling]: match,
      ...(ruling === 'ask' ? { approvers } : {}),
    })),
  );

const TOOL_KEYS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  category: fc.constantFrom('read_only', 'system_write', 'execute', 'network'),
  policy: fc.constantFrom('auto', 'requires_approval'),
  allowed_in_modes: modes,
  requires_approval_in_modes: modes,
  forbidden_in_modes: modes,
  allowed_paths: some(PATHS),
  forbidden_paths: some(PATHS),
  max_file_size_mb: fc.constantFrom(1, 5, 20),
  rate_limit_per_hour: fc.constantFrom(1, 10),
  command_allowlist: some(['shopgen', 'npm']),
};

/** Key to value; `*` is any tool. */
const KEYS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  shell_composition: fc.constantFrom('classify', 'reject'),
  'approval.approval_mode': fc.constantFrom('allow_all', 'auto', 'prompt', 'deny_all'),
  'approval.auto_approve_safe': fc.boolean(),
  'approval.prompt_on_warning': fc.constantFrom(true, false, 'unless_reversible'),
  'approval.file_writes': fc.constantFrom('never', 'when_reversible', 'ask'),
  'approval.deny_dangerous': fc.boolean(),
  'agents.tool_execution.enabled': fc.boolean(),
  'agents.tool_execution.auto_approve_tools': some(TOOLS),
  'agents.tool_execution.require_approval_tools': some(TOOLS),
  'sandbox.allowed_paths': some(PATHS),
  'policy.mode': fc.constantFrom('enforce', 'shadow'),
  'providers.openai.rate_limit_per_hour': fc.constantFrom(1, 10),
  'tools.max_tool_calls_per_session': fc.constantFrom(0, 5),
  'tools.file.deny_read': some(PATHS),
  'tools.file.allow_read': some(PATHS),
  rules,
  'tools.authorization': rules.map((list) => ({ enabled: true, rules: list })),
  ...Object.fromEntries(Object.entries(TOOL_KEYS).map(([key, value]) => [`tools.*.${key}`, value])),
};

type Files = Readonly<Record<'user' | 'shared' | 'local', object>>;

/** Three files that set the same few keys, each in its own way. */
const files: fc.Arbitrary<Files> = fc
  .array(fc.tuple(fc.constantFrom(...Object.keys(KEYS)), fc.constantFrom(...TOOLS)), {
    minLength: 1,
    maxLength: 3,
  })
  .chain((keys) => {
    const file = fc
      .record(
        Object.fromEntries(
          keys.map(([key, tool]) => [key.replace('*', tool), KEYS[key] ?? fc.constant(null)]),
        ),
        {
          requiredKeys: [],
        },
      )
      .map(nested);
    return fc.record({ user: file, shared: file, local: file });
  });

/** `{ 'a.b': 1 }` → `{ a: { b: 1 } }`. */
function nested(flat: Readonly<Record<string, unknown>>): object {
  const file: Record<string, never> = {};
  for (const [key, value] of Object.entries(flat)) {
    const path = key.split('.');
    const last = path.pop() ?? '';
    const section = path.reduce<Record<string, never>>((at, part) => (at[part] ??= {} as never), file);
    section[last] = value as never;
  }
  return file;
}

const question = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...LINES).map((line) => ({
        tool: BASH,
        line,
        verdict: classifyLine(line, { cwd: PATH_CONTEXT.workspace, ...PATH_CONTEXT }),
      })),
      fc
        .tuple(fc.constantFrom(toolOf(), EDIT_FILE), fc.constantFrom('src/a.ts', 'docs/a.md', 'b'))
        .map(([tool, path]) => ({ tool, effects: [write(path)] })),
      fc.constantFrom('src/a.ts', 'docs/a.md').map((path) => ({ tool: READ_FILE, effects: [read(path)] })),
    ),
    fc.constantFrom<Mode>(...ALL_MODES),
    fc.constantFrom('untrusted', 'provisional', 'trusted'),
    fc.constantFrom(0, 6_000_000, 12_000_000),
    fc.boolean(),
  )
  .map(([call, mode, trust, contentBytes, sandboxed]) =>
    questionOf({ ...call, mode, context: { trust }, contentBytes, sandboxed }),
  );

function merged(layers: readonly SettingsLayer[]): Settings {
  const all = mergeLayers(layers);
  if (all.kind === 'invalid') throw new Error(JSON.stringify(all.problems));
  return all.settings;
}

function layer(kind: Kind, value: object): SettingsLayer {
  return { kind, source: `${kind}.yaml`, value };
}

function strictness(ruling: Ruling): number {
  return ruling.kind === 'allow' ? 0 : ruling.kind === 'ask' ? ruling.approvers : 3;
}

test('a shared file only makes your own settings stricter, whatever it says', () => {
  fc.assert(
    fc.property(files, question, ({ user, shared, local }, asked) => {
      const own = [layer('user', user), layer('local', local)];
      const before = createPolicy(merged(own), PATH_CONTEXT);
      const after = createPolicy(merged([...own, layer('workspace', shared)]), PATH_CONTEXT);
      expect(strictness(after.rule(asked))).toBeGreaterThanOrEqual(strictness(before.rule(asked)));
      expect(hiddenBy(after)).toEqual(expect.arrayContaining(hiddenBy(before)));
      for (const { key, limit } of before.limits(asked)) {
        const now = after.limits(asked).find((other) => other.key === key)?.limit ?? Infinity;
        expect(now).toBeLessThanOrEqual(limit);
      }
    }),
    { numRuns: 1000 },
  );
});

function hiddenBy(policy: Policy): string[] {
  return ['src/a.ts', 'docs/a.md', 'b'].filter((path) => policy.isDenied(path, 'read'));
}

test('a deny of any layer wins, whatever all the others say', () => {
  const kind = fc.constantFrom<Kind | 'session'>('user', 'workspace', 'local', 'session');
  fc.assert(
    fc.property(files, kind, question, ({ user, local }, denies, asked) => {
      const never = { rules: [{ id: 'never', deny: { tool: asked.tool.name } }] };
      const own = [layer('user', user), layer('local', local)];
      const denial = merged([layer(denies === 'session' ? 'local' : denies, never)]).rules;
      const all = { ...merged(own), policy: { mode: 'enforce' as const } };
      const policy =
        denies === 'session'
          ? createPolicy(all, PATH_CONTEXT).with(denial)
          : createPolicy({ ...all, rules: [...all.rules, ...denial] }, PATH_CONTEXT);
      expect(policy.rule(asked).kind).toBe('deny');
    }),
  );
});
