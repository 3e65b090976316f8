import { join } from 'node:path';
import { canonicalJson, type IsTrusted, type UserRule } from '@signalbox/core';
import { readTrustedHashes } from './trusted-hashes.ts';

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
  const hashes = await readTrustedHashes(join(configFolder, 'trusted-rules.json'), workspace);
  return {
    isTrusted: (rule) => hashes.has(wordsOf(rule)),
    replace: (rules) => hashes.replace(rules.map(wordsOf)),
  };
}

/** All that the rule says, not where it stands. */
function wordsOf({
  layer: _layer,
  source: _source,
  file: _file,
  at: _at,
  isTrusted: _trusted,
  ...said
}: UserRule): string {
  return canonicalJson(said);
}
