import { join } from 'node:path';
import { canonicalJson, type IsTrusted, type UserRule } from '@signalbox/core';
import { readTrustedHashes } from './trusted-hashes.ts';

/**
 * `allow` rules of shared files that you have seen and trust, by workspace and full text: a changed rule must be
 * trusted again. Kept in your own folder, which no repository can bring.
 */
export type TrustedRules = {
  readonly isTrusted: IsTrusted;
  /** Trusts exactly these of this workspace from now on. */
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

/** Everything the rule says, without its position. */
function wordsOf({
  layer: _layer,
  source: _source,
  file: _file,
  at: _at,
  isTrusted: _trusted,
  ...content
}: UserRule): string {
  return canonicalJson(content);
}
