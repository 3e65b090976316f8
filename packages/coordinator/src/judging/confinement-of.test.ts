import { type Effect, parseSettings, type ProviderId, type Settings, type ToolName } from '@signalbox/core';
import { expect, test } from 'vitest';
import { type Confinement, confinementOf } from './confinement-of.ts';

const BASH = { name: 'bash' as ToolName, aliases: [], shellLine: () => ({ line: 'x' }) };
const READ = { name: 'read_file' as ToolName, aliases: [] };

function settingsOf(written: Record<string, unknown>): Settings {
  const parsed = parseSettings(written);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

function confine(
  written: Record<string, unknown>,
  effects: readonly Effect[] = [],
  {
    tool = BASH,
    line = 'x',
  }: Readonly<{ tool?: Parameters<typeof confinementOf>[1]['tool']; line?: string }> = {},
): Confinement {
  const settings = settingsOf(written);
  return confinementOf(settings, {
    agreed: settings.sandbox.network.agreed,
    tool,
    provider: 'openai' as ProviderId,
    line,
    verdict: { level: 'warning', reasons: [], effects, runsRepositoryCode: false, composed: false },
    trust: 'provisional',
    timeoutMs: { call: undefined, tool: 60_000 },
  });
}

const to = (host: string): Effect => ({ kind: 'network', host });
const network = (...given: Parameters<typeof confine>): Confinement['network'] => confine(...given).network;

test('a command has no network unless its call declares it (K3)', () => {
  expect(network({})).toBe('off');
  expect(network({}, [{ kind: 'repository-code' }])).toBe('off');
});

test('a call that was allowed reaches the hosts it named and nothing else', () => {
  expect(network({}, [to('github.com'), to('Github.com'), to('localhost')])).toEqual({
    hosts: ['github.com:*', 'localhost:*'],
  });
});

test('a shell line reaches the listed services, unless a profile leaves them out (S003-92)', () => {
  const services = ['127.0.0.1:5432', 'localhost:6379'];
  const given = (profile: object = {}, commands = 'approved') => ({
    sandbox: { network: { services, commands } },
    providers: { openai: { sandbox: { network: profile } } },
  });
  expect(network(given())).toEqual({ hosts: [], services });
  expect(network(given(), [to('github.com')])).toEqual({ hosts: ['github.com:*'], services });
  expect(network(given({ hosts: ['localhost:*'] }))).toEqual({ hosts: [], services: ['localhost:6379'] });
  expect(network(given({ commands: 'none' }))).toBe('off');
  expect(network(given({}, 'none'), [to('github.com')])).toBe('off');
  expect(network(given(), [], { tool: READ })).toBe('off');
});

test('a local service that was allowed is forwarded to that line, unless a list leaves it out (S003-92)', () => {
  const named = [to('localhost:5432')];
  expect(network({}, named)).toEqual({ hosts: ['localhost:5432'], services: ['localhost:5432'] });
  expect(network({}, named, { tool: READ })).toEqual({ hosts: ['localhost:5432'] });
  expect(network({ sandbox: { network: { hosts: ['localhost:3000'] } } }, named)).toEqual({
    hosts: ['localhost:3000'],
  });
  expect(network({ sandbox: { network: { commands: 'none' } } }, named)).toBe('off');
  expect(network({}, [to('db.example:5432')])).not.toHaveProperty('services');
});

test('a call without a known host reaches the internet, and not this machine’s network', () => {
  expect(network({}, [{ kind: 'network' }])).toEqual({ hosts: ['*:*'] });
  expect(network({}, [to('github.com'), { kind: 'network' }])).toEqual({ hosts: ['github.com:*', '*:*'] });
  expect(network({}, [to('no host at all')])).toEqual({ hosts: ['*:*'] });
});

test('a call for the project’s registries reaches those that it named, and no other public host (U-B11)', () => {
  const npm: Effect = { kind: 'network', source: 'npm', host: 'registry.npmjs.org' };
  expect(network({}, [npm])).toEqual({ hosts: ['registry.npmjs.org:*'] });
});

test('a call that runs because its hosts were agreed to reaches only that list, on its ports', () => {
  const npm: Effect = { kind: 'network', source: 'npm', host: 'npm.acme.example' };
  const packages = ['npm.acme.example', '10.1.2.3:443'];
  const agreed = (more = {}) => ({ sandbox: { network: { agreed: { packages }, ...more } } });
  expect(network(agreed(), [npm])).toEqual({ hosts: packages });
  expect(network(agreed(), [to('npm.acme.example')])).toEqual({ hosts: packages });
  expect(network(agreed(), [npm, to('evil.example')])).toEqual({ hosts: [...packages, 'evil.example:*'] });
  // Agreement for packages does not cover commits.
  const git: Effect = { kind: 'network', source: 'git', host: 'npm.acme.example' };
  expect(network(agreed(), [git])).toEqual({ hosts: ['npm.acme.example:*'] });
});

test('a build that may fetch reaches the agreed list, and otherwise runs without network', () => {
  const cargo: Effect = { kind: 'network', source: 'cargo', host: 'static.crates.io', optional: true };
  const packages = ['index.crates.io', 'static.crates.io'];
  const given = (more = {}) => ({ sandbox: { network: { agreed: { packages }, ...more } } });
  expect(network(given(), [cargo])).toEqual({ hosts: packages });
  expect(network(given({ agreed: { remotes: packages } }), [cargo])).toBe('off');
  // Without the gate the list can't be enforced.
  expect(network(given({ through: 'machine' }), [cargo])).toBe('off');
  expect(network(given({ commands: 'none' }), [cargo])).toBe('off');
  expect(network({}, [cargo, to('github.com')])).toEqual({ hosts: ['github.com:*'] });
});

test('of an agreed list only hosts that the general list includes too count', () => {
  const npm: Effect = { kind: 'network', source: 'npm', host: 'npm.acme.example' };
  const agreed = { packages: ['npm.acme.example', 'registry.npmjs.org'] };
  expect(
    network({ sandbox: { network: { agreed, hosts: ['*.acme.example', 'github.com'] } } }, [npm]),
  ).toEqual({
    hosts: ['npm.acme.example'],
  });
});

test('a list of hosts bounds what was allowed', () => {
  const listed = { sandbox: { network: { hosts: ['*.packages.example'] } } };
  expect(network(listed, [to('evil.example')])).toEqual({ hosts: ['*.packages.example'] });
  expect(network(listed)).toBe('off');
});

test('every shell line reaches the list if the settings say so; other tools, and an empty list, do not', () => {
  const all = { sandbox: { network: { commands: 'all', hosts: ['*.packages.example'] } } };
  expect(network(all)).toEqual({ hosts: ['*.packages.example'] });
  expect(network(all, [], { tool: READ })).toBe('off');
  expect(network({ sandbox: { network: { commands: 'all' } } })).toBe('off');
});

test('if the settings disable the network no command has it, whoever allowed the call', () => {
  expect(network({ sandbox: { network: { commands: 'none' } } }, [to('github.com')])).toBe('off');
});

test('the machine’s own network must be enabled in the settings', () => {
  expect(network({ sandbox: { network: { through: 'machine' } } }, [to('github.com')])).toBe('on');
  expect(network({ sandbox: { network: { through: 'machine' } } })).toBe('off');
});

test('of the profiles of provider and tool and the common sandbox the strictest applies, key by key (S003-80)', () => {
  const confinement = confine(
    {
      sandbox: {
        resource_limits: { max_memory_mb: 1000, max_processes: 50, timeout_ms: '2m' },
        readable_home: ['~/.cache/pip', '~/.cache/go'],
        network: { commands: 'all', hosts: ['*.packages.example', 'github.com'] },
      },
      providers: {
        openai: {
          sandbox: {
            resource_limits: { max_memory_mb: 200, max_processes: 90 },
            readable_home: ['~/.cache/pip', '~/.cache/evil'],
            deny_read: ['keys'],
            labels: ['linux'],
            network: { hosts: ['registry.packages.example', 'evil.example'] },
          },
        },
      },
      tools: {
        bash: {
          sandbox: { resource_limits: { timeout_ms: '10s' }, deny_read: ['*.pem'], labels: ['gpu', 'linux'] },
        },
      },
    },
    [to('github.com')],
  );
  expect(confinement).toEqual({
    limits: {
      timeoutMs: 10_000,
      memoryBytes: 200 * 1024 ** 2,
      cpuPercent: 80,
      processes: 50,
      fileBytes: 1024 ** 3,
      openFiles: 1024,
      writtenFiles: 500_000,
    },
    limitSettings: {
      timeout_ms: 'tools.bash.sandbox.resource_limits.timeout_ms',
      max_memory_mb: 'providers.openai.sandbox.resource_limits.max_memory_mb',
      max_cpu_percent: 'sandbox.resource_limits.max_cpu_percent',
      max_processes: 'sandbox.resource_limits.max_processes',
      max_file_mb: 'sandbox.resource_limits.max_file_mb',
      max_open_files: 'sandbox.resource_limits.max_open_files',
      max_written_mb: 'sandbox.resource_limits.max_written_mb',
      max_written_files: 'sandbox.resource_limits.max_written_files',
    },
    network: { hosts: ['registry.packages.example'] },
    readableHome: ['~/.cache/pip'],
    login: null,
    denyRead: ['keys', '*.pem'],
    labels: ['linux', 'gpu'],
  });
});

test('a profile disables the network of one provider only', () => {
  const written = { providers: { openai: { sandbox: { network: { commands: 'none' } } } } };
  expect(network(written, [to('github.com')])).toBe('off');
  const other = { providers: { ollama: { sandbox: { network: { commands: 'none' } } } } };
  expect(network(other, [to('github.com')])).toEqual({ hosts: ['github.com:*'] });
});

test('an enabled read line gets its own login and hosts, whatever it was judged by', () => {
  const written = { approval: { reads: { gh: ['github.com'], docker: [] } } };
  const read = (line: string, more: object = {}): Confinement =>
    confine({ ...written, ...more }, [], { line });
  expect(read('gh pr view 1')).toMatchObject({ login: 'gh', network: { hosts: ['github.com'] } });
  expect(read('docker ps')).toMatchObject({ login: 'docker', network: 'off' });
  for (const line of ['gh pr merge 1', 'gh pr view 1; ls', 'kubectl get pods', 'ls'])
    expect(read(line)).toMatchObject({ login: null, network: 'off' });
  for (const held of [{ through: 'machine' }, { commands: 'none' }])
    expect(read('gh pr view 1', { sandbox: { network: held } })).toMatchObject({ login: null });
  const narrowed = { providers: { openai: { sandbox: { network: { commands: 'none' } } } } };
  expect(read('gh pr view 1', narrowed)).toMatchObject({ login: null, network: 'off' });
});
