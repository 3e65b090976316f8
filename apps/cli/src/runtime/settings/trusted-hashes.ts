import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { errorText, UnavailableError, UsageError } from '@signalbox/core';
import * as z from 'zod';

/** Workspace to the hashes of what its user trusts. */
const Stored = z.record(z.string(), z.array(z.string()));
type Stored = z.infer<typeof Stored>;

/** What a user trusts in a workspace, by its full text, kept in a file of their own. */
export type TrustedHashes = {
  readonly has: (words: string) => boolean;
  /** Trusts exactly these of this workspace from now on. */
  replace(words: readonly string[]): Promise<void>;
};

/** A file that can't be read trusts nothing, and neither does one that commands in the workspace could write. */
export async function readTrustedHashes(file: string, workspace: string): Promise<TrustedHashes> {
  const backend = realpathSync(workspace);
  const isWritable = isWithin(dirname(file), workspace);
  const hashes = new Set(isWritable ? [] : (await readStored(file))[backend]);
  return {
    has: (words) => hashes.has(hashOf(words)),
    async replace(words) {
      if (isWritable) throw insideWorkspace(dirname(file));
      try {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await change(file, (stored) => ({ ...stored, [backend]: words.map(hashOf) }));
      } catch (cause) {
        throw notKept(dirname(file), cause);
      }
      hashes.clear();
      for (const one of words) hashes.add(hashOf(one));
    },
  };
}

/**
 * Whether a folder is inside the workspace, with links resolved; a missing folder is judged by its nearest existing
 * parent.
 */
export function isWithin(folder: string, workspace: string): boolean {
  const path = relative(realpathSync(workspace), nearestReal(folder));
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path));
}

function nearestReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : nearestReal(dirname(path));
  }
}

/** The draft is the lock: its creator reads, changes and renames it, so no change is lost. */
async function change(file: string, to: (stored: Stored) => Stored): Promise<void> {
  const draft = `${file}.new`;
  const handle = await takeDraft(draft);
  try {
    await handle.writeFile(`${JSON.stringify(to(await readStored(file)), null, 2)}\n`);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

const POLL_AGAIN_MS = 10;
/** Older drafts were left by a killed process. */
const LEFT_AFTER_MS = 5000;

async function takeDraft(draft: string) {
  for (;;) {
    try {
      return await open(draft, 'wx', 0o600);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const made = (await stat(draft).catch(() => null))?.mtimeMs ?? Date.now();
    if (Date.now() - made > LEFT_AFTER_MS) await rm(draft, { force: true });
    else await setTimeout(POLL_AGAIN_MS);
  }
}

async function readStored(file: string): Promise<Stored> {
  try {
    const parsed = Stored.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

function notKept(folder: string, cause: unknown): UnavailableError {
  return new UnavailableError('trust-not-kept', `Cannot store your trust decisions in "${folder}"`, {
    cause,
    why: [errorText(cause)],
    next: ['make that folder writable', 'or store them elsewhere: export XDG_CONFIG_HOME=…'],
  });
}

function insideWorkspace(folder: string): UsageError {
  return new UsageError(
    'settings-in-workspace',
    `Cannot trust anything here: your configuration folder "${folder}" is in this workspace`,
    {
      why: ['commands in the workspace could change your trust decisions'],
      next: ['store them elsewhere: export XDG_CONFIG_HOME=…'],
    },
  );
}

function hashOf(words: string): string {
  return createHash('sha256').update(words).digest('hex');
}
