import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Event } from '@signalbox/core';
import { startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { eventOf } from '../../testing/endings/receivers.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { type ModelCall, type RecordedModel, startRecordedModel } from '../../testing/recorded-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const PAGE = join(import.meta.dirname, '../../../../../docs/internals/requirements.yaml');

const FILES = {
  'mix.exs': 'defmodule Shop.MixProject do\nend\n',
  'lib/sum.ex': 'def sum(a, b), do: a - b\n',
  'lib/file.ex': 'one\ntwo\nthree\nfour\nfive\n',
  'test/sum_test.exs': 'assert sum(1, 2) == 3\n',
  'test/shop.db': 'rows\n',
  // A task waits until a file of its name is here.
  'test/signals/begin': '',
};

/** Stands in for Elixir's build tool: each task works on the files of the workspace as the real one would. */
const MIX = `#!/bin/bash
held() { until ls test/signals | grep -qx "$1"; do sleep 0.02; done; }
case "$1" in
  test)
    mkdir -p _build && echo beam > _build/sum.beam
    if grep -q 'a + b' lib/sum.ex; then echo '1 test, 0 failures'; else
      echo '1) test sum/2: left: -1, right: 3'; echo '1 test, 1 failure'; exit 2
    fi ;;
  ecto.drop) rm test/shop.db && echo 'The database for Shop.Repo has been dropped' ;;
  compile) held compiled; mkdir -p _build && echo beam > _build/file.beam ;;
  format) held formatted; sed -i 's/^one$/ONE/' "$2" ;;
esac
`;

/** A user with that program, who sets up a workspace with the preset. */
async function presetWorkspace(options: { backend?: string; models?: Record<string, RecordedModel> } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const bin = join(home, '.local/bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'mix'), MIX, { mode: 0o755 });
  const env: Record<string, string> = { HOME: home, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  if (options.backend === 'redis') {
    const server = await startRedisServer(['--appendonly', 'yes']);
    onTestFinished(() => server.close());
    env['SIGNALBOX_REDIS_URL'] = server.url;
  }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const workspace = ownWorkspace(FILES);
  const { signalbox } = createTestTerminal(workspace, { env });
  expect(await signalbox('init', '--preset', 'spec-003')).toMatchObject({
    exit: 0,
    out: expect.stringMatching(/✓ preset +spec-003/),
  });
  const local = readFileSync(join(workspace, '.signalbox/local.yaml'), 'utf8');
  const providers = Object.entries(options.models ?? {}).map(([id, { url }]) => [
    id,
    { api: 'openai-chat', base_url: url, model: 'scripted', api_key_env: null },
  ]);
  const more = { backend: options.backend ?? 'embedded', providers: Object.fromEntries(providers) as object };
  // JSON is YAML, key by key.
  const rows = Object.entries(more).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  await writeOwnSettings(workspace, { text: `${local}${rows.join('')}` });
  return { workspace, env, signalbox };
}

test('init --preset spec-003 sets the letter of each row of specification 003 that deviates by a setting, and each key of it has an effect (S003-26, S003-34, S003-58…S003-60, S003-67)', async () => {
  const { signalbox, workspace } = await presetWorkspace();
  const { out } = await signalbox('config', 'list', '--json');
  const effective = JSON.parse(out) as Readonly<Record<string, { value: unknown; origin: string }>>;
  const page = parse(readFileSync(PAGE, 'utf8')) as Requirements;
  const rows = page.sections.flatMap((section) => section.rows);
  const named = rows.flatMap(({ id, letter = '' }) => {
    const [, key = '', value = ''] = /^`([a-z_.]+): (.+?)`/.exec(letter) ?? [];
    return id.startsWith('S003-') && key !== '' ? [[id, key, parse(value) as unknown] as const] : [];
  });
  expect(named.map(([id]) => id)).toEqual(['S003-26', 'S003-34', 'S003-58', 'S003-59', 'S003-60', 'S003-67']);
  for (const [id, key, value] of named) expect([id, key, effective[key]?.value]).toEqual([id, key, value]);
  const written = parse(readFileSync(join(workspace, 'signalbox.yaml'), 'utf8')) as object;
  for (const key of keysOf(written))
    expect([key, effective[key]?.origin]).toEqual([key, expect.stringMatching(/^signalbox\.yaml:\d+$/)]);
});

type Requirements = { sections: readonly { rows: readonly { id: string; letter?: string }[] }[] };

/** `approval.approval_mode`, … */
function keysOf(section: object, path = ''): readonly string[] {
  return Object.entries(section).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? keysOf(value, `${path}${key}.`)
      : [`${path}${key}`],
  );
}

/** The levels of the specification's examples, as rulings. */
const RULINGS: readonly (readonly [line: string, ruling: 'allow' | 'ask' | 'deny'])[] = [
  ['mix test', 'allow'],
  ['mix compile', 'allow'],
  ['mix format --check-formatted', 'allow'],
  ['cat lib/sum.ex', 'allow'],
  ['ls lib', 'allow'],
  ['git status', 'allow'],
  ['git diff', 'allow'],
  ['git log', 'allow'],
  ['mix format lib/sum.ex', 'ask'],
  ['mix deps.get', 'ask'],
  ['git add lib', 'ask'],
  ['git commit -m "repair"', 'ask'],
  ['mix ecto.drop', 'ask'],
  ['git push --force', 'ask'],
  ['rm -rf lib', 'ask'],
  ['sudo ls', 'deny'],
  ['mix test && git push', 'deny'],
  ['cat lib/sum.ex | sh', 'deny'],
  ['cat README.md', 'deny'],
];

test('with the preset of specification 003, its example lines get the specified rulings (S003 F1, S003-26, S003-34, S003-58, S003-67, S003-92)', async () => {
  const { signalbox } = await presetWorkspace();
  const answers: (readonly [string, string])[] = [];
  for (const [line] of RULINGS) {
    const { out } = await signalbox('check', '--provider', 'openai', '--json', '--', line);
    answers.push([line, (JSON.parse(out) as { ruling: { kind: string } }).ruling.kind]);
  }
  expect(answers).toEqual(RULINGS);
});

/** The workflows of its appendix, by their scripts. */
test.for(['embedded', 'redis'])(
  'the workflows of specification 003 run with its preset, on the backend %s (S003-57, S003-91, S003-92, S003-93)',
  async (backend) => {
    const world = Promise.withResolvers<Awaited<ReturnType<typeof presetWorkspace>>>();
    const seen = async (type: Event['type'], title: string): Promise<Event> => {
      const { workspace } = await world.promise;
      return eventOf(workspace, (event) => event.type === type && 'title' in event && event.title === title);
    };
    const letGo = async (task: string): Promise<void> => {
      const { workspace } = await world.promise;
      writeFileSync(join(workspace, 'test/signals', task), '');
    };
    const queued = Promise.withResolvers<void>();
    const bash = (line: string): ModelCall => ({ tool: 'bash', args: { line } });
    const read = (path: string): ModelCall => ({ tool: 'read_file', args: { path } });
    const write = (path: string, content: string): ModelCall => ({
      tool: 'write_file',
      args: { path, content },
    });

    const openai = await startRecordedModel([
      // Workflow 1: the tests fail, their output says why, and they pass.
      () => [bash('mix test')],
      () => [read('lib/sum.ex')],
      () => [write('lib/sum.ex', 'def sum(a, b), do: a + b\n')],
      () => [bash('mix test')],
      // Workflow 2.
      () => [bash('mix ecto.drop')],
      // Workflow 3, provider A.
      async () => {
        await seen('command_started', 'bash mix compile');
        return [read('lib/file.ex')];
      },
      async () => {
        await letGo('compiled');
        return [bash('mix format lib/file.ex')];
      },
    ]);
    const anthropic = await startRecordedModel([
      // Workflow 3, provider B.
      async () => {
        await seen('command_completed', 'bash mix ecto.drop');
        return [read('lib/file.ex')];
      },
      () => [bash('mix compile')],
      async () => {
        await seen('command_started', 'bash mix format lib/file.ex');
        queued.resolve(seen('command_queued', 'write_file lib/file.ex').then(() => letGo('formatted')));
        return [write('lib/file.ex', 'one\ntwo\nthree\nfour\nFIVE\n')];
      },
    ]);
    const own = await presetWorkspace({ backend, models: { openai, anthropic } });
    world.resolve(own);
    const { workspace, env, signalbox } = own;
    const file = (path: string): string => readFileSync(join(workspace, path), 'utf8');

    // The user approves what needs it, and looks whether the database is still there.
    const approved: Promise<string>[] = [];
    const approve = async (id: string, hash: string): Promise<string> => {
      const rows = existsSync(join(workspace, 'test/shop.db')) ? 'rows' : 'no rows';
      const { exit, talk } = await signalbox('approve', id, '--expect', hash);
      return `${exit} ${/approved \w+ (.*)/.exec(talk)?.[1]}, ${rows}`;
    };
    const terminal = createTestTerminal(workspace, {
      env,
      onTalk(text) {
        const [, id, hash] = /signalbox approve (\w+) --expect (\w+)/.exec(text) ?? [];
        if (id !== undefined && hash !== undefined) approved.push(approve(id, hash));
      },
    });
    const run = await terminal.signalbox(
      'run',
      'Repair',
      '-p',
      'openai',
      '-p',
      'anthropic',
      '--until',
      'mix test',
    );
    await queued.promise;
    expect(run).toMatchObject({ exit: 0 });
    expect(await Promise.all(approved)).toEqual([
      '0 write_file lib/sum.ex, rows',
      '0 bash mix ecto.drop, rows',
      '0 bash mix format lib/file.ex, no rows',
      '0 write_file lib/file.ex, no rows',
      // Again: A has changed the file since B was approved.
      '0 write_file lib/file.ex, no rows',
    ]);

    expect(openai.answersTo(1)).toEqual([expect.stringMatching(/^exit code: 2[^]*1 test, 1 failure/)]);
    expect(openai.answersTo(4)).toEqual([expect.stringMatching(/^exit code: 0[^]*1 test, 0 failures/)]);
    expect(openai.answersTo(5)).toEqual([expect.stringContaining('Shop.Repo has been dropped')]);
    expect(existsSync(join(workspace, 'test/shop.db'))).toBe(false);
    // Both changes are there: B waited for A, and its own lines were merged with what A had written.
    expect(file('lib/file.ex')).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
    expect(file('_build/file.beam')).toBe('beam\n');
  },
);
