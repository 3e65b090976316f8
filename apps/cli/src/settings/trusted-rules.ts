import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canonicalJson, type IsTrusted, type UserRule } from '@signalbox/core';
import * as z from 'zod';

/** Workspace to the hashes of the rules that a person trusts in it. */
const Stored = z.record(z.string(), z.array(z.string()));

/**
 * Which `allow` rules of shared files you have seen and trust, by workspace and by every word of the rule: a rule
 * that changes must be trusted again. Kept in your own folder, where nothing that came with a repository lies.
 */
export type TrustedRules = {
  readonly isTrusted: IsTrusted;
  /** Trusts these from now on, and no others of this workspace. */
  replace(rules: readonly UserRule[]): Promise<void>;
};

/** A file that can't be read trusts nothing. */
export async function readTrustedRules(configFolder: string, workspace: string): Promise<TrustedRules> {
  const file = join(configFolder, 'trusted-rules.json');
  const place = realpathSync(workspace);
  const stored = await readStored(file);
  const hashes = new Set(stored[place] ?? []);
  return {
    isTrusted: (rule) => hashes.has(hashOf(rule)),
    async replace(rules) {
      const next = { ...(await readStored(file)), [place]: rules.map(hashOf) };
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

/** Of all that the rule says, not of where it stands. */
function hashOf({
  layer: _layer,
  source: _source,
  file: _file,
  at: _at,
  isTrusted: _trusted,
  ...said
}: UserRule) {
  return createHash('sha256').update(canonicalJson(said)).digest('hex');
}
