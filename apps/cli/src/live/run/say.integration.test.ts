import { expect, test } from 'vitest';
import type { Key } from '../../terminal/keyboard.ts';
import { startRecordedModel, workspaceOf } from '../../testing/recorded-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const bash = (line: string) => ({ tool: 'bash', args: { line } });

/** Two sessions of one run; the first model starts a line that would never end. */
async function talkingRun() {
  const one = await startRecordedModel([() => [bash('sleep 600')]]);
  const release = Promise.withResolvers<void>();
  const other = await startRecordedModel([() => release.promise.then(() => [])]);
  const workspace = await workspaceOf({ one, other });
  const terminal = createTestTerminal(workspace);
  const flags = ['-p', 'one', '-p', 'other', '--until', 'true'];
  const running = createTestTerminal(workspace).signalbox('run', 'Finish', ...flags);
  const status = async (): Promise<string> => (await terminal.signalbox('status')).out;
  await expect.poll(status, { timeout: 60_000 }).toMatch(/^1 of \d+ running/m);
  return { one, other, release, running, terminal };
}

const lastOf = ({ requests }: Awaited<ReturnType<typeof startRecordedModel>>): unknown =>
  requests.at(-1)?.messages.at(-1)?.content;

test('a session told to do something else stops its command and reads it; another reads its message at its next turn (S003-66, L-26)', async () => {
  const { one, other, release, running, terminal } = await talkingRun();
  const now = await terminal.signalbox('say', 'one', 'Rather count to three', '--now');
  expect(now).toMatchObject({ exit: 0, talk: expect.stringContaining('stops what it does') });
  expect((await terminal.signalbox('say', 'other', 'Mind the tabs')).exit).toBe(0);
  release.resolve();
  const { exit, talk } = await running;
  expect(exit).toBe(0);
  expect(lastOf(one)).toBe('Rather count to three');
  expect(one.answersTo(1).join('')).toMatch(/cancelled[\s\S]*said something else/i);
  expect(lastOf(other)).toBe('Mind the tabs');
  expect(talk).toMatch(/one.*: Rather count to three/);
});

test('a message needs a running session, and one that is meant without doubt', async () => {
  const { one, running, release, terminal } = await talkingRun();
  expect(await terminal.signalbox('say', 'ses_', 'Hi')).toMatchObject({
    exit: 2,
    talk: expect.stringMatching(/2 running ones are meant[\s\S]*ses_.{12} {2}one/),
  });
  expect(await terminal.signalbox('say', 'nobody', 'Hi')).toMatchObject({
    exit: 2,
    talk: expect.stringContaining('Cannot find a running session "nobody"'),
  });
  expect((await terminal.signalbox('say', 'one', ' ')).exit).toBe(2);
  const { out } = await terminal.signalbox('say', '@all', 'End now', '--now', '--json');
  expect(JSON.parse(out)).toMatchObject({ sessions: [expect.any(String), expect.any(String)] });
  release.resolve();
  expect((await running).exit).toBe(0);
  expect(lastOf(one)).toBe('End now');
  expect((await terminal.signalbox('say', 'one', 'Too late')).exit).toBe(2);
});

test('i in the run itself says something to one of its sessions, or to all (S003-66)', async () => {
  const release = Promise.withResolvers<void>();
  const waits = () => release.promise.then(() => []);
  const [one, other] = [await startRecordedModel([waits]), await startRecordedModel([waits])];
  const workspace = await workspaceOf({ one, other });
  let press: (key: Key) => void = () => undefined;
  let typed = false;
  const type = (text: string): void =>
    Array.from(text).forEach((letter) => press({ kind: 'text', text: letter }));
  const running = createTestTerminal(workspace, {
    onAsked: (listen) => (press = listen),
    onDraw: (frame) => {
      if (frame.includes('Only you') && !frame.includes('Enter send')) release.resolve();
      if (typed || one.requests.length + other.requests.length < 2 || !frame.includes('i message')) return;
      typed = true;
      type('iMind the tabs');
      press({ kind: 'named', name: 'enter' });
      type('iOnly you');
      press({ kind: 'named', name: 'tab' });
      press({ kind: 'named', name: 'enter' });
    },
  }).signalbox('run', 'Finish', '-p', 'one', '-p', 'other', '--until', 'true');
  const { exit, talk } = await running;
  expect(exit).toBe(0);
  expect(talk.match(/: Mind the tabs/g)).toHaveLength(2);
  expect(new Set([lastOf(one), lastOf(other)])).toEqual(new Set(['Mind the tabs', 'Only you']));
});
