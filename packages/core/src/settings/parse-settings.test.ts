import { describe, expect, test } from 'vitest';
import { clampSettings } from './layers/clamp-settings.ts';
import { parseSettings } from './parse-settings.ts';
import { settingsJsonSchema } from './settings-json-schema.ts';

function settingsOf(value: unknown) {
  const parsed = parseSettings(value);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

function problemsOf(value: unknown) {
  const parsed = parseSettings(value);
  return parsed.kind === 'invalid' ? parsed.problems : [];
}

function notesOf(value: unknown) {
  const parsed = parseSettings(value);
  return parsed.kind === 'ok' ? parsed.notes : [];
}

test('the policy of a tool has its specified keys, in any spelling of its name (S000-44, S000-45, X-23)', () => {
  const { tools } = settingsOf({
    tools: {
      'file.write': {
        category: 'system_write',
        allowed_in_modes: ['NORMAL'],
        requires_approval_in_modes: ['ALERT', 'DEGRADED', 'RECOVERY'],
        forbidden_in_modes: ['LOCKDOWN'],
        allowed_paths: ['$HOME/Dev/personal_agent/**', '$HOME/Documents/agent_workspace/**'],
        forbidden_paths: ['/System/**', '/Library/**', '$HOME/.ssh/**'],
      },
    },
  });
  expect(tools.policies).toEqual({
    write_file: {
      category: 'system_write',
      allowed_in_modes: ['NORMAL'],
      requires_approval_in_modes: ['ALERT', 'DEGRADED', 'RECOVERY'],
      forbidden_in_modes: ['LOCKDOWN'],
      allowed_paths: ['$HOME/Dev/personal_agent/**', '$HOME/Documents/agent_workspace/**'],
      forbidden_paths: ['/System/**', '/Library/**', '$HOME/.ssh/**'],
      rate_limit_per_hour: null,
      command_allowlist_only: false,
    },
  });
});

test('a provider takes from its preset what the file leaves out', () => {
  const { providers } = settingsOf({ providers: { openai: { model: 'm', temperature: 1 }, deepseek: null } });
  expect(providers['openai']).toMatchObject({
    configured: true,
    model: 'm',
    temperature: 1,
    base_url: 'https://api.openai.com/v1',
  });
  expect(providers['deepseek']?.configured).toBe(true);
  expect(providers['anthropic']?.configured).toBe(false);
});

test.for([
  [250, 250],
  ['250ms', 250],
  ['30s', 30_000],
  ['5m', 300_000],
  ['1h', 3_600_000],
  ['7d', 604_800_000],
] as const)('a length of time may be written %j', ([written, ms]) => {
  expect(settingsOf({ approval: { expiry: written } }).approval.expiry).toBe(ms);
});

describe('a file is refused', () => {
  test.for([
    [
      { approval: { prompt_on_warnings: true } },
      'approval.prompt_on_warnings',
      'unknown key "prompt_on_warnings"',
      'prompt_on_warning',
    ],
    [{ aproval: {} }, 'aproval', 'unknown key "aproval"', 'approval'],
    [{ sandbox_enabled: false }, 'sandbox_enabled', 'unknown key "sandbox_enabled"', 'sandbox.enabled'],
    [
      { agent: { max_tool_retries: 1 } },
      'agent.max_tool_retries',
      'unknown key "max_tool_retries"',
      'tools.retry.max_attempts',
    ],
    [
      { tools: { result_cach: { enabled: true } } },
      'tools.result_cach.enabled',
      'unknown key "enabled"',
      'tools.result_cache',
    ],
    [{ providers: { openai: { modle: 'x' } } }, 'providers.openai.modle', 'unknown key "modle"', 'model'],
    [
      { providers: { openai: { prices: { input_per_million: 1, output_per_million: 1, inptu: 1 } } } },
      'providers.openai.prices.inptu',
      'unknown key "inptu"',
      undefined,
    ],
    [
      { approval: { approval_mode: 'promt' } },
      'approval.approval_mode',
      'must be one of allow_all, auto, prompt, deny_all, not "promt"',
      'prompt',
    ],
    [
      { mode: 'normal' },
      'mode',
      'must be one of NORMAL, ALERT, DEGRADED, LOCKDOWN, RECOVERY, not "normal"',
      'NORMAL',
    ],
    [
      { execution: { max_queue_size: 0 } },
      'execution.max_queue_size',
      'must be at least 1, not 0',
      undefined,
    ],
    [{ sandbox: { enabled: 'yes' } }, 'sandbox.enabled', 'must be true or false, not "yes"', undefined],
    [
      { approval: { expiry: '5 minutes' } },
      'approval.expiry',
      'must be a length of time such as 30s, 5m or 1h, or a number of milliseconds',
      undefined,
    ],
    [
      { providers: { openai: { api_key_env: 'sk-1234' } } },
      'providers.openai.api_key_env',
      'must be the name of an environment variable, not a key',
      undefined,
    ],
    [
      { providers: { acme: { api: 'openai-chat', model: 'm' } } },
      'providers.acme.base_url',
      '"base_url" is missing: no preset has this provider',
      undefined,
    ],
    [
      { providers: { openai: { base_url: 'file:///etc' } } },
      'providers.openai.base_url',
      'must be a URL with http or https',
      undefined,
    ],
    [
      { tools: { write_file: {}, 'file.write': {} } },
      'tools.file.write',
      '"file.write" names "write_file", which already has a policy',
      undefined,
    ],
    [
      { sandbox: { allowed_paths: ['!src'] } },
      'sandbox.allowed_paths[0]',
      'must be a path or a glob; "!" has no meaning here, list what is denied under the deny key',
      undefined,
    ],
    [
      { tools: { tafc: { complexity_threshold: 'high' } } },
      'tools.tafc.complexity_threshold',
      'must be a number, not "high"',
      undefined,
    ],
    [[], '', 'must be a section of keys, not []', undefined],
  ] as const)('for %j', ([value, path, message, didYouMean]) => {
    const [problem, ...more] = problemsOf(value);
    expect(more).toEqual([]);
    expect(problem && { ...problem, path: pathText(problem.path) }).toEqual({
      path,
      message,
      ...(didYouMean === undefined ? {} : { didYouMean }),
    });
  });

  test('with one problem for each mistake, each at its position', () => {
    expect(
      problemsOf({ mode: 1, aproval: {}, approval: { a: 1, b: 2 } }).map(({ path }) => pathText(path)),
    ).toEqual(['mode', 'approval.a', 'approval.b', 'aproval']);
  });

  test('when it has keys that would change every object', () => {
    expect(
      problemsOf(JSON.parse('{"__proto__":{"polluted":true},"approval":{"__proto__":{"polluted":true}}}')),
    ).not.toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('numbers of optional features', () => {
  test.for([
    [1.5, 1],
    [-3, 0],
    [Number.NaN, 0.6],
    [Number.POSITIVE_INFINITY, 0.6],
    [0.3, 0.3],
  ] as const)('are clamped, or reset when they are not numbers: %d (U3, S001-70)', ([written, used]) => {
    const { value } = clampSettings({ tools: { tafc: { complexity_threshold: written } } });
    expect(value).toEqual({ tools: { tafc: { complexity_threshold: used } } });
  });

  test('leave a note when they were changed', () => {
    expect(clampSettings({ tools: { tafc: { complexity_threshold: 1.5 } } }).notes).toEqual([
      { path: ['tools', 'tafc', 'complexity_threshold'], message: '1.5 is not between 0 and 1: 1 is used' },
    ]);
    expect(notesOf({ tools: { tafc: { complexity_threshold: Number.NaN } } })).toHaveLength(1);
  });
});

test('only a rule that asks may set a number of approvers, one or two', () => {
  const ask = { program: 'npm', args: ['publish'] };
  const rules = settingsOf({
    rules: [
      { id: 'two', ask, approvers: 2 },
      { id: 'one', ask },
    ],
  }).rules;
  expect(rules.map(({ approvers }) => approvers)).toEqual([2, 1]);
  expect(problemsOf({ rules: [{ id: 'a', deny: ask, approvers: 2 }] })).toEqual([
    {
      path: ['rules', 0, 'approvers'],
      message: 'has a meaning only with ask: no other rule requires approval',
    },
  ]);
  for (const approvers of [0, 3, 1.5])
    expect(problemsOf({ rules: [{ id: 'a', ask, approvers }] })).toHaveLength(1);
});

test('the folder of shell lines is below the workspace', () => {
  for (const working_dir of ['/etc', '../web', 'web/../..'])
    expect(problemsOf({ sandbox: { working_dir } })).toEqual([
      { path: ['sandbox', 'working_dir'], message: 'must be a folder below the workspace' },
    ]);
  expect(parseSettings({ sandbox: { working_dir: 'packages/web' } }).kind).toBe('ok');
});

test('a budget leaves a note on every provider without known prices', () => {
  const prices = { input_per_million: 1, output_per_million: 2 };
  expect(notesOf({ budget: 2, providers: { openai: {}, anthropic: { prices } } })).toEqual([
    { path: ['providers', 'openai'], message: 'the budget does not cover "openai": it has no prices' },
  ]);
});

test('the JSON Schema names every section and refuses other keys', () => {
  const schema = settingsJsonSchema();
  expect(Object.keys(schema['properties'] as object).join(' ')).toBe(
    'mode backend tests lint budget shell_composition isolation files approval sandbox execution monitoring agents agent tools filters providers policy rules coordinator mcp_servers mcp',
  );
  expect(schema).toMatchObject({ type: 'object', additionalProperties: false, title: 'signalbox.yaml' });
  expect(schema).not.toHaveProperty('required');
});

function pathText(path: readonly (string | number)[]): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('');
}
