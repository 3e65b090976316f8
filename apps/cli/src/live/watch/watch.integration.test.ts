import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestTerminal } from '../../testing/test-context.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';
import { watchAt } from './testing/watch-terminal.ts';

const ASKING = { settings: { approval: { prompt_on_warning: true } } } as const;

test('a command that waits for approval is shown, and a approves it (issue 6)', async () => {
  await using own = await openTestServer(ASKING);
  const asked = own.of.submit('openai', 'bash', { args: { line: 'touch approved' } });
  const { exit, talk } = await watchAt(own.of.workspace, (screen, press) => {
    // Keys typed too soon are ignored: the next frame presses again.
    if (screen.includes('completed bash touch approved')) press('q');
    else if (screen.includes('a approve')) press('a');
  });
  expect(exit).toBe(0);
  expect(await asked.result).toMatchObject({ success: true });
  expect(existsSync(join(own.of.workspace, 'approved'))).toBe(true);
  expect(own.of.auditLines().at(-1)).toMatchObject({ approved_by: 'ana' });
  // The alternate screen is entered once and left as the very last thing.
  expect(talk.split('\x1b[?1049h')).toHaveLength(2);
  expect(talk.endsWith('\x1b[?1049l')).toBe(true);
});

test.each([
  ['rings for a question', [], true],
  ['is silent with --no-bell', ['--no-bell'], false],
])('the terminal %s', async (_, flags, isHeard) => {
  await using own = await openTestServer(ASKING);
  await own.of.submit('openai', 'bash', { args: { line: 'touch asked' } }).resting;
  const { talk } = await watchAt(
    own.of.workspace,
    (screen, press) => {
      if (screen.includes('touch asked')) press('q');
    },
    ...flags,
  );
  // Titles end with the same sign.
  // oxlint-disable-next-line no-control-regex -- what a terminal is told
  expect(talk.replaceAll(/\x1b\]2;[^\x07]*\x07/g, '').includes('\x07')).toBe(isHeard);
});

test('d denies with a typed reason, which the provider reads', async () => {
  await using own = await openTestServer(ASKING);
  const asked = own.of.submit('openai', 'bash', { args: { line: 'touch refused' } });
  const { exit } = await watchAt(own.of.workspace, (screen, press) => {
    if (screen.includes('you denied')) press('q');
    else if (screen.includes('Reason for openai')) press(screen.includes('use b') ? 'enter' : 'use b');
    else if (/d deny|\[D\]eny/.test(screen)) press('d');
  });
  expect(exit).toBe(0);
  expect((await asked.result).content).toContain('use b');
});

test('a reason being typed when another person answers does not answer the next approval', async () => {
  await using own = await openTestServer(ASKING);
  const first = own.of.submit('openai', 'bash', { args: { line: 'touch first' } });
  await first.resting;
  const second = own.of.submit('anthropic', 'bash', { args: { line: 'touch second' } });
  await second.resting;
  let answered: Promise<unknown> | undefined;
  let seen = '';
  await watchAt(own.of.workspace, (screen, press) => {
    if (screen.includes('was answered, changed or expired')) {
      seen = screen;
      for (const letter of 'a a') press(letter);
      press('escape');
    } else if (screen.includes('touch second') && screen.includes('a approve') && seen !== '') press('q');
    else if (screen.includes('Reason for openai')) {
      answered ??= own
        .ask('GET', `/api/commands/${first.commandId}`)
        .then(({ body }) =>
          own.ask('POST', `/api/approvals/${first.commandId}/grant`, { body: { callHash: hashOf(body) } }),
        );
    } else if (screen.includes('touch first') && /d deny|\[D\]eny/.test(screen)) press('d');
  });
  await answered;
  expect((await first.result).success).toBe(true);
  expect(seen).toContain('closed: approved by');
  expect(existsSync(join(own.of.workspace, 'second'))).toBe(false);
});

function hashOf(command: unknown): unknown {
  return (command as { approval: { callHash: string } }).approval.callHash;
}

test.each([
  ['two', 3, true],
  ['one', 2, false],
])(
  'icons are drawn if the terminal gives ⚡ as many cells as we count: here %s (S003-54)',
  async (_, column, isDrawn) => {
    await using own = await openTestServer(ASKING);
    await own.of.submit('openai', 'bash', { args: { line: 'touch asked' } }).resting;
    let last = '';
    await watchAt(own.of.workspace, (screen, press, cursorAt) => {
      cursorAt(column);
      // A cursor report looks like Shift-F3.
      cursorAt(2);
      if (!screen.includes('touch asked')) return;
      last = screen;
      press('q');
    });
    // oxlint-disable-next-line no-control-regex -- all that is not ASCII
    expect(/[^\x00-\x7f]/.test(last)).toBe(isDrawn);
  },
);

test('a file write is shown as its change', async () => {
  await using own = await openTestServer({
    files: { 'a.ts': 'one\ntwo\n' },
    settings: { agents: { tool_execution: { require_approval_tools: ['write_file'] } } },
  });
  await own.of.call('openai', 'read_file', { path: 'a.ts' });
  own.of.submit('openai', 'write_file', { args: { path: 'a.ts', content: 'one\nthree\n' } });
  let seen = '';
  await watchAt(own.of.workspace, (screen, press) => {
    if (screen.includes('+three')) {
      seen = screen;
      press('q');
      press('q');
    } else if (screen.includes('shows it in full')) press('v');
  });
  expect(seen).toContain('-two');
});

test('a server that goes away and returns is followed, with the missed events', async () => {
  const first = await openTestServer();
  const { workspace } = first.of;
  let second: Promise<TestServer> | undefined;
  let gone: Promise<unknown> | undefined;
  const screens: string[] = [];
  const { exit } = await watchAt(workspace, (screen, press) => {
    screens.push(screen);
    if (screen.includes('completed bash echo later')) press('q');
    else if (screen.includes('Disconnected')) {
      second ??= gone?.then(async () => {
        const own = await openTestServer({ workspace });
        await own.of.call('openai', 'bash', { line: 'echo later' });
        return own;
      });
    } else if (screen.includes('No activity yet')) gone ??= first.close().then(() => first.of.leave());
  });
  await (await second)?.[Symbol.asyncDispose]();
  expect(exit).toBe(0);
  expect(screens.some((screen) => /Disconnected for 0:0\d, retrying in \d s\./.test(screen))).toBe(true);
  expect(screens.at(-1)).toMatch(/Reconnected, \d+ events? replayed/);
});

test('a late screen shows earlier events, and what a running command has printed since', async () => {
  await using own = await openTestServer();
  await own.of.call('anthropic', 'bash', { line: 'echo earlier' });
  const runs = own.of.submit('openai', 'bash', { args: { line: 'echo printed before; sleep 60' } });
  await own.of.event('command_output', ({ commandId }) => commandId === runs.commandId);
  const { exit } = await watchAt(own.of.workspace, (screen, press) => {
    if (screen.includes('completed bash echo earlier') && screen.includes('  printed before')) press('q');
    else if (!screen.includes('▸⚡ openai')) press('j');
  });
  expect(exit).toBe(0);
  await own.of.runtime.coordinator.cancel(runs.commandId, { by: 'ana' });
});

test('without a terminal each event is a line', async () => {
  await using own = await openTestServer();
  const { exit, out } = await watchedPlainly(own);
  expect(exit).toBe(0);
  expect(out).toMatch(/^\S+Z completed\s+openai\s+cmd_\w+ bash echo plain exit=0/m);
});

test('with --json each event is one JSON value per line', async () => {
  await using own = await openTestServer();
  const { exit, out } = await watchedPlainly(own, '--json');
  expect(exit).toBe(0);
  expect(typesIn(out)).toContain('command_completed');
});

/** Watches while a command runs, and is interrupted once its end was printed. */
async function watchedPlainly(own: TestServer, ...flags: readonly string[]) {
  const interrupts = listenedInterrupts();
  const connected = Promise.withResolvers<void>();
  const terminal = createTestTerminal(own.of.workspace, {
    interrupts,
    onSay: () => connected.resolve(),
    // Called for every event, printed or not.
    onPrint: (text) => {
      if (text.includes(' completed ')) interrupts.raise();
    },
  });
  const ran = terminal.signalbox('watch', ...flags);
  await connected.promise;
  await own.of.call('openai', 'bash', { line: 'echo plain' });
  return ran;
}

function typesIn(out: string): readonly string[] {
  return out
    .trim()
    .split('\n')
    .map((row) => (JSON.parse(row) as { type: string }).type);
}

function listenedInterrupts() {
  let interrupt = (): void => undefined;
  return {
    listen(listener: (count: number, signal: 'SIGINT' | 'SIGTERM') => void) {
      interrupt = () => listener(1, 'SIGINT');
      return () => undefined;
    },
    raise: () => interrupt(),
  };
}

test('--once prints one frame of the current state', async () => {
  await using own = await openTestServer(ASKING);
  const asked = own.of.submit('openai', 'bash', { args: { line: 'touch later' } });
  await own.of.event('approval_requested', ({ commandId }) => commandId === asked.commandId);
  const { exit, out } = await createTestTerminal(own.of.workspace).signalbox('watch', '--once');
  expect(exit).toBe(0);
  expect(out).toMatch(/openai\s+asks\s+\w{4} bash touch later/);
  const narrow = createTestTerminal(own.of.workspace, { env: { COLUMNS: '60' } });
  const rows = (await narrow.signalbox('watch', '--once')).out.split('\n');
  expect(Math.max(...rows.map((row) => row.length))).toBe(60);
});

test('without a coordinator, or with an invalid filter, it says what to do', async () => {
  await using own = await openTestServer();
  const terminal = createTestTerminal(own.of.workspace);
  expect(await terminal.signalbox('watch', '-f', 'colour:red')).toMatchObject({ exit: 2 });
  await own.of.leave();
  const { exit, talk } = await terminal.signalbox('watch');
  expect(exit).toBe(6);
  expect(talk).toContain('Cannot watch: nothing runs in');
  expect(talk).toContain('signalbox run');
});

test('a server elsewhere is used with an access token from the environment or a file', async () => {
  await using own = await openTestServer();
  await own.of.call('openai', 'bash', { line: 'echo elsewhere' });
  const here = ownWorkspace();
  const withToken = createTestTerminal(here, { env: { SIGNALBOX_TOKEN: own.token } });
  const { exit, out } = await withToken.signalbox('watch', '--once', '--server', own.url);
  expect([exit, out]).toEqual([0, expect.stringContaining('echo elsewhere')]);
  const bare = createTestTerminal(here);
  expect((await bare.signalbox('watch', '--once', '--server', own.url)).talk).toContain('error[no-token]');
  const file = join(here, 'token');
  const fromFile = () => bare.signalbox('watch', '--once', '--server', own.url, '--token-file', file);
  writeFileSync(file, `${own.token}\n`, { mode: 0o644 });
  expect((await fromFile()).talk).toContain('error[token-file-open]');
  chmodSync(file, 0o600);
  expect((await fromFile()).exit).toBe(0);
  const plain = await withToken.signalbox('watch', '--once', '--server', 'http://box.example:4180');
  expect(plain).toMatchObject({ exit: 2, talk: expect.stringContaining('error[not-encrypted]') });
});
