import { closeSync, fstatSync, renameSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { UnavailableError, type UsageError } from '@signalbox/core';
import { findWorkspaceHolder } from '@signalbox/embedded';
import { sendSignal, type StartedProcess, startProcess } from '@signalbox/sandbox';
import type { RuntimeEntry } from '../runtime/contract/runtime.ts';
import { IS_BUILT } from '../runtime/contract/checkout.ts';
import { openStateFile } from '../runtime/workspace/state-file.ts';
import { refuseWhole } from '../runtime/workspace/refuse-whole.ts';
import { requireOwnState, STATE_FOLDER } from '../runtime/workspace/state-folder.ts';
import { coordinatorEnv } from './coordinator-env.ts';
import { prepareSocket, RUN_FOLDER } from '../runtime/server/coordinator-record.ts';
import { findCoordinator } from './find-coordinator.ts';
import { LOG_FILE, MAX_LOG_BYTES } from './log-of-coordinator.ts';
import { readStartReport } from './start-report.ts';
import { nextChange, withFileLock } from '../runtime/server/with-file-lock.ts';

/** A machine under load takes seconds to start one. Restarted by each progress report. */
const READY_WITHIN_MS = 60_000;
/** For another client that is starting one: it gives up by itself at the time above, unless there is progress. */
const STARTED_WITHIN_MS = 2 * READY_WITHIN_MS;
/** For a coordinator that another process has started and that is about to listen. */
const LISTENS_WITHIN_MS = 10_000;

/** Saves a start a twelfth of its processor time, most of it garbage collection, for 5 MiB of memory. */
const NODE_FLAGS = ['--min-semi-space-size=16'];

type Start = Parameters<RuntimeEntry['startCoordinator']>[0];

/**
 * Starts a coordinator in its own session, so that neither Ctrl-C nor the end of a terminal reaches it, and waits for
 * its report. If many clients do so at once, one starts it and the others find it.
 *
 * @param entry file of the program; default: the running one
 * @throws {UnavailableError} the coordinator's own error; `coordinator-not-started` if it reported none
 */
export async function spawnCoordinator(start: Start, entry: string = ownEntry()): Promise<void> {
  const { workspace, env, clock } = start;
  requireOwnState(workspace);
  refuseWhole(workspace, env);
  prepareSocket(workspace, env);
  const lock = join(workspace, STATE_FOLDER, RUN_FOLDER, 'start.lock');
  await withFileLock(lock, { clock, withinMs: STARTED_WITHIN_MS, subcommand: 'start' }, async () => {
    if (await isThere(start)) return;
    const report = await spawned(start, entry);
    if (report === 'ready') return;
    // The client that started it was killed meanwhile.
    if (report.code === 'workspace-held' && (await isAboutToListen(start))) return;
    throw report;
  });
}

async function spawned(start: Start, entry: string): Promise<'ready' | UsageError | UnavailableError> {
  const { workspace, env } = start;
  const file = join(workspace, STATE_FOLDER, RUN_FOLDER, LOG_FILE);
  const log = openLog(file);
  try {
    const child = startProcess({
      argv: [process.execPath, ...NODE_FLAGS, entry, '-C', workspace, '--no-input', 'coordinator'],
      cwd: '/',
      env: coordinatorEnv(env),
      descriptors: ['ignore', log, log, 'pipe'],
    });
    const report = await reportOf(child, start);
    child.hold(false);
    return report === null
      ? silent(file)
      : report instanceof UnavailableError
        ? withLog(report, file)
        : report;
  } finally {
    closeSync(log);
  }
}

function openLog(file: string): number {
  const log = openStateFile(file, 'append');
  if (fstatSync(log).size <= MAX_LOG_BYTES) return log;
  closeSync(log);
  renameSync(file, `${file}.1`);
  return openStateFile(file, 'append');
}

/** Its last report before it closes the pipe, at the latest at its end; null if there is none. */
async function reportOf(
  child: StartedProcess,
  { clock, onRecovery = () => undefined }: Pick<Start, 'clock' | 'onRecovery'>,
): Promise<'ready' | UsageError | UnavailableError | null> {
  const pipe = child.streams[3];
  if (!(pipe instanceof Readable)) return null;
  const { pid } = child;
  // It does not lead the workspace yet.
  const patience = (): (() => void) =>
    clock.timer(READY_WITHIN_MS, () => pid !== undefined && sendSignal(-pid, 'SIGKILL'));
  let cancel = patience();
  let last: 'ready' | UsageError | UnavailableError | null = null;
  try {
    for await (const text of createInterface({ input: pipe })) {
      const word = readStartReport(text);
      if (word === null || word === 'ready' || word instanceof Error) last = word;
      else {
        cancel();
        cancel = patience();
        onRecovery(word);
      }
    }
  } finally {
    cancel();
  }
  return last;
}

async function isThere({ workspace, clock }: Start): Promise<boolean> {
  return (await findCoordinator({ directory: workspace, clock }, 'start the coordinator')) !== null;
}

async function isAboutToListen(start: Start): Promise<boolean> {
  const { workspace, clock } = start;
  const folder = join(workspace, STATE_FOLDER);
  const until = clock.monotonic() + LISTENS_WITHIN_MS;
  while (clock.monotonic() < until) {
    const changed = nextChange(join(folder, RUN_FOLDER), clock);
    try {
      if (await isThere(start)) return true;
      const holder = await findWorkspaceHolder(folder, hostname());
      if (holder === null) return false;
      await changed.promise;
    } finally {
      changed.ignore();
    }
  }
  return false;
}

/** The file with which this program was started. */
function ownEntry(): string {
  return join(import.meta.dirname, IS_BUILT ? 'main.js' : '../main.ts');
}

/** Its own error comes first; earlier messages are in the log. */
function withLog({ code, message, why, next, cause }: UnavailableError, log: string): UnavailableError {
  return new UnavailableError(code, message, { why, next: [...next, `its log: ${log}`], cause });
}

function silent(log: string): UnavailableError {
  return new UnavailableError(
    'coordinator-not-started',
    'Cannot start the coordinator: it exited immediately',
    {
      why: ['it gave no reason'],
      next: [`read its log: ${log}`, 'signalbox serve --foreground   shows it here'],
    },
  );
}
