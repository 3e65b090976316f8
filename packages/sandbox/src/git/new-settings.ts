import { parseConfig } from './parse-config.ts';

/**
 * Keys that name neither programs nor other files: those written by `git init`, `clone`, `remote` and
 * `submodule`.
 */
const HARMLESS =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|sharedrepository|splitindex|untrackedcache|commitgraph|sparsecheckout(?:cone)?)|extensions\.\w+|remote\..+\.(?:url|pushurl|fetch|push|tagopt|prune|mirror|promisor|partialclonefilter)|branch\..+\.(?:remote|merge|rebase|pushremote|description)|submodule\.(?:active|.+\.(?:url|active|branch|ignore))|user\.(?:name|email|signingkey)|init\.defaultbranch|(?:advice|color|pull|push|fetch|rebase|status|log|tag|pack|commit)\.\w+|lfs\.(?:repositoryformatversion|.+\.access))$/;
const MAX_KEYS = 5;

/** The keys of a new repository's configuration that may name programs or files. */
export function unsafeKeys(text: string): readonly string[] {
  const keys = parseConfig(text).flatMap(([key, value]) =>
    HARMLESS.test(key) && !/^\s*ext::/.test(value) ? [] : [key.slice(0, 60)],
  );
  return [...new Set(keys)].slice(0, MAX_KEYS);
}
