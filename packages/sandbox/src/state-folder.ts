import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { arch } from 'node:os';
import { SandboxError } from '@signalbox/core';
import { findBubblewrap } from './bubblewrap/bubblewrap.ts';
import { seccompFilter } from './bubblewrap/seccomp.ts';
import type { ExecutorOptions } from './executor-options.ts';
import { NO_IDENTITY } from './git/git-identity.ts';
import { createPipes, type Pipes } from './output/output-pipe.ts';

/** Files every command needs, created once. */
export type PreparedState = {
  /**
   * Absolute path of the program.
   *
   * @throws {SandboxError} when it is not installed
   */
  readonly bubblewrap: () => string;
  readonly gitConfig: string;
  /** Returns a descriptor of the seccomp filter, at offset 0. The caller closes it. */
  readonly openFilter: () => number;
  /** Creates a command's pipes. Only Linux has named ones; elsewhere sockets are used. */
  readonly pipes: Pipes;
  /** Closes the descriptors kept open. */
  readonly close: () => void;
};

/** @throws {SandboxError} when the folder can't be created */
export function prepareState(options: ExecutorOptions): PreparedState {
  makeFolder(options.stateFolder);
  removeLeftovers(options.stateFolder);
  const gitConfig = `${options.stateFolder}/gitconfig`;
  putText(gitConfig, gitConfiguration(options));
  let filter: number | null = null;
  const pipes = createPipes(options.stateFolder);
  return {
    bubblewrap: () => bubblewrapOf(options),
    gitConfig,
    openFilter: () => openSync(`/proc/self/fd/${(filter ??= keepFilter(options.stateFolder))}`, 'r'),
    pipes,
    close() {
      pipes.close();
      if (filter !== null) closeSync(filter);
      filter = null;
    },
  };
}

function bubblewrapOf({ bubblewrap, path, workspace }: ExecutorOptions): string {
  if (process.platform !== 'linux') {
    throw new SandboxError(
      `Cannot use bubblewrap: it is a program of Linux, and this is "${process.platform}"`,
      {
        next: ['Run Signalbox on Linux, or in a virtual machine with it'],
      },
    );
  }
  const found = bubblewrap ?? findBubblewrap(path, workspace);
  if (found !== null) return found;
  throw new SandboxError('Cannot run commands: the program "bwrap" is not installed', {
    next: ['Install bubblewrap, on Debian or Ubuntu: apt-get install bubblewrap', 'signalbox doctor'],
  });
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new SandboxError(`Cannot run commands: the folder "${path}" can't be created`, { cause });
  }
}

const SHORT_LIVED = /^(?:pipe|argv|filter|gitconfig|seccomp\.json)-[0-9a-f]{8}-/;
/** Younger files may belong to another process that is using them. */
const LEFT_AFTER_MS = 60_000;

/** Removes temporary files of processes that were killed before they could remove them. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => SHORT_LIVED.test(entry))) {
    const path = `${folder}/${name}`;
    const madeAt = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - madeAt > LEFT_AFTER_MS) rmSync(path, { force: true });
  }
}

/** Keeps the filter in an unlinked file that no process can change. Each run reads it from the start. */
function keepFilter(stateFolder: string): number {
  const filter = seccompFilter(arch());
  if (filter === null) {
    throw new SandboxError(`Cannot run commands: there is no seccomp filter for "${arch()}"`, {
      next: ['Run Signalbox on x64 or arm64'],
    });
  }
  const path = `${stateFolder}/filter-${randomUUID()}`;
  const writer = openSync(path, 'wx', 0o400);
  const reader = openSync(path, 'r');
  unlinkSync(path);
  writeSync(writer, filter);
  closeSync(writer);
  return reader;
}

/** Writes atomically, and only if the text differs: commands of other processes may be reading the file. */
export function putText(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  const beside = `${path}-${randomUUID()}`;
  writeFileSync(beside, text);
  chmodSync(beside, 0o644);
  renameSync(beside, path);
}

function gitConfiguration({ gitIdentity, workspace }: ExecutorOptions): string {
  const { name, email } = gitIdentity ?? NO_IDENTITY;
  const quote = (text: string): string =>
    `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll(/\p{Cc}/gu, ' ')}"`;
  return [
    '[user]',
    `\tname = ${quote(name)}`,
    `\temail = ${quote(email)}`,
    // The workspace may belong to another user than ours.
    '[safe]',
    `\tdirectory = ${quote(workspace)}`,
    '[advice]',
    '\tdetachedHead = false',
    '',
  ].join('\n');
}
