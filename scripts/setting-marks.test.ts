import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtSettingsKeys } from '../packages/core/src/testing/settings-keys.ts';
import { settingMarksIn } from './setting-marks.ts';

/** Keys whose test is to come. */
const TO_COME: readonly string[] = [
  'shell_composition',
  'approval.approval_mode',
  'approval.auto_approve_safe',
  'approval.prompt_on_warning',
  'approval.deny_dangerous',
  'approval.reads.docker',
  'sandbox.allowed_paths',
  'sandbox.network.commands',
  'sandbox.network.hosts',
  'sandbox.network.agreed.remotes',
  'sandbox.container.engine',
  'sandbox.container.image',
  'sandbox.resource_limits.max_cpu_percent',
  'sandbox.resource_limits.timeout_ms',
  'sandbox.resource_limits.max_processes',
  'sandbox.resource_limits.max_file_mb',
  'sandbox.resource_limits.max_written_mb',
  'sandbox.resource_limits.max_written_files',
  'sandbox.resource_limits.max_open_files',
  'execution.history_max_mb',
  'monitoring.pubsub_topic',
  'agents.tool_execution.enabled',
  'agents.tool_execution.auto_approve_tools',
  'tools.retry.base_ms',
  'tools.retry.max_ms',
  'tools.retry.budget_secs',
  'tools.shell.max_reruns',
  'tools.shell.snapshot_required',
  'tools.authorization.enabled',
  'tools.authorization.rules',
  'tools.*.allowed_in_modes',
  'tools.*.requires_approval_in_modes',
  'tools.*.allowed_paths',
  'tools.*.command_allowlist',
  'tools.*.sandbox.network.commands',
  'tools.*.sandbox.network.hosts',
  'tools.*.sandbox.resource_limits.max_memory_mb',
  'tools.*.sandbox.resource_limits.max_cpu_percent',
  'tools.*.sandbox.resource_limits.timeout_ms',
  'tools.*.sandbox.resource_limits.max_processes',
  'tools.*.sandbox.resource_limits.max_file_mb',
  'tools.*.sandbox.resource_limits.max_written_mb',
  'tools.*.sandbox.resource_limits.max_written_files',
  'tools.*.sandbox.resource_limits.max_open_files',
  'providers.*.trust',
  'providers.*.timeouts.first_byte',
  'providers.*.timeouts.idle',
  'providers.*.timeouts.total',
  'providers.*.sandbox.network.hosts',
  'providers.*.sandbox.resource_limits.max_memory_mb',
  'providers.*.sandbox.resource_limits.max_cpu_percent',
  'providers.*.sandbox.resource_limits.timeout_ms',
  'providers.*.sandbox.resource_limits.max_processes',
  'providers.*.sandbox.resource_limits.max_file_mb',
  'providers.*.sandbox.resource_limits.max_written_files',
  'providers.*.sandbox.resource_limits.max_open_files',
  'providers.*.sandbox.labels',
  'policy.mode',
  'mcp_servers.*.enabled',
  'mcp_servers.*.command',
  'mcp_servers.*.args',
  'mcp_servers.*.env',
  'mcp_servers.*.env_from',
  'mcp_servers.*.cwd',
  'mcp_servers.*.sandbox',
  'mcp_servers.*.workspace',
  'mcp_servers.*.network',
  'mcp_servers.*.max_memory_mb',
  'mcp_servers.*.max_processes',
  'mcp_servers.*.url',
  'mcp_servers.*.headers',
  'mcp_servers.*.headers_from',
  'mcp_servers.*.token_from',
  'mcp_servers.*.timeout',
  'mcp_servers.*.start_timeout',
  'mcp_servers.*.category',
  'mcp_servers.*.risk',
  'mcp_servers.*.policy',
  'mcp_servers.*.reads',
  'mcp_servers.*.writes',
  'mcp_servers.*.trust_annotations',
  'mcp_servers.*.tools',
  'mcp.max_error_chars',
];
/** Keys whose effect no test from outside can show, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

const marks = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\/src\/.*\.test\.ts$/.test(path) && !path.includes('node_modules'))
    .flatMap((path) => settingMarksIn({ path, text: readFileSync(path, 'utf8') })),
);
const keys = builtSettingsKeys();

test('every settings key that is built names a test from outside, or why there is none', () => {
  const held = new Set([...marks.map(({ key }) => key), ...TO_COME, ...Object.keys(EXCEPTIONS)]);
  expect(keys.filter((key) => !held.has(key))).toEqual([]);
});

test('every mark names a key that is built, and only what has no test is an exception', () => {
  expect(marks.filter(({ key }) => !keys.includes(key))).toEqual([]);
  const stale = [...TO_COME, ...Object.keys(EXCEPTIONS)].filter(
    (key) => !keys.includes(key) || marks.some((mark) => mark.key === key),
  );
  expect(stale).toEqual([]);
});

test('a test that holds a settings key runs always, and from outside', () => {
  const weak = marks.filter(
    ({ file, mayBeSkipped }) => mayBeSkipped || !file.endsWith('.integration.test.ts'),
  );
  expect(weak).toEqual([]);
});

test('marks are found in titles of tests and suites, and nowhere else', () => {
  const text = `
    // (setting: a)
    describe.skipIf(isSlow)('a suite (setting: b.c, d)', () => {
      test.for([['(setting: e)']])('a table: %s (S000-1) (setting: f)', () => expect('(setting: g)').toBe(1));
    });
    test.for([{ key: 'j', key2: 'k' }, { key: 'l, m' }])('each row (setting: $key)', () => {});
    test(\`\${one} more (setting: h)\`, () => {});
    it.todo('later (setting: i)');
  `;
  const found = settingMarksIn({ path: 'a.test.ts', text });
  expect(found.map(({ key, mayBeSkipped }) => [key, mayBeSkipped])).toEqual([
    ['b.c', true],
    ['d', true],
    ['f', true],
    ['j', false],
    ['l', false],
    ['m', false],
    ['h', false],
    ['i', true],
  ]);
});
