import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';

/** Workspace to the hashes of what a person trusts in it. */
const Stored = z.record(z.string(), z.array(z.string()));

/** What a person trusts in a workspace, by every word of it, kept in a file of their own. */
export type TrustedHashes = {
  readonly has: (words: string) => boolean;
  /** Trusts these from now on, and no others of this workspace. */
  replace(words: readonly string[]): Promise<void>;
};

/** A file that can't be read trusts nothing. */
export async function readTrustedHashes(file: string, workspace: string): Promise<TrustedHashes> {
  const place = realpathSync(workspace);
  const hashes = new Set((await readStored(file))[place] ?? []);
  return {
    has: (words) => hashes.has(hashOf(words)),
    async replace(words) {
      const next = { ...(await readStored(file)), [place]: words.map(hashOf) };
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(`${file}.new`, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
      await rename(`${file}.new`, file);
    },
  };
}

async function readStored(file: string): Promise<z.infer<typeof Stored>> {
  try {
    const parsed = Stored.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

function hashOf(words: string): string {
  return createHash('sha256').update(words).digest('hex');
}
