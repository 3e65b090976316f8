import { describe, expect, test } from 'vitest';
import { mergeLayers } from './merge-layers.ts';
import type { SettingsLayer } from './settings-layer.ts';

type Values = Partial<Record<SettingsLayer['kind'], unknown>>;

function merge(values: Values, options: { withoutSandbox?: boolean } = {}) {
  const layers = (['user', 'workspace', 'local'] as const)
    .filter((kind) => values[kind] !== undefined)
    .map((kind) => ({ kind, source: `${kind}.yaml`, value: values[kind] }));
  return mergeLayers(layers, options);
}

function settingsOf(values: Values, options: { withoutSandbox?: boolean } = {}) {
  const merged = merge(values, options);
  if (merged.kind === 'invalid') throw new Error(JSON.stringify(merged.problems));
  return merged;
}

test('a later file wins in matters of preference: local over workspace over user', () => {
  const { settings, notes } = settingsOf({
    user: { tests: 'a', lint: 'a', execution: { max_queue_size: 1, max_wait: '1m' } },
    workspace: { tests: 'b', lint: 'b', execution: { max_queue_size: 2 } },
    local: { lint: 'c' },
  });
  expect(settings).toMatchObject({
    tests: 'b',
    lint: 'c',
    execution: { max_queue_size: 2, max_wait: 60_000 },
  });
  expect(notes).toEqual([]);
});

describe('a shared file only tightens', () => {
  test.for<[string, unknown, unknown, unknown]>([
    ['approval.approval_mode', undefined, 'allow_all', 'auto'],
    ['approval.approval_mode', undefined, 'prompt', 'prompt'],
    ['approval.approval_mode', 'allow_all', 'auto', 'auto'],
    ['approval.approval_mode', 'deny_all', 'prompt', 'deny_all'],
    ['approval.auto_approve_safe', false, true, false],
    ['approval.prompt_on_warning', undefined, false, 'unless_reversible'],
    ['tools.shell.transactional', undefined, false, true],
    ['tools.shell.on_conflict', 'conflict', 'rerun', 'conflict'],
    ['approval.deny_dangerous', true, false, true],
    ['mode', 'ALERT', 'NORMAL', 'ALERT'],
    ['mode', undefined, 'LOCKDOWN', 'LOCKDOWN'],
    ['shell_composition', 'reject', 'classify', 'reject'],
    ['budget', 2, 100, 2],
    ['budget', 2, 1, 1],
    ['budget', undefined, 100, 100],
    ['agents.tool_execution.enabled', false, true, false],
    ['agents.tool_execution.auto_approve_tools', undefined, ['read_file', 'bash'], ['read_file']],
    ['agents.tool_execution.auto_approve_tools', ['git.*'], ['git.add', 'bash'], ['git_add']],
    ['agents.tool_execution.require_approval_tools', ['write_file'], ['bash'], ['write_file', 'bash']],
    ['agents.tool_execution.require_approval_tools', undefined, ['git.*'], ['git_*']],
    ['approval.file_writes', 'ask', 'never', 'ask'],
    ['approval.file_writes', undefined, 'never', 'when_reversible'],
    ['approval.file_writes', 'never', 'ask', 'ask'],
    ['sandbox.allowed_paths', undefined, ['lib', 'test'], ['lib', 'test']],
    ['sandbox.allowed_paths', ['lib'], ['.'], ['lib']],
    ['sandbox.allowed_paths', ['lib', 'test'], ['lib/a', 'docs', 'lib-evil'], ['lib/a']],
    ['sandbox.env_vars', { A: '1' }, { CC: './bin/cc' }, { A: '1' }],
    ['sandbox.container', null, { engine: ['./bin/docker'], image: 'theirs' }, null],
    ['sandbox.resource_limits.max_memory_mb', 256, 4096, 256],
    ['sandbox.resource_limits.max_memory_mb', undefined, 4096, null],
    ['sandbox.resource_limits.max_processes', undefined, 100_000, 256],
    ['agents.tool_execution.max_iterations', undefined, 9999, 100],
    ['sandbox.network.commands', undefined, 'all', 'approved'],
    ['sandbox.network.services', undefined, ['127.0.0.1:5432'], []],
    ['sandbox.network.commands', 'all', 'approved', 'approved'],
    ['sandbox.network.through', undefined, 'machine', 'gate'],
    // A grant is bound to what the user named, whatever a repository lists.
    ['sandbox.network.hosts', undefined, ['evil.example'], null],
    ['sandbox.network.hosts', ['*.a.example'], ['x.a.example', 'evil.example'], ['x.a.example']],
    ['sandbox.readable_home', undefined, ['~/.aws'], []],
    ['providers.openai.sandbox.network.hosts', undefined, ['evil.example'], undefined],
    ['providers.openai.sandbox.network.commands', 'none', 'all', 'none'],
    ['providers.openai.sandbox.deny_read', ['a'], ['b'], ['a', 'b']],
    ['providers.openai.sandbox.resource_limits.max_memory_mb', 64, 4096, 64],
    ['providers.openai.sandbox.resource_limits.max_memory_mb', undefined, 4096, undefined],
    ['providers.openai.sandbox.resource_limits.max_memory_mb', undefined, 100, 100],
    ['tools.max_tool_calls_per_session', 100, null, 100],
    ['tools.file.deny_read', ['a'], ['b'], ['a', 'b']],
    ['tools.file.allow_read', ['src'], ['src/a', 'etc'], ['src/a']],
    // An empty list means everything (S001-32).
    ['tools.file.allow_read', ['src'], [], ['src']],
    ['tools.file.allow_read', ['src'], ['docs'], ['/dev/null']],
    ['tools.file.allow_read', [], ['docs'], ['docs']],
    ['sandbox.allowed_paths', ['src'], ['docs'], []],
    ['providers.openai.trust', undefined, 'trusted', 'provisional'],
    ['providers.openai.trust', 'trusted', 'untrusted', 'untrusted'],
    ['providers.openai.trust', 'trusted', undefined, 'trusted'],
    ['providers.openai.tools', ['read_file'], ['read_file', 'bash'], ['read_file']],
  ])('%s: yours %j, shared %j → %j', ([key, own, shared, expected]) => {
    const path = key.split('.');
    for (const kind of ['user', 'local'] as const) {
      const { settings } = settingsOf({ [kind]: at(path, own), workspace: at(path, shared) });
      expect(get(settings, path)).toEqual(expected);
    }
  });

  test.for<[string, unknown, unknown, unknown]>([
    ['policy', 'requires_approval', 'auto', 'requires_approval'],
    ['category', 'network', 'internal', 'network'],
    ['category', undefined, 'network', 'network'],
    ['allowed_in_modes', ['NORMAL'], ['NORMAL', 'ALERT'], ['NORMAL']],
    ['forbidden_in_modes', ['ALERT'], [], ['ALERT']],
    ['forbidden_paths', ['a'], ['b'], ['a', 'b']],
    ['allowed_paths', ['src'], ['.'], ['src']],
    ['max_file_size_mb', 1, 50, 1],
    ['max_file_size_mb', undefined, 50, 10],
    ['rate_limit_per_hour', 5, null, 5],
    ['command_allowlist', ['jq'], ['jq', 'evil'], ['jq']],
    ['timeout', '10s', '1h', 10_000],
    ['timeout', undefined, '1h', undefined],
  ])('tools.write_file.%s: yours %j, shared %j → %j', ([key, own, shared, expected]) => {
    // Your tool under its other name: the same tool.
    const { settings } = settingsOf({
      local: { tools: { 'file.write': own === undefined ? {} : { [key]: own } } },
      workspace: { tools: { write_file: { [key]: shared } } },
    });
    expect(settings.tools.policies['write_file']?.[key as 'policy']).toEqual(expected);
  });

  test('and a note says what has no effect, and where it would have', () => {
    const { notes } = settingsOf({ workspace: { approval: { approval_mode: 'allow_all' } } });
    expect(notes).toEqual([
      {
        source: 'workspace.yaml',
        path: ['approval', 'approval_mode'],
        message:
          'approval.approval_mode: "allow_all" has only partial effect: a shared file can only tighten settings; put it into your own file',
      },
    ]);
  });

  test('and frees no tool from what you set for the tool that it inherits from', () => {
    const policyOf = (own: object, shared: object) =>
      settingsOf({ user: { tools: own }, workspace: { tools: shared } }).settings.tools.policies['edit_file'];
    const mine = { write_file: { forbidden_paths: ['a'] } };
    expect(policyOf(mine, { edit_file: { forbidden_paths: ['b'] } })?.forbidden_paths).toEqual(['a', 'b']);
    expect(policyOf(mine, {})).toBeUndefined();
    expect(policyOf({ ...mine, edit_file: {} }, { edit_file: {} })?.forbidden_paths).toEqual([]);
  });

  test('and requires approval for a tool that you let run', () => {
    const { settings } = settingsOf({
      local: { agents: { tool_execution: { auto_approve_tools: ['write_file', 'git_add'] } } },
      workspace: { agents: { tool_execution: { require_approval_tools: ['file.write', 'git.*'] } } },
    });
    expect(settings.agents.tool_execution.auto_approve_tools).toEqual([]);
  });

  test('and opens no mode that you closed, such as a mode that requires approval (X-33)', () => {
    const { settings } = settingsOf({
      user: { tools: { bash: { allowed_in_modes: ['NORMAL'] } } },
      workspace: { tools: { bash: { requires_approval_in_modes: ['NORMAL', 'LOCKDOWN'] } } },
    });
    expect(settings.tools.policies['bash']?.requires_approval_in_modes).toEqual(['NORMAL']);
  });
});

test('your own files may loosen the defaults', () => {
  const { settings, notes } = settingsOf({
    local: {
      approval: { approval_mode: 'allow_all', prompt_on_warning: false },
      agents: { tool_execution: { auto_approve_tools: ['bash'], require_approval_tools: [] } },
      providers: { openai: { trust: 'trusted' } },
    },
  });
  expect(settings).toMatchObject({
    approval: { approval_mode: 'allow_all', prompt_on_warning: false },
    agents: { tool_execution: { auto_approve_tools: ['bash'], require_approval_tools: [] } },
    providers: { openai: { trust: 'trusted' } },
  });
  expect(notes).toEqual([]);
});

describe('the sandbox', () => {
  test.for(['user', 'workspace', 'local'] as const)('is not disabled by the %s file', (kind) => {
    const { settings, notes } = settingsOf({ [kind]: { sandbox: { enabled: false } } });
    expect(settings.sandbox.enabled).toBe(true);
    expect(notes).toEqual([
      {
        path: ['sandbox', 'enabled'],
        message: 'no settings file can turn off the sandbox; only a flag on the command line can',
      },
    ]);
  });

  test("is disabled by the operator's flag", () => {
    expect(settingsOf({}, { withoutSandbox: true }).settings.sandbox.enabled).toBe(false);
  });
});

describe('sessions and keys go only where you or a preset send them', () => {
  test('an address from a shared file, for a known or a new provider, is unconfirmed', () => {
    const acme = {
      api: 'openai-chat',
      base_url: 'https://acme.example',
      model: 'm',
      api_key_env: 'AWS_SECRET_ACCESS_KEY',
    };
    const { settings, notes } = settingsOf({
      workspace: { providers: { openai: { base_url: 'https://evil.example/v1' }, acme } },
    });
    expect(settings.providers).toMatchObject({
      openai: { unconfirmed_in: 'workspace.yaml', api_key_env: null },
      acme: { unconfirmed_in: 'workspace.yaml', api_key_env: null },
      anthropic: { unconfirmed_in: null },
    });
    expect(notes.map(({ message }) => message)).toEqual([
      'provider "openai" is not used: workspace.yaml sends it to "https://evil.example/v1", and that is not confirmed here',
      'provider "acme" is not used: workspace.yaml sends it to "https://acme.example", and that is not confirmed here',
    ]);
  });

  test('and a variable that only a shared file names is not read', () => {
    const { settings } = settingsOf({
      workspace: { providers: { openai: { api_key_env: 'GITHUB_TOKEN' } } },
    });
    expect(settings.providers['openai']).toMatchObject({
      api_key_env: 'OPENAI_API_KEY',
      unconfirmed_in: null,
    });
  });

  test('but a shared file that repeats the preset changes nothing', () => {
    const openai = { base_url: 'https://api.openai.com/v1', api_key_env: 'OPENAI_API_KEY', model: 'm' };
    const { settings, notes } = settingsOf({ workspace: { providers: { openai } } });
    expect(settings.providers['openai']).toMatchObject(openai);
    expect(notes).toEqual([]);
  });

  test.for(['user', 'local'] as const)('and your %s file has precedence', (kind) => {
    const mine = { base_url: 'https://gateway.example/v1', api_key_env: 'GATEWAY_KEY' };
    const { settings } = settingsOf({
      [kind]: { providers: { openai: mine } },
      workspace: {
        providers: { openai: { base_url: 'https://evil.example', api_key_env: 'GITHUB_TOKEN', model: 'm' } },
      },
    });
    expect(settings.providers['openai']).toMatchObject({ ...mine, model: 'm', unconfirmed_in: null });
  });
});

test('problems name their file, and a provider may be spread over several files', () => {
  expect(merge({ user: { mode: 'X' }, workspace: { aproval: {} } })).toMatchObject({
    kind: 'invalid',
    problems: [
      { source: 'user.yaml', path: ['mode'] },
      { source: 'workspace.yaml', path: ['aproval'] },
    ],
  });
  const spread = merge({
    workspace: { providers: { acme: { api: 'openai-chat', model: 'm' } } },
    local: { providers: { acme: { base_url: 'https://acme.example', api_key_env: 'ACME_KEY' } } },
  });
  expect(spread).toMatchObject({
    kind: 'ok',
    settings: { providers: { acme: { api_key_env: 'ACME_KEY' } } },
  });
  expect(merge({ workspace: { providers: { acme: { model: 'm' } } } }).kind).toBe('invalid');
});

function at(path: readonly string[], value: unknown): unknown {
  if (value === undefined) return {};
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function get(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((here, key) => (here as Record<string, unknown>)[key], value);
}
