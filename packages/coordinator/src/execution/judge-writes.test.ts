import { defineTool, type FileTouch, parseSettings } from '@signalbox/core';
import { aCallContext } from '@signalbox/core/testing';
import { createPolicy } from '@signalbox/policy';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { judgeWrites } from './judge-writes.ts';

const bash = defineTool({
  name: 'bash',
  description: 'Runs a shell line',
  requestKind: 'bash',
  category: 'execute',
  risk: 'high',
  args: z.strictObject({ line: z.string() }),
  describe: ({ line }) => line,
  shellLine: ({ line }) => ({ line }),
  effects: () => [],
  handle: () => Promise.reject(new Error('nothing runs here')),
});

const SETTINGS = {
  tools: { bash: { forbidden_paths: ['vault'] } },
  rules: [
    { id: 'no-locks', deny: { path: '**/*.lock' } },
    { id: 'db-asks', ask: { path: 'db' } },
  ],
};

type Options = { isGranted?: boolean; kind?: FileTouch['kind']; mode?: 'enforce' | 'shadow' };

async function why(paths: readonly string[], options: Options = {}) {
  const parsed = parseSettings({ ...SETTINGS, policy: { mode: options.mode ?? 'enforce' } });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  const { isGranted = false, kind = 'modified' } = options;
  const { denied } = await judgeWrites(
    paths.map((path) => ({ path, kind, hash: null })),
    {
      policy: createPolicy(parsed.settings, { workspace: '/workspace', home: '/home/ana' }),
      question: {
        tool: bash,
        verdict: { level: 'safe', reasons: [], effects: [], runsRepositoryCode: false, composed: false },
        line: 'sh build.sh',
        mode: 'NORMAL',
        context: aCallContext(),
        sandboxed: true,
        contentBytes: 0,
      },
      isGranted,
      redact: (text) => text,
      named: undefined,
      brought: new Set(),
    },
  );
  return denied;
}

test('a transaction’s changes are denied by path lists and user rules, file by file', async () => {
  expect(await why(['src/a.ts', 'vault/x', 'web/yarn.lock', '.env'])).toEqual([
    expect.stringMatching(/^vault\/x: .*the settings deny "vault"/),
    expect.stringMatching(/^web\/yarn\.lock: .*rule "no-locks"/),
    expect.stringMatching(/^\.env: .*protected/),
  ]);
  expect(await why(['web/yarn.lock'], { kind: 'deleted' })).toHaveLength(1);
});

test('changes that need approval are denied unless a person let the call run; a deny applies regardless', async () => {
  expect(await why(['db/main.sql'])).toEqual([expect.stringContaining('no one was asked')]);
  expect(await why(['db/main.sql', 'a.lock'], { isGranted: true })).toEqual([
    expect.stringMatching(/^a\.lock: /),
  ]);
});

test('git’s own files, odd names in installed packages and files that were only read are ignored', async () => {
  expect(await why(['.git/refs/heads/main', 'sub/.git/index', 'node_modules/p/.env'])).toEqual([]);
  expect(await why(['node_modules/p/x.lock'])).toHaveLength(1);
  expect(await why(['vault/x'], { kind: 'read' })).toEqual([]);
});

test('shadow rules deny nothing here either, but path lists do', async () => {
  expect(await why(['web/yarn.lock', 'db/x', 'vault/x'], { mode: 'shadow' })).toEqual([
    expect.stringMatching(/^vault\/x: /),
  ]);
});

test('the event loop gets a turn every 128 changes', async () => {
  const turns: number[] = [];
  let turn = setImmediate(count);
  onTestFinished(() => clearImmediate(turn));
  function count(): void {
    turns.push(turns.length);
    turn = setImmediate(count);
  }
  await why(Array.from({ length: 1280 }, (_, at) => `src/${at}.ts`));
  // Changes that need approval, are denied, are too large, and match lists by effect.
  expect(turns.length).toBeGreaterThanOrEqual(4 * 10);
});
