import { link, open, readFile, rename, rm } from 'node:fs/promises';
import * as z from 'zod';
import { livenessOf, ProcessIdentity } from './process-identity.ts';

/** What stands in a lock file. */
export const LockHolder = z
  .strictObject({
    /** Of this one lock, so that nobody mistakes it for an earlier or later one. */
    nonce: z.string().regex(/^[0-9a-f]{16,64}$/),
    process: ProcessIdentity,
    /** Epoch milliseconds. */
    startedAt: z.number(),
    /** What it was started as: `run`, `serve`. */
    subcommand: z.string(),
  })
  .readonly();
export type LockHolder = z.infer<typeof LockHolder>;

export type LockAnswer =
  | { readonly kind: 'taken' }
  /** `holder` is null when the file can't be read as a lock. */
  | { readonly kind: 'held'; readonly path: string; readonly holder: LockHolder | null };

/**
 * Takes a lock file, or says who holds it.
 *
 * The file appears with its content in one step (`link` fails when the name is taken). A stale one may be
 * replaced only by who holds the guard of exactly that lock, a lock file named after its nonce; so of two
 * who find it stale one replaces it, and nobody ever removes a fresh one. A guard whose holder died is taken
 * over in the same way.
 */
export async function takeLock(path: string, mine: LockHolder): Promise<LockAnswer> {
  for (;;) {
    if (await place(path, mine)) return { kind: 'taken' };
    const standing = await read(path);
    if (standing.kind === 'none') continue;
    if (standing.kind === 'unreadable') return { kind: 'held', path, holder: null };
    const { holder } = standing;
    if ((await livenessOf(holder.process, mine.process.host)) !== 'dead')
      return { kind: 'held', path, holder };
    const guard = `${path}.${holder.nonce}`;
    const answer = await takeLock(guard, mine);
    // Who takes it over now is about to hold it.
    if (answer.kind === 'held') return answer;
    const replaced = await replace(path, holder.nonce, mine);
    await rm(guard, { force: true });
    if (replaced) return { kind: 'taken' };
  }
}

/** Removes the lock if it is still this one. */
export async function leaveLock(path: string, nonce: string): Promise<void> {
  const standing = await read(path);
  if (standing.kind === 'lock' && standing.holder.nonce === nonce) await rm(path, { force: true });
}

export async function readLock(path: string): Promise<LockHolder | null> {
  const standing = await read(path);
  return standing.kind === 'lock' ? standing.holder : null;
}

/** False when there is a file already. */
async function place(path: string, mine: LockHolder): Promise<boolean> {
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

/** For the holder of the guard alone: nobody else replaces that lock between the look and the change. */
async function replace(path: string, nonce: string, mine: LockHolder): Promise<boolean> {
  const standing = await read(path);
  if (standing.kind !== 'lock' || standing.holder.nonce !== nonce) return false;
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
    // On a full disk, say: each try would leave one more.
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return draft;
}

type Standing =
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'lock'; readonly holder: LockHolder };

async function read(path: string): Promise<Standing> {
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
