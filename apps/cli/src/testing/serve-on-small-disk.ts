import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MAIN } from './agent.ts';

/** Of util-linux. */
const UNSHARE = 'unshare';

/** A new mount namespace, with the rights to mount in it; its mounts end with its last process. */
const NAMESPACE = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m'];

export type SmallDisk = AsyncDisposable & {
  /** The workspace as this process reaches it: the mount is in the namespace of the server. */
  readonly folder: string;
  readonly url: string;
  /** Fills the disk except for about that many bytes, or frees it. */
  fill(leave?: number): void;
  empty(): void;
  /** The server's exit code; null while it runs. */
  exitCode(): number | null;
  stderr(): string;
  ask(
    method: string,
    path: string,
    options?: Readonly<{ body?: unknown }>,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  bash(
    line: string,
    more?: Record<string, unknown>,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
};

/**
 * `signalbox serve` with its workspace on a small private file system in memory.
 *
 * @param before run by a shell in the empty workspace before the server starts
 */
export async function serveOnSmallDisk(size: string, before = 'true'): Promise<SmallDisk> {
  const mount = mkdtempSync(join(tmpdir(), 'signalbox-small-'));
  const script = `mount -t tmpfs -o size=${size} none "$0" && cd "$0" && { ${before}; } && exec "$@"`;
  const serve = [process.execPath, MAIN, '-C', mount, 'serve', '--foreground', '--port', '0', '--json'];
  const child = spawn(UNSHARE, [...NAMESPACE, 'sh', '-c', script, mount, ...serve], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, XDG_CONFIG_HOME: `${mount}.config` },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const started = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const [first] = await Promise.race([started, once(child, 'exit').then(() => [])]);
  if (first === undefined) throw new Error(`The server did not start: ${stderr}`);
  const { url } = JSON.parse(first) as { url: string };
  const folder = `/proc/${child.pid}/root${mount}`;
  const { token } = JSON.parse(readFileSync(join(folder, '.signalbox/server.json'), 'utf8')) as {
    token: string;
  };
  const filler = join(folder, 'filler');

  async function ask(method: string, path: string, { body }: Readonly<{ body?: unknown }> = {}) {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  return {
    folder,
    url,
    ask,
    fill(leave = 0) {
      const file = openSync(filler, 'a');
      const page = Buffer.alloc(4096);
      try {
        for (;;) writeSync(file, page);
      } catch {
        // Full.
      }
      closeSync(file);
      if (leave > 0) truncateSync(filler, statSync(filler).size - leave);
    },
    empty: () => rmSync(filler, { force: true }),
    exitCode: () => child.exitCode,
    stderr: () => stderr,
    bash: (line, more = {}) =>
      ask('POST', '/api/commands', { body: { tool: 'bash', args: { line }, wait: true, ...more } }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
      rmSync(mount, { recursive: true, force: true });
    },
  };
}
