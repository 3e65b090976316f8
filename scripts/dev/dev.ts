// Checks and serves this checkout while it is edited, until Ctrl-C:
//
//   types   the compiler in watch mode, of everything and of the dashboard
//   tests   the tests of each file that changes
//   serve   `signalbox serve` from source
//   page    the dashboard from source, which reloads itself; its requests go to that server
//
//   node scripts/dev/dev.ts [--workspace DIR] [--no-tests] [--no-page]
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type ConcurrentlyCommandInput,
  createConcurrently,
  KillOnSignal,
  KillOthers,
  LogError,
  LogExit,
  Logger,
  LogOutput,
  RestartProcess,
} from 'concurrently';
import { findWorkspaceHolder } from '../../packages/embedded/src/workspace-lock.ts';
import { createScratchWorkspace } from './scratch-workspace.ts';
import { spawnTied } from './spawn-tied.ts';
import { withoutNoise } from './without-noise.ts';

/** A child that dies more often ends all. */
const RESTARTS = 2;
const RESTART_AFTER_MS = 1000;
const KILLED_AFTER_MS = 20_000;
const PAGE_PORT = 5173;

const { values: flags } = parseArgs({
  options: {
    workspace: { type: 'string' },
    'no-tests': { type: 'boolean', default: false },
    'no-page': { type: 'boolean', default: false },
  },
});

const root = process.cwd();
const tsc = 'exec tsc --noEmit --watch --preserveWatchOutput --incremental';
const cache = join('node_modules', '.cache');
const children: ConcurrentlyCommandInput[] = [
  { name: 'types', command: `${tsc} --tsBuildInfoFile ${cache}/dev.tsbuildinfo`, prefixColor: 'blue' },
  {
    name: 'types',
    command: `${tsc} -p apps/dashboard --tsBuildInfoFile ${cache}/dev-dashboard.tsbuildinfo`,
    prefixColor: 'blue',
  },
];
if (!flags['no-tests']) {
  children.push({
    name: 'tests',
    command: `exec node "${join(import.meta.dirname, 'watch-tests.ts')}"`,
    prefixColor: 'yellow',
  });
}

using scratch = flags.workspace === undefined && !flags['no-page'] ? createScratchWorkspace() : null;
const workspace = scratch?.path ?? resolve(flags.workspace ?? '.');
const [pagePort, serverPort] = [await freePort(PAGE_PORT), await freePort(0)];
if (!flags['no-page']) {
  // Only one process leads a workspace: a running coordinator is given the port.
  const holder = await findWorkspaceHolder(join(workspace, '.signalbox'), hostname());
  const how = holder === null ? '--foreground' : '';
  children.push(
    {
      name: 'serve',
      command: `exec node "${join(root, 'apps/cli/src/main.ts')}" serve ${how} --port ${serverPort} --json --quiet`,
      cwd: workspace,
      prefixColor: 'green',
    },
    {
      name: 'page',
      command: `exec vite --host 127.0.0.1 --port ${pagePort} --strictPort --logLevel warn --clearScreen false`,
      cwd: join(root, 'apps/dashboard'),
      env: { SIGNALBOX_DEV_SERVER: `http://127.0.0.1:${serverPort}` },
      prefixColor: 'magenta',
    },
  );
}

const ended = new Set<number>();
const logger = new Logger({ prefixFormat: 'name' });
const abortController = new AbortController();
// `run.mjs` was killed, and could pass on no signal.
if (process.channel !== undefined && process.channel !== null) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
const { commands, result } = createConcurrently(children, {
  logger,
  cwd: root,
  outputStream: withoutNoise(process.stdout, () => ended.size > 0),
  // In a group of its own: Ctrl-C reaches a child through us, once.
  spawn: spawnTied,
  kill: endChild,
  abortSignal: abortController.signal,
  controllers: [
    new LogError({ logger }),
    new LogOutput({ logger }),
    new LogExit({ logger }),
    new KillOnSignal({ process, abortController }),
    new RestartProcess({ logger, tries: RESTARTS, delay: RESTART_AFTER_MS }),
    new KillOthers({
      logger,
      abortController,
      conditions: ['failure', 'success'],
      killSignal: undefined,
      timeoutMs: KILLED_AFTER_MS,
    }),
  ],
});
commands
  .find(({ name }) => name === 'serve')
  ?.stdout.subscribe((text) => {
    if (text.includes('"server.started"')) notifyPage().catch((error: unknown) => console.error(error));
  });
await result.catch(() => (process.exitCode = 1));

/**
 * Ends a child, which ends what it started. Only once, since the server exits at once on a second signal. A compiler
 * has no state to save, and would first finish its work.
 */
function endChild(pid: number, signal?: string): void {
  const isCompiler = commands.some((child) => child.pid === pid && child.name === 'types');
  if (isCompiler || signal === 'SIGKILL') sendSignal(-pid, 'SIGKILL');
  else if (!ended.has(pid)) sendSignal(pid, signal);
  ended.add(pid);
}

/** Sends nothing to a process that has ended meanwhile. */
function sendSignal(pid: number, signal?: string): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function notifyPage(): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${serverPort}/api/entry-codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenOf(workspace)}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const { code } = (await response.json()) as { code: string };
  process.stdout.write(`\n  ${workspace}\n  http://127.0.0.1:${pagePort}/#enter=${code}\n\n`);
}

function tokenOf(folder: string): string {
  const access = JSON.parse(readFileSync(join(folder, '.signalbox', 'server.json'), 'utf8')) as {
    token: string;
  };
  return access.token;
}

/** That port, or any other if it is taken. */
async function freePort(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort(0);
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : wanted;
}
