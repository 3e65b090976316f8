import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { expect, test } from 'vitest';

type Seen = Readonly<{ mode: string; by: string; back?: Readonly<{ at: number; to: string }> }>;

test('a mode is set for a time at the terminal and over HTTP, and its end is announced (D1)', async () => {
  await using own = await openTestServer();
  const { signalbox } = createTestTerminal(own.of.workspace);
  const set = await signalbox('mode', 'LOCKDOWN', '-m', 'strange pushes', '--for', '1h');
  expect(set.out).toMatch(/LOCKDOWN since .*, by ana: strange pushes\nuntil .*, then NORMAL again/);
  const shown = await own.ask<Seen>('GET', '/api/mode');
  expect(shown.body).toMatchObject({ mode: 'LOCKDOWN', by: 'ana', back: { to: 'NORMAL' } });

  const within = { mode: 'ALERT', reason: 'one look', forMs: 20 };
  const put = await own.ask<Seen>('PUT', '/api/mode', { body: within });
  expect(put).toMatchObject({ status: 200, body: { mode: 'ALERT', back: { to: 'LOCKDOWN' } } });
  const over = await own.of.event('mode_changed', ({ by }) => by === 'signalbox');
  expect(over).toMatchObject({ from: 'ALERT', to: 'LOCKDOWN', back: shown.body.back });
  expect((await own.ask<Seen>('GET', '/api/mode')).body).toEqual({ ...shown.body, since: put.body.back?.at });
  expect((await own.ask<Seen>('GET', '/api/snapshot')).body.mode).toMatchObject({ mode: 'LOCKDOWN' });

  const tooLong = { ...within, forMs: 31 * 86_400_000 };
  expect((await own.ask('PUT', '/api/mode', { body: tooLong })).status).toBe(400);
});

test('a mode set for a time without a coordinator reverts to that of the settings (setting: mode)', async () => {
  const first = await openTestRuntime({ files: { 'signalbox.yaml': 'mode: ALERT\n' } });
  await first.leave();
  const { signalbox } = createTestTerminal(first.workspace);
  expect((await signalbox('mode', '--json')).out).toContain('"mode":"ALERT"');
  const set = await signalbox('mode', 'NORMAL', '-m', 'one release', '--for', '1ms', '--json');
  expect(JSON.parse(set.out)).toMatchObject({ mode: 'NORMAL', back: { to: 'ALERT' } });
  await using own = await openTestRuntime({ workspace: first.workspace });
  await own.event(
    'mode_changed',
    ({ from, to, by }) => from === 'NORMAL' && to === 'ALERT' && by === 'signalbox',
  );
  expect(await own.runtime.coordinator.mode()).toMatchObject({ mode: 'ALERT', by: 'configuration' });
});

test('an invalid mode, time or reason changes nothing, and the error says what to type', async () => {
  await using own = await openTestRuntime();
  const { signalbox } = createTestTerminal(own.workspace);
  const wrong: readonly (readonly [argv: readonly string[], next: string])[] = [
    [['LOCKDWN', '-m', 'x'], 'signalbox mode LOCKDOWN -m "why"'],
    [['FOO', '-m', 'x'], 'signalbox mode --help'],
    [['ALERT'], 'signalbox mode ALERT -m "why"'],
    [['--for', '1h'], 'signalbox mode ALERT -m "why"'],
    [['ALERT', '-m', 'x', '--for', 'long'], 'signalbox mode --help'],
    [['ALERT', '-m', 'x', '--for', '31d'], '--for: is at most 30d'],
    [['ALERT', '-m', 'x', '--for', '0s'], '--for: is at most 30d'],
  ];
  for (const [argv, next] of wrong) {
    const { exit, talk } = await signalbox('mode', ...argv);
    expect({ exit, talk }).toMatchObject({ exit: 2, talk: expect.stringContaining(next) });
  }
  expect((await own.runtime.coordinator.mode()).mode).toBe('NORMAL');
});
