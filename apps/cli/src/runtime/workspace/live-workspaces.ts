import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import { identityOf, livenessOf, ProcessIdentity } from '@signalbox/embedded';
import * as z from 'zod';
import { quoteWord } from '../../terminal/quote-word.ts';
import { writeWhole } from './write-whole.ts';

/** A workspace that a process of this account leads. */
const LiveWorkspace = z
  .strictObject({ directory: z.string(), subcommand: z.string(), process: ProcessIdentity })
  .readonly();
type LiveWorkspace = z.infer<typeof LiveWorkspace>;

type Leader = Readonly<{
  directory: string;
  subcommand: string;
  host: Readonly<{ name: string; pid: number }>;
  env: Readonly<Record<string, string | undefined>>;
}>;

/**
 * Records for other processes of this account that we lead a workspace; returns how to remove the record. An unwritable
 * state folder is no obstacle.
 *
 * @throws {UnavailableError} `workspace-inside` while another process leads a workspace inside this one
 */
export async function enterLiveWorkspaces({ directory, subcommand, host, env }: Leader): Promise<() => void> {
  const folder = join(
    env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state'),
    'signalbox',
    'live',
  );
  for (const file of filesIn(folder)) {
    const other = read(file);
    const liveness = other === null ? 'dead' : await livenessOf(other.process, host.name);
    if (liveness === 'dead') rmSync(file, { force: true });
    // A record of another machine, on a shared home folder, can't be checked and blocks nothing.
    if (other === null || liveness !== 'alive') continue;
    if (other.directory.startsWith(directory === '/' ? '/' : `${directory}/`)) throw inside(directory, other);
  }
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  const file = join(folder, `${name}-${host.pid}.json`);
  const ours: LiveWorkspace = { directory, subcommand, process: await identityOf(host.pid, host.name) };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhole(file, `${JSON.stringify(ours)}\n`);
  } catch {
    return () => undefined;
  }
  return () => rmSync(file, { force: true });
}

function inside(directory: string, other: LiveWorkspace): UnavailableError {
  return new UnavailableError(
    'workspace-inside',
    `Cannot lead the workspace "${directory}": "${relative(directory, other.directory)}" inside it has a coordinator of its own`,
    {
      why: [
        `\`signalbox ${other.subcommand}\` holds it, process ${other.process.pid}`,
        'two workspaces on the same files would not see each other’s commands',
      ],
      next: [
        `signalbox -C ${quoteWord(other.directory)} …   works in that one`,
        `Stop it: kill ${other.process.pid}`,
      ],
    },
  );
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function read(file: string): LiveWorkspace | null {
  try {
    return LiveWorkspace.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
