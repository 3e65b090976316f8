import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { createEntryCode, listApprovals } from '@signalbox/api';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { quoteWord } from '../../terminal/quote-word.ts';
import { MAIN, programEnv, startAgent } from '../../testing/agent.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { startRecordedModel } from '../../testing/recorded-model.ts';

// The first hour of a user, with real programs only: each step is a process, and its output and effects count.

const WORD_OF_RUN = randomUUID();
const WORD_OF_AGENT = randomUUID();
const FILES = {
  'package.json': '{ "name": "shop" }\n',
  'shared.txt': 'one\ntwo\n',
  'other.txt': 'one\n',
  'word-of-run.txt': `${WORD_OF_RUN}\n`,
  'word-of-agent.txt': `${WORD_OF_AGENT}\n`,
  'old-run/a': '',
  'old-agent/a': '',
};

/** A workspace, and the program in it as a user starts it. */
function openUser() {
  const workspace = ownWorkspace(FILES);
  const env = { ...programEnv(workspace), NO_COLOR: '1' };
  const argvOf = (argv: readonly string[]) => [MAIN, '-C', workspace, ...argv];
  const options = { env, extendEnv: false, cwd: workspace, reject: false } as const;
  return {
    workspace,
    /** Its text on disk; null if there is none. */
    file(path: string): string | null {
      const file = join(workspace, path);
      return existsSync(file) ? readFileSync(file, 'utf8') : null;
    },
    signalbox: (...argv: readonly string[]) =>
      execa(process.execPath, argvOf(argv), { ...options, stdin: 'ignore' }),
    /** At a terminal, where each prompt is answered with Return: the default. */
    async accepting(...argv: readonly string[]) {
      const words = [process.execPath, ...argvOf(argv)];
      const terminal =
        platform() === 'darwin'
          ? ['-q', '/dev/null', ...words]
          : ['-qefc', words.map(quoteWord).join(' '), '/dev/null'];
      const child = execa('/usr/bin/script', terminal, { ...options, stdin: 'pipe' });
      let seen = '';
      let answered = 0;
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        seen += text;
        for (
          const asked = seen.match(/\[(?:[A-Z]\/|\w\/)+\w\] /gi)?.length ?? 0;
          answered < asked;
          answered++
        )
          child.stdin.write('\r');
      });
      return child;
    },
  };
}

/** The page of a link, as a browser opens it. */
async function openPage(link: string) {
  const [url = '', code] = link.split('/#enter=');
  const page = await fetch(url);
  const headers = { 'content-type': 'application/json', origin: url };
  const entered = await fetch(`${url}/api/enter`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ code }),
  });
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return {
    html: await page.text(),
    async ask<Answer>(
      method: string,
      path: string,
      answer: z.ZodType<Answer>,
      body?: object,
    ): Promise<Answer> {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(`${url}${path}`, { method, headers: { ...headers, cookie }, ...sent });
      expect(response.status).toBe(200);
      return answer.parse(await response.json());
    },
  };
}

const Link = createEntryCode.schema.response[200].pick({ expiresAt: true }).extend({ url: z.string() });
const Review = z.object({
  providers: z.array(
    z.object({
      provider: z.string(),
      files: z.array(z.object({ path: z.string(), changes: z.array(z.object({ command: z.string() })) })),
    }),
  ),
});

test(
  'the first hour: init, an agent and a run together without serve, watch, dashboard, approvals, review, undo, stop',
  { timeout: 600_000 },
  async () => {
    const user = openUser();
    const { workspace, signalbox, file } = user;

    const init = await user.accepting('init');
    expect(init.stdout).toMatch(/✓ network +installs and fetches from registry\.npmjs\.org/);
    expect(init.exitCode).toBe(0);
    expect(file('.signalbox/local.yaml')).toContain('file_writes: when_reversible');

    const runHasWritten = Promise.withResolvers<void>();
    const agentHasWritten = Promise.withResolvers<void>();
    const model = await startRecordedModel([
      () => [
        { tool: 'read_file', args: { path: 'shared.txt' } },
        { tool: 'bash', args: { line: 'echo two >> other.txt' } },
      ],
      async () => {
        runHasWritten.resolve();
        await agentHasWritten.promise;
        return [{ tool: 'bash', args: { line: 'cat word-of-run.txt && rm -rf old-run' } }];
      },
      () => [{ tool: 'write_file', args: { path: 'made.txt', content: 'made\n' } }],
    ]);
    const provider = { api: 'openai-chat', base_url: model.url, model: 'recorded', api_key_env: null };
    const providers = `providers: ${JSON.stringify({ openai: provider })}\n`;
    await writeOwnSettings(workspace, { text: `${file('.signalbox/local.yaml')}${providers}` });

    // An agent and a run, without anyone starting `serve`.
    const agent = await startAgent(workspace, 'codex');
    onTestFinished(agent.leave);
    expect(await agent.call('read_file', { path: 'other.txt' })).toContain('one');
    const run = signalbox('run', 'Finish', '-p', 'openai', '--until', 'test -e made.txt');
    const asked = approveLineOf(run.stderr);
    await runHasWritten.promise;
    const written = await agent.bash('echo three >> shared.txt');
    expect(written).toContain('openai changed other.txt (1 line) since you read it');
    const answer = agent.bash('cat word-of-agent.txt && rm -rf old-agent');
    agentHasWritten.resolve();
    const approve = await asked;

    // The dashboard prints a link, and its page responds.
    const link = Link.parse(JSON.parse((await signalbox('dashboard', '--json')).stdout));
    const page = await openPage(link.url);
    expect(page.html).toMatch(/<div id="?(?:app|root)/);
    const waiting = async () => {
      const { approvals } = await page.ask('GET', '/api/approvals', listApprovals.schema.response[200]);
      return approvals.map(({ command }) => command);
    };
    await expect.poll(async () => (await waiting()).length, { timeout: 120_000 }).toBe(2);

    for (const argv of [['watch', '--once'], ['status']]) {
      const { stdout, exitCode } = await signalbox(...argv);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('openai');
      expect(stdout).toContain('codex');
    }

    // One approval at the terminal, one on the page; each answer reaches its caller.
    expect(await signalbox(...approve)).toMatchObject({ exitCode: 0 });
    const ofAgent = (await waiting()).find(({ context }) => context.provider === 'codex');
    const callHash = ofAgent?.approval?.callHash;
    await page.ask('POST', `/api/approvals/${ofAgent?.id}/grant`, z.unknown(), { callHash });
    expect(await answer).toContain(WORD_OF_AGENT);
    const ran = await run;
    expect(ran.exitCode).toBe(0);
    const reported = model.answersTo(2).join('\n');
    expect(reported).toContain(WORD_OF_RUN);
    expect(reported).toContain('codex changed shared.txt (1 line) since you read it');
    expect(['old-run/a', 'old-agent/a', 'made.txt'].map(file)).toEqual([null, null, 'made\n']);

    // The changes by provider; one file is undone.
    const review = await signalbox('review');
    expect(review.stdout).toMatch(/openai[\s\S]*made\.txt {2}\+1 -0/);
    const { providers: reviewed } = Review.parse(JSON.parse((await signalbox('review', '--json')).stdout));
    const changed = (of: string) => reviewed.find((one) => one.provider === of)?.files ?? [];
    expect(changed('openai').map(({ path }) => path)).toEqual(
      expect.arrayContaining(['made.txt', 'other.txt']),
    );
    const shared = changed('codex').find(({ path }) => path === 'shared.txt');
    expect(file('shared.txt')).toBe('one\ntwo\nthree\n');
    expect(await signalbox('undo', shared?.changes[0]?.command ?? '')).toMatchObject({ exitCode: 0 });
    expect(file('shared.txt')).toBe('one\ntwo\n');

    await agent.leave();
    expect(await signalbox('stop')).toMatchObject({ exitCode: 0 });
    expect((await signalbox('status')).stdout).toContain('server not running');
  },
);

/** The words of `signalbox approve ID --expect HASH`, as soon as a run names them. */
async function approveLineOf(talk: AsyncIterable<unknown>): Promise<readonly string[]> {
  let seen = '';
  for await (const part of talk) {
    seen += String(part);
    const [, line] = /signalbox (approve \w+ --expect \w+)/.exec(seen) ?? [];
    if (line !== undefined) return line.split(' ');
  }
  throw new Error(`the run asked nothing: ${seen}`);
}
