import { describe, expect, test } from 'vitest';
import { mergeLayers } from './merge-layers.ts';
import { defaultSettings } from '../settings.ts';
import { parseSettings } from '../parse-settings.ts';
import { wordsOfServer } from './servers-of-layers.ts';
import type { SettingsLayer } from './settings-layer.ts';

const layer = (kind: SettingsLayer['kind'], servers: unknown): SettingsLayer => ({
  kind,
  source: { user: 'config.yaml', workspace: 'signalbox.yaml', local: '.signalbox/local.yaml' }[kind],
  value: { mcp_servers: servers },
});

function merged(layers: readonly SettingsLayer[], isAgreed = () => false) {
  const answer = mergeLayers(layers, { isAgreed });
  if (answer.kind === 'invalid') throw new Error(JSON.stringify(answer.problems));
  return { servers: answer.settings.mcp_servers, notes: answer.notes.map(({ message }) => message) };
}

function problemsOf(servers: unknown): readonly string[] {
  const answer = parseSettings({ mcp_servers: servers });
  return answer.kind === 'ok' ? [] : answer.problems.map(({ message }) => message);
}

describe('MCP servers of several files (A7)', () => {
  test('a server of a shared file does not start before a person agrees to it', () => {
    const shared = layer('workspace', { issues: { command: 'issues-mcp' } });
    const before = merged([shared]);
    expect(before.servers['issues']).toMatchObject({ isAgreed: false, layer: 'workspace' });
    expect(before.notes.join()).toContain('signalbox tools trust issues');
    expect(merged([shared], () => true)).toMatchObject({
      servers: { issues: { isAgreed: true } },
      notes: [],
    });
  });

  test('your own servers need no agreement', () => {
    for (const kind of ['user', 'local'] as const)
      expect(merged([layer(kind, { issues: { url: 'https://issues.example/mcp' } })])).toMatchObject({
        servers: { issues: { isAgreed: true, layer: kind } },
        notes: [],
      });
  });

  test('a shared file adds no word to one of your servers: each is taken as a whole', () => {
    const { servers, notes } = merged([
      layer('user', { issues: { command: 'mine' } }),
      layer('workspace', {
        issues: { command: 'theirs', args: ['--steal'], env_from: ['TOKEN'], policy: 'auto' },
      }),
    ]);
    expect(servers['issues']).toMatchObject({
      reach: { command: 'mine', args: [], envFrom: [] },
      source: 'config.yaml',
    });
    expect(servers['issues']?.words.policy).toBeUndefined();
    expect(notes).toEqual(['server "issues" of signalbox.yaml is ignored: config.yaml defines one too']);
  });

  test('a program from one file and an address from another are not combined', () => {
    const { servers } = merged([
      layer('user', { issues: { command: 'mine' } }),
      layer('local', { issues: { url: 'https://issues.example/mcp' } }),
    ]);
    expect(servers['issues']?.reach).toMatchObject({ kind: 'http' });
  });

  test('an agreement covers every word, and not the position', () => {
    const words = (server: object) => {
      const found = merged([layer('workspace', { issues: server })]).servers['issues'];
      return found === undefined ? '' : wordsOfServer(found);
    };
    const all = [
      { command: 'a' },
      { command: 'a', args: ['x'] },
      { command: 'a', env: { A: 'x' } },
      { command: 'a', env_from: ['A'] },
      { command: 'a', cwd: 'sub' },
      { command: 'a', sandbox: false },
      { command: 'a', network: true },
      { command: 'a', policy: 'auto' },
      { command: 'a', tools: { x: { policy: 'auto' } } },
    ].map(words);
    expect(new Set(all).size).toBe(all.length);
    const own = merged([layer('local', { issues: { command: 'a' } })]).servers['issues'];
    expect(own === undefined ? '' : wordsOfServer(own)).toBe(words({ command: 'a' }));
  });
});

describe('a server in settings', () => {
  test.for([
    [{}, 'must have exactly one of command and url'],
    [{ command: 'a', url: 'https://a.example' }, 'must have exactly one of command and url'],
    [{ url: 'https://a.example', args: ['x'] }, 'has a meaning only with command'],
    [{ command: 'a', token_from: 'TOKEN' }, 'has a meaning only with url'],
    [
      { url: 'http://a.example' },
      'must be a URL with https, or with http on this machine, and without a password',
    ],
    [
      { url: 'https://me:secret@a.example' },
      'must be a URL with https, or with http on this machine, and without a password',
    ],
    [
      { url: 'file:///etc/passwd' },
      'must be a URL with https, or with http on this machine, and without a password',
    ],
    [{ url: 'https://a.example', headers: { 'X-A': 'a\r\nb' } }, 'must be one line'],
  ] as const)('%j is refused', ([server, why]) => {
    expect(problemsOf({ a: server }).join()).toContain(why);
  });

  test('its name contains nothing that could give tools of two servers the same name', () => {
    for (const name of ['a__b', '_a', 'a_', 'A', 'a-b', 'a.b', '', 'a'.repeat(25)])
      expect(problemsOf({ [name]: { command: 'x' } })).not.toEqual([]);
    expect(
      problemsOf({ issue_tracker2: { command: 'x' }, local: { url: 'http://127.0.0.1:3000/mcp' } }),
    ).toEqual([]);
  });

  test('there are none by default', () => expect(defaultSettings().mcp_servers).toEqual({}));
});
