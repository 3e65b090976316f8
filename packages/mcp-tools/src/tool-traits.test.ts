import { type McpServerSettings, parseSettings } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { traitsOf } from './tool-traits.ts';

function serverOf(written: object): McpServerSettings {
  const parsed = parseSettings({ mcp_servers: { a: written } });
  const server = parsed.kind === 'ok' ? parsed.settings.mcp_servers['a'] : undefined;
  if (server === undefined) throw new Error(JSON.stringify(parsed));
  return server;
}

const tool = (hints: { readOnly?: boolean; destructive?: boolean; idempotent?: boolean } = {}) => ({
  theirs: 'look',
  hints,
});
const READS = { kind: 'read', path: '.', scope: 'tree' };

describe('the traits of a server’s tool (E8, S001-63)', () => {
  test('assume by default the worst the server could do, and need approval', () => {
    expect(traitsOf(tool(), serverOf({ command: 'x' }))).toEqual({
      category: 'execute',
      risk: 'medium',
      policy: 'requires_approval',
      effects: [READS],
      retryable: false,
    });
    const effects = (written: object) => traitsOf(tool(), serverOf(written)).effects;
    expect(effects({ command: 'x', workspace: 'none' })).toEqual([]);
    expect(effects({ command: 'x', workspace: 'write' })).toEqual([READS, { kind: 'write-unknown' }]);
    expect(effects({ command: 'x', network: true })).toEqual([READS, { kind: 'network' }]);
    expect(effects({ command: 'x', sandbox: false })).toEqual([
      READS,
      { kind: 'write-unknown' },
      { kind: 'network' },
    ]);
    expect(effects({ url: 'https://a.example/mcp' })).toEqual([{ kind: 'network', host: 'a.example' }]);
    expect(effects({ url: 'http://127.0.0.1:3000/mcp' })).toEqual([
      READS,
      { kind: 'write-unknown' },
      { kind: 'network', host: '127.0.0.1' },
    ]);
  });

  test('can become stricter by the server’s own hints, never more permissive', () => {
    for (const written of [{ command: 'x', workspace: 'write' }, { url: 'https://a.example/mcp' }]) {
      expect(traitsOf(tool({ readOnly: true }), serverOf(written))).toEqual(
        traitsOf(tool(), serverOf(written)),
      );
    }
    expect(traitsOf(tool({ destructive: true }), serverOf({ command: 'x' })).risk).toBe('high');
  });

  test('follow the hints of a trusted server, but never over the user’s settings', () => {
    const trusting = { command: 'x', workspace: 'write', trust_annotations: true };
    expect(traitsOf(tool({ readOnly: true }), serverOf(trusting))).toEqual({
      category: 'read_only',
      risk: 'low',
      policy: 'auto',
      effects: [READS],
      retryable: false,
    });
    expect(
      traitsOf(
        tool({ readOnly: true }),
        serverOf({ ...trusting, policy: 'requires_approval', writes: ['docs'] }),
      ),
    ).toMatchObject({
      policy: 'requires_approval',
      effects: [READS, { kind: 'write', path: 'docs', scope: 'tree' }],
    });
    expect(traitsOf(tool({ destructive: true }), serverOf({ command: 'x', risk: 'low' })).risk).toBe('low');
  });

  test('follow the settings of a tool before those of its server', () => {
    const server = serverOf({
      command: 'x',
      category: 'network',
      risk: 'high',
      policy: 'auto',
      reads: [],
      tools: { look: { category: 'read_only', reads: ['src/*.ts'], writes: [] } },
    });
    expect(traitsOf(tool(), server)).toEqual({
      category: 'read_only',
      risk: 'high',
      policy: 'auto',
      effects: [{ kind: 'read', path: 'src/*.ts', scope: 'glob' }],
      retryable: false,
    });
    expect(traitsOf({ ...tool(), theirs: 'other' }, server)).toMatchObject({
      category: 'network',
      effects: [],
    });
    expect(traitsOf({ ...tool(), theirs: 'constructor' }, server)).toMatchObject({ category: 'network' });
  });
});

test.for<Readonly<{ hints: object; trust: boolean; retryable: boolean }>>([
  { hints: { readOnly: true, idempotent: true }, trust: true, retryable: true },
  { hints: { readOnly: true, idempotent: true }, trust: false, retryable: false },
  { hints: { readOnly: true }, trust: true, retryable: false },
  { hints: { idempotent: true }, trust: true, retryable: false },
])(
  'a tool with $hints of a server that is trusted: $trust, may be retried: $retryable (S001-07)',
  ({ hints, trust, retryable }) => {
    const server = serverOf({ command: 'x', trust_annotations: trust });
    expect(traitsOf(tool(hints), server).retryable).toBe(retryable);
  },
);
