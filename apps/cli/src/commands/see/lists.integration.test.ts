import { expect, test } from 'vitest';
import { openFollower } from '../../testing/open-follower.ts';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const WAYS = ['beside it', 'at a server elsewhere'] as const;

async function accessFor(own: TestServer, way: (typeof WAYS)[number]) {
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: 'mira',
    role: 'viewer',
    provider: null,
    lifetimeMs: null,
  });
  return { env: { SIGNALBOX_TOKEN: token }, where: way === 'beside it' ? [] : ['--server', own.url] };
}

async function openTerminal(own: TestServer, way: (typeof WAYS)[number]) {
  const { env, where } = await accessFor(own, way);
  const { signalbox } = createTestTerminal(own.of.workspace, { env });
  return (...argv: readonly string[]) => signalbox(...argv, ...where);
}

test('pages of a list continue with the line that each ends with, and miss nothing', async () => {
  await using own = await openTestServer();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    const { commandId, result } = own.of.submit('local', 'echo', { args: { text: `${i}` } });
    await result;
    ids.unshift(commandId);
  }
  for (const way of WAYS) {
    const signalbox = await openTerminal(own, way);
    for (const list of [
      ['commands', '--since', '90m'],
      ['history'],
      ['history', '--filter', '-provider:openai'],
    ]) {
      const seen: string[] = [];
      let argv: readonly string[] = [...list, '--limit', '2'];
      for (;;) {
        const { exit, out, talk } = await signalbox(...argv);
        expect(exit).toBe(0);
        seen.push(...(out.match(/cmd_\w+/g) ?? []));
        const [, more] = /^more: signalbox (.*)$/m.exec(talk) ?? [];
        if (more === undefined) break;
        argv = more.split(' ').filter((word) => word !== '--server' && word !== own.url);
      }
      expect(argv.slice(0, -2)).toEqual([...list, '--limit', '2']);
      expect(seen).toEqual(ids);
    }
    const session = (await own.of.runtime.store.list({ limit: 1 }))[0]?.context.sessionId ?? '';
    for (const [flag, value, count] of [
      ['--text', '"3"', 1],
      ['--level', 'safe', 5],
      ['--level', 'blocked', 0],
      ['--path', 'src', 0],
      ['--session', session.slice(4), 5],
      ['--session', session.slice(4, 9), 5],
      ['--session', '@last', 5],
      ['-f', 'provider:local tool:echo outcome:completed', 5],
      ['-f', '-"3"', 4],
      ['-f', 'level:>=warning', 0],
      ['-f', 'path:src', 0],
    ] as const) {
      const { out } = await signalbox('--json', 'history', flag, value);
      expect({ flag, count: out.split('\n').length - 1 }).toEqual({ flag, count });
    }
    const others = await signalbox('--json', 'commands', '--provider', 'local', '--limit', '3');
    expect(JSON.parse(others.out)).toMatchObject({ commands: [{}, {}, {}], next: expect.any(String) });
    expect(await signalbox('history', '--cursor', 'nonsense')).toMatchObject({
      exit: 2,
      talk: expect.stringContaining('error[invalid-cursor]'),
    });
  }
});

test('--follow prints each command again when its state changes, until Ctrl-C', async () => {
  await using own = await openTestServer({ settings: { approval: { prompt_on_warning: true } } });
  await own.of.call('local', 'echo', { text: 'before' });
  const watchers = await Promise.all(
    WAYS.flatMap((way) => ['commands', 'history'].map((list) => follow(own, way, { list }))),
  );
  await Promise.all(watchers.map(({ row }) => row(/echo "before"/)));
  const { commandId } = own.of.submit('openai', 'bash', { args: { line: 'touch a' } });
  const asking = watchers.filter(({ list }) => list === 'commands');
  await Promise.all(asking.map(({ row }) => row(/needs approval .* touch a$/)));
  await own.of.runtime.coordinator.cancel(commandId, { by: 'ana' });
  await Promise.all(watchers.map(({ row }) => row(/cancelled .* touch a$/)));

  const before = [
    '✓',
    expect.stringMatching(/^cmd_/),
    'local',
    'completed',
    expect.any(String),
    'echo "before"',
  ];
  const asks = ['!', commandId, 'openai', 'needs approval', expect.any(String), 'bash touch a'];
  const cancelled = ['○', commandId, 'openai', 'cancelled', '–', 'bash touch a'];
  for (const { list, rows, stop, ran } of watchers) {
    stop();
    expect((await ran).exit).toBe(130);
    expect(rows.map((text) => text.split(/ {2,}/).slice(1))).toEqual(
      list === 'commands' ? [before, asks, cancelled] : [before, cancelled],
    );
  }
  const signalbox = await openTerminal(own, 'beside it');
  expect((await signalbox('history', '--follow', '--export', 'x.csv')).exit).toBe(2);
});

/** A terminal that follows a list. */
async function follow(own: TestServer, way: (typeof WAYS)[number], { list }: Readonly<{ list: string }>) {
  const { env, where } = await accessFor(own, way);
  return { list, ...openFollower(own.of.workspace, [list, '--follow', ...where], { env }) };
}
