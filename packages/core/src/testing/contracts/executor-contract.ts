import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exitCodeOf, type Execution } from '../../commands/execution.ts';
import { createId } from '../../id.ts';
import type { ExecutionHooks, ExecutionRequest, Executor } from '../../ports/executor.ts';

export type ExecutorUnderTest = {
  readonly executor: Executor;
  close(): Promise<void>;
};

/** The contract of every executor, whatever its confinement. Needs an empty workspace. */
export function executorContract(name: string, create: () => Promise<ExecutorUnderTest>): void {
  describe(`executor contract: ${name}`, () => {
    let subject: ExecutorUnderTest;
    beforeEach(async () => {
      subject = await create();
    });
    afterEach(() => subject.close());

    const run = (line: string, more: Partial<ExecutionRequest> = {}, hooks: Partial<ExecutionHooks> = {}) =>
      subject.executor.execute(aShellRequest(line, more), { ...silentHooks(), ...hooks });

    test('a shell line returns its output on both streams and its exit code (S003-71, X-12, S003-42, S003-43)', async () => {
      const done = await run('echo out; echo err >&2; exit 3');
      expect(done.ended).toEqual({ kind: 'exited', exitCode: 3 });
      expect(done.stdout).toEqual({ text: 'out\n', totalBytes: 4, truncated: false });
      expect(done.stderr).toEqual({ text: 'err\n', totalBytes: 4, truncated: false });
      expect(done.durationMs).toBeGreaterThan(0);
    });

    test('an argv is read by no shell (S000-59)', async () => {
      const done = await run('', {
        program: { kind: 'argv', argv: ['printf', '%s|', '$HOME;', '*', 'a b'] },
      });
      expect(done.stdout.text).toBe('$HOME;|*|a b|');
    });

    test('a program that does not exist ends with 127, as in a shell', async () => {
      const done = await run('', { program: { kind: 'argv', argv: ['no-such-program'] } });
      expect(done.ended).toEqual({ kind: 'exited', exitCode: 127 });
    });

    test('a signal that kills the command is distinct from an exit code that looks like one', async () => {
      const [killed, exited] = await Promise.all([run('kill -KILL $$'), run('exit 137')]);
      expect(killed.ended).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
      expect(exited.ended).toEqual({ kind: 'exited', exitCode: 137 });
    });

    test('standard input is the given text, or empty', async () => {
      expect((await run('cat', { stdin: 'a\nb' })).stdout.text).toBe('a\nb');
      expect((await run('cat')).stdout.totalBytes).toBe(0);
    });

    test('a command that does not read its standard input ends all the same', async () => {
      expect((await run('exit 0', { stdin: 'x'.repeat(1024 * 1024) })).ended).toEqual(EXITED_WELL);
    });

    test('a command runs in the requested directory (G2)', async () => {
      await run('mkdir -p sub/folder');
      const done = await run('pwd', { cwd: 'sub/folder' });
      expect(done.stdout.text).toMatch(/\/sub\/folder\n$/);
    });

    test.for(['..', '/', '/etc', 'a/../..', 'way-out'])(
      'a directory outside the workspace is refused: %s',
      async (cwd) => {
        await run('mkdir -p a; ln -sfn / way-out');
        await expect(run('pwd', { cwd })).rejects.toMatchObject({ code: 'path_not_allowed' });
      },
    );

    test('the environment holds none of our variables, and those that the call added', async () => {
      process.env['SECRET_OF_OURS'] = 'leaked';
      const done = await run('env; cat /proc/*/environ 2>/dev/null || true', { env: { CI: '1' } });
      delete process.env['SECRET_OF_OURS'];
      expect(done.stdout.text).toMatch(/^CI=1$/m);
      expect(done.stdout.text).toMatch(/^LC_ALL=C.UTF-8$/m);
      expect(done.stdout.text).toMatch(/^SIGNALBOX_COMMAND=cmd_/m);
      expect(done.stdout.text.split('\n').filter((line) => line.startsWith('SECRET_OF_OURS'))).toEqual([]);
    });

    test.for(['BASH_ENV', 'LD_PRELOAD', 'PATH', 'GIT_CONFIG_COUNT', 'NODE_OPTIONS', 'A=B', 'BASH_FUNC_ls%%'])(
      'a variable that changes what a line means is refused: %s',
      async (variable) => {
        const refused = run('true', { env: { [variable]: 'x' } });
        await expect(refused).rejects.toMatchObject({ code: 'env_not_allowed', category: 'PolicyBlocked' });
      },
    );

    test('a line that exceeds its timeout is ended, and its output is kept (X-13, H3, S000-58, S000-60, S003-38)', async () => {
      const runFor = async (timeoutMs: number): Promise<Execution> => {
        const done = await run('echo before; sleep 60; echo after', { limits: { ...LIMITS, timeoutMs } });
        expect(done.ended).toEqual({ kind: 'timed_out', timeoutMs });
        // A busy machine may have had no time to start it.
        return done.stdout.totalBytes === 0 && timeoutMs < 20_000 ? runFor(10 * timeoutMs) : done;
      };
      const done = await runFor(300);
      expect(done.stdout.text).toBe('before\n');
      expect(exitCodeOf(done)).toBe(-1);
    });

    // A busy machine may need more than the grace period.
    test('a stop signals the whole tree first, so that it can clean up', { retry: 5 }, async () => {
      const stop = new AbortController();
      const line = `trap 'echo cleaned; exit 5' TERM; echo ready; sleep 60 & wait`;
      const onOutput = (): void => stop.abort();
      const done = await run(line, {}, { signal: stop.signal, onOutput });
      expect(done.ended).toEqual({ kind: 'stopped' });
      expect(done.stdout.text).toBe('ready\ncleaned\n');
    });

    test('a command that ignores the signal is killed', async () => {
      const stop = new AbortController();
      const line = `trap '' TERM; echo ready; while :; do sleep 1; done`;
      const done = await run(line, {}, { signal: stop.signal, onOutput: () => stop.abort() });
      expect(done.ended).toEqual({ kind: 'stopped' });
    });

    test('a command that is stopped before it started does not run', async () => {
      const done = await run('touch ran', {}, { signal: AbortSignal.abort() });
      expect(done.ended).toEqual({ kind: 'stopped' });
      expect((await run('ls')).stdout.text).toBe('');
    });

    test('background processes of a command end with it (S003-38, L-39)', async () => {
      const done = await run('sleep 60 & setsid sleep 60 & disown -a; echo done');
      expect(done.ended).toEqual(EXITED_WELL);
      expect(done.stdout.text).toBe('done\n');
      expect(done.durationMs).toBeLessThan(30_000);
    });

    test('output arrives while the command runs, and commands run at the same time (H4, S003-76)', async () => {
      const heard = Promise.withResolvers<string>();
      const stop = new AbortController();
      const waiting = run(
        'echo one; sleep 60; echo two',
        {},
        { signal: stop.signal, onOutput: (_, text) => heard.resolve(text) },
      );
      expect(await heard.promise).toBe('one\n');
      expect((await run('echo other')).stdout.text).toBe('other\n');
      stop.abort();
      expect(await waiting).toMatchObject({ ended: { kind: 'stopped' }, stdout: { text: 'one\n' } });
    });

    test('a character that is printed in two pieces arrives whole', async () => {
      const pieces: string[] = [];
      const onOutput = (_: string, text: string): void => void pieces.push(text);
      const done = await run(`printf '\\xe2\\x82'; sleep 0.05; printf '\\xac!'`, {}, { onOutput });
      expect(done.stdout).toEqual({ text: '€!', totalBytes: 4, truncated: false });
      expect(pieces.join('')).toBe('€!');
    });

    test('long output keeps its head and its tail, and all of it in a file (X-44, S003-77)', async () => {
      const done = await run(`for i in {1..30000}; do echo "line $i €"; done`);
      const { text, totalBytes, truncated, spillFile } = done.stdout;
      expect(truncated).toBe(true);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(102_400);
      expect(text.startsWith('line 1 €\nline 2 €\n')).toBe(true);
      expect(text.endsWith('line 29999 €\nline 30000 €\n')).toBe(true);
      expect(text).not.toContain('\uFFFD');
      const whole = readFileSync(spillFile ?? '', 'utf8');
      expect(Buffer.byteLength(whole)).toBe(totalBytes);
      expect(whole.split('\n')).toHaveLength(30_001);
    });

    test("a read-only workspace can't be written", async () => {
      const done = await run('touch file', { workspace: 'read' });
      if (done.isolation.fs.strength === 'off') return;
      expect(done.ended).toEqual({ kind: 'exited', exitCode: 1 });
      expect((await run('touch file; ls')).stdout.text).toBe('file\n');
    });

    test("a file can't grow beyond its limit", async () => {
      const limits = { ...LIMITS, fileBytes: 10_240 };
      const done = await run('head -c 100000 /dev/zero > file; wc -c < file', { limits });
      expect(done.stdout.text.trim()).toBe('10240');
    });

    test('a tree that exceeds its memory limit is ended for it', async () => {
      const limits = { ...LIMITS, memoryBytes: 64 * 1024 ** 2 };
      const done = await run('head -c 400000000 /dev/zero | tail -c 300000000 | sleep 20', { limits });
      expect(done.ended).toEqual({ kind: 'limited', limit: 'max_memory_mb' });
      expect(done.usage.peakMemoryBytes).toBeGreaterThan(32 * 1024 ** 2);
    });

    test('the processor time of the whole tree is counted', async () => {
      const done = await run('(for ((i = 0; i < 200000; i++)); do :; done) & wait');
      expect(done.usage.cpuMs).toBeGreaterThan(10);
    });

    test('the start is reported once, with a process id', async () => {
      const pids: number[] = [];
      await run('true', {}, { onStart: (pid) => pids.push(pid) });
      expect(pids).toEqual([expect.any(Number)]);
    });

    test('ten concurrent commands each get their own result', async () => {
      const all = await Promise.all(
        Array.from({ length: 10 }, (_, index) => run(`echo ${index}; exit ${index}`)),
      );
      expect(all.map(({ ended, stdout }) => [ended, stdout.text])).toEqual(
        all.map((_, index) => [{ kind: 'exited', exitCode: index }, `${index}\n`]),
      );
    });

    test('a command reports exactly what it changed, or that it is unknown (S003-39)', async () => {
      await run('mkdir d; echo old > d/changed; echo old > gone');
      const done = await run('echo new > d/changed; rm gone; echo x > made; cat made >/dev/null');
      const hash: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);
      const exactly = [
        { path: 'd/changed', kind: 'modified', hash, linesAdded: 1, linesRemoved: 1 },
        { path: 'gone', kind: 'deleted', hash: null, linesAdded: 0, linesRemoved: 1 },
        { path: 'made', kind: 'created', hash, linesAdded: 1, linesRemoved: 0 },
      ];
      expect(done.changes).toEqual(done.isolation.layer === 'overlay' ? exactly : undefined);
    });

    test('transactions never commit what they must not', async () => {
      const mayCommit = async () => ({ kind: 'denied', why: ['not now'] }) as const;
      const done = await run('echo x > made; exit 4', {}, { mayCommit });
      const isTransaction = done.isolation.layer === 'overlay';
      expect(done.ended).toMatchObject(
        isTransaction ? { kind: 'refused', exitCode: 4, why: ['not now'] } : { kind: 'exited', exitCode: 4 },
      );
      expect((await run('ls')).stdout.text).toBe(isTransaction ? '' : 'made\n');
    });

    test('the reported confinement of a command equals the one announced', async () => {
      expect((await run('true')).isolation).toEqual(await subject.executor.isolation());
    });
  });
}

const EXITED_WELL: Execution['ended'] = { kind: 'exited', exitCode: 0 };

const LIMITS: ExecutionRequest['limits'] = {
  timeoutMs: 30_000,
  memoryBytes: 512 * 1024 ** 2,
  cpuPercent: 100,
  processes: 256,
  fileBytes: 1024 ** 3,
  openFiles: 256,
};

/**
 * A line in the workspace's root, at most 30 s and 512 MiB, without network. Each has its own id, by which a command's
 * processes are found on the whole machine, where other tests run too.
 */
export function aShellRequest(line: string, more: Partial<ExecutionRequest> = {}): ExecutionRequest {
  return {
    commandId: createId('command', (length) => crypto.getRandomValues(new Uint8Array(length))),
    program: { kind: 'shell', line },
    cwd: '.',
    env: {},
    limits: LIMITS,
    network: 'off',
    workspace: 'write',
    ...more,
  };
}

function silentHooks(): ExecutionHooks {
  return { signal: new AbortController().signal, onOutput: () => undefined };
}
