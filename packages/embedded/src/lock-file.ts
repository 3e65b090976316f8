import { link, open, readFile, rename, rm } from 'node:fs/promises';
import * as z from 'zod';
import { livenessOf, ProcessIdentity } from './process-identity.ts';

/** Content of a lock file. */
export const LockHolder = z
  .strictObject({
    /** Unique to this lock, so that it is never mistaken for an earlier or later one. */
    nonce: z.string().regex(/^[0-9a-f]{16,64}$/),
    process: ProcessIdentity,
    /** Epoch milliseconds. */
    startedAt: z.number(),
    /** The subcommand that started the process: `run`, `serve`. */
    subcommand: z.string(),
  })
  .readonly();
export type LockHolder = z.infer<typeof LockHolder>;

export type LockAnswer =
  | { readonly kind: 'taken' }
  /** `holder` is null if the file can't be parsed as a lock. */
  | { readonly kind: 'held'; readonly path: string; readonly holder: LockHolder | null };

/**
 * Takes a lock file, or returns its holder.
 *
 * The file appears with its content in one step (`link` fails if the name is taken). Only the holder of a guard may
 * replace a stale lock. The guard is a lock file named after the stale lock's nonce. So if two processes find the lock
 * stale, one of them replaces it, and a fresh lock is never removed. A guard whose holder died is taken over in the
 * same way.
 */
export async function takeLock(path: string, mine: LockHolder): Promise<LockAnswer> {
  for (;;) {
    if (await create(path, mine)) return { kind: 'taken' };
    const found = await read(path);
    if (found.kind === 'none') continue;
    if (found.kind === 'unreadable') return { kind: 'held', path, holder: null };
    const { holder } = found;
    if ((await livenessOf(holder.process, mine.process.host)) !== 'dead')
      return { kind: 'held', path, holder };
    const guard = `${path}.${holder.nonce}`;
    const answer = await takeLock(guard, mine);
    // Another process is taking it over and is about to hold it.
    if (answer.kind === 'held') return answer;
    const replaced = await replace(path, holder.nonce, mine);
    await rm(guard, { force: true });
    if (replaced) return { kind: 'taken' };
  }
}

/** Removes the lock if its nonce still matches. */
export async function leaveLock(path: string, nonce: string): Promise<void> {
  const found = await read(path);
  if (found.kind === 'lock' && found.holder.nonce === nonce) await rm(path, { force: true });
}

export async function readLock(path: string): Promise<LockHolder | null> {
  const found = await read(path);
  return found.kind === 'lock' ? found.holder : null;
}

/** Returns false if the file already exists. */
async function create(path: string, mine: LockHolder): Promise<boolean> {
  const draft = await writeDraft(path, mine);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Call only as the holder of the guard: it rules out a replacement between the check and the change. */
async function replace(path: string, nonce: string, mine: LockHolder): Promise<boolean> {
  const found = await read(path);
  if (found.kind !== 'lock' || found.holder.nonce !== nonce) return false;
  await rename(await writeDraft(path, mine), path);
  return true;
}

async function writeDraft(path: string, mine: LockHolder): Promise<string> {
  const draft = `${path}.${mine.nonce}.draft`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(mine)}\n`);
    await file.sync();
  } catch (error) {
    // After a failure, such as a full disk, each try would leave one more draft behind.
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return draft;
}

type FoundLock =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'lock'; readonly holder: LockHolder };

async function read(path: string): Promise<FoundLock> {
  try {
    const parsed = LockHolder.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? { kind: 'lock', holder: parsed.data } : { kind: 'unreadable' };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { kind: 'none' };
    if (error instanceof SyntaxError) return { kind: 'unreadable' };
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
