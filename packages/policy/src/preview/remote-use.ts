import { gitHead, pushStep } from './planned-steps.ts';
import { readWords } from './words.ts';

/** The remote that a git command sends to or gets from. */
export type RemoteUse = Readonly<{
  verb: 'push' | 'fetch' | 'pull';
  cwd: string;
  /** Null: git's default. */
  remote: string | null;
  /** Refs to send, as written; empty when they are deleted there. */
  refs: readonly string[];
}>;

const VALUES =
  '--depth --deepen --shallow-since --shallow-exclude --refmap -o --server-option --upload-pack --negotiation-tip ';
const FLAGS =
  '-v --verbose -q --quiet -a --append -f --force -k --keep -t --tags --no-tags -p --prune -n -4 --ipv4 -6 --ipv6 ' +
  '--progress --no-progress --dry-run --unshallow --update-shallow --set-upstream --show-forced-updates ' +
  '--no-show-forced-updates --recurse-submodules --no-recurse-submodules ';

/** Without those that fetch from several remotes, and those that differ between versions. */
const GET = {
  fetch: {
    values: `${VALUES}-j --jobs --filter --recurse-submodules-default`.split(' '),
    flags: (
      `${FLAGS}-P --prune-tags --no-prune -u --update-head-ok --atomic --prefetch --refetch --auto-maintenance ` +
      '--no-auto-maintenance --auto-gc --no-auto-gc --write-fetch-head --no-write-fetch-head --write-commit-graph ' +
      '--no-write-commit-graph'
    ).split(' '),
  },
  pull: {
    values: `${VALUES}-s --strategy -X --strategy-option --cleanup`.split(' '),
    flags: (
      `${FLAGS}--rebase --no-rebase --stat --no-stat --log --no-log --signoff --no-signoff --squash --no-squash ` +
      '--commit --no-commit --edit --no-edit --ff --no-ff --ff-only --verify --no-verify --verify-signatures ' +
      '--no-verify-signatures --autostash --no-autostash --allow-unrelated-histories'
    ).split(' '),
  },
};

/** @param words After `git`. @returns null for anything else, and for ambiguous words. */
export function remoteUseOf(words: readonly string[], folder: string): RemoteUse | null {
  const head = gitHead(words, folder);
  if (head === null) return null;
  const { cwd, rest } = head;
  // Git resolves the path by the system, where `..` after a link leads elsewhere.
  if (words.slice(0, words.length - rest.length).some((word) => word.split('/').includes('..'))) return null;
  const [verb, ...args] = rest;
  if (verb === 'push') {
    const step = pushStep(args, cwd);
    return step && { verb, cwd, remote: step.remote, refs: step.isDelete ? [] : step.refs };
  }
  if (verb !== 'fetch' && verb !== 'pull') return null;
  const read = readWords(args, GET[verb]);
  return read && { verb, cwd, remote: read.operands[0] ?? null, refs: [] };
}
