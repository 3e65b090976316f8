import { gitHead, pushStep } from './planned-steps.ts';
import { readWords } from './words.ts';

/** What a command of git sends where, or gets from where. */
export type RemoteUse = Readonly<{
  verb: 'push' | 'fetch' | 'pull';
  cwd: string;
  /** Null: git's default. */
  remote: string | null;
  /** What is sent, as written; none where it is deleted there. */
  refs: readonly string[];
}>;

const GET = {
  values: (
    '--depth --deepen --shallow-since --shallow-exclude --refmap -j --jobs -o --server-option --upload-pack --filter ' +
    '--negotiation-tip -s --strategy -X --strategy-option --cleanup'
  ).split(' '),
};

/** @param words Behind `git`. @returns null for anything else, and for what can't be told apart. */
export function remoteUseOf(words: readonly string[], folder: string): RemoteUse | null {
  const head = gitHead(words, folder);
  if (head === null) return null;
  const { cwd, rest } = head;
  const [verb, ...args] = rest;
  if (verb === 'push') {
    const step = pushStep(args, cwd);
    return step && { verb, cwd, remote: step.remote, refs: step.isDelete ? [] : step.refs };
  }
  if (verb !== 'fetch' && verb !== 'pull') return null;
  const read = readWords(args, GET);
  if (read === null || read.has('all', 'multiple', 'stdin')) return null;
  return { verb, cwd, remote: read.operands[0] ?? null, refs: [] };
}
