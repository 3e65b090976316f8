import { gitHead } from './planned-steps.ts';
import { readWords } from './words.ts';

/** What a git command checks out: a branch, another commit or, for `checkout`, a file. */
export type CheckoutUse = Readonly<{ verb: 'checkout' | 'switch'; cwd: string; ref: string }>;

const FLAGS = '-q --quiet -f --force -m --merge --progress --no-progress -d --detach --guess'.split(' ');

/** All options that take no value; git accepts abbreviations, so any other may take the next word. */
const OPTIONS = {
  checkout: { values: [], flags: FLAGS },
  switch: { values: [], flags: [...FLAGS, '--discard-changes'] },
};

/** @param words After `git`. @returns null for anything else, and for ambiguous words. */
export function checkoutUseOf(words: readonly string[], folder: string): CheckoutUse | null {
  const head = gitHead(words, folder);
  if (head === null) return null;
  const { cwd, rest } = head;
  const [verb, ...args] = rest;
  if (verb !== 'checkout' && verb !== 'switch') return null;
  // Git resolves the path by the system, where `..` after a link leads elsewhere.
  if (words.slice(0, words.length - rest.length).some((word) => word.split('/').includes('..'))) return null;
  const read = args.includes('--') ? null : readWords(args, OPTIONS[verb]);
  const [ref, ...more] = read?.operands ?? [];
  return ref === undefined || more.length > 0 ? null : { verb, cwd, ref };
}
