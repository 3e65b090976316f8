import type { CommandLine } from './parse-command-line.ts';
import { resolve } from 'node:path';
import { UsageError } from '@signalbox/core';
import { createContext } from './create-context.ts';
import { entry } from './runtime-entry.ts';
import { endAtFault } from './end-at-fault.ts';
import { loadSubcommand } from './load-subcommand.ts';
import { reportError } from './show-error.ts';
import { type FoundWorkspace, findWorkspace } from '../runtime/workspace/find-workspace.ts';

type Host = NodeJS.Process;
type Request = Pick<Extract<CommandLine, { kind: 'run' }>, 'given' | 'flags'> &
  Readonly<{ row: { name: string } }>;

/** Runs a subcommand with a real context; every thrown error is reported in one form. */
export async function runSubcommand(host: Host, { row, given, flags }: Request): Promise<number> {
  endAtFault(host, flags);
  try {
    const subcommand = await loadSubcommand(row.name);
    return await subcommand.run(
      given,
      createContext(host, flags, { found: workspaceFor(host, { row, given, flags }), entry }),
    );
  } catch (error) {
    return reportError(host, error, flags);
  }
}

/** Subcommands that need no workspace, or take one as an argument. */
const ANYWHERE: ReadonlySet<string> = new Set(['bench', 'completion', 'demo', 'help']);

function workspaceFor(host: Host, { row, given, flags: { directory, server } }: Request): FoundWorkspace {
  const from = resolve(whereStarted(host), directory ?? '.');
  if (ANYWHERE.has(row.name) || server !== undefined) return { cwd: from, directory: from };
  return findWorkspace(from, host.env, {
    takesBrought: row.name === 'config' && given['action'] === 'trust',
  });
}

/** @throws {UsageError} `no-workspace` if the folder was removed meanwhile */
function whereStarted(host: Host): string {
  try {
    return host.cwd();
  } catch (cause) {
    throw new UsageError('no-workspace', 'Cannot find the current folder: it was removed', {
      next: ['cd into an existing folder'],
      cause,
    });
  }
}
