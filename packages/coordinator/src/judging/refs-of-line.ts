import { commandsOf } from '@signalbox/policy';

/** The git refs that a call changes, by name: `refs/tags/v1`, `HEAD` (the current branch), `push main`, `checkout`. */
export type LineRefs = ReadonlySet<string>;

/** Any branch that a push may affect. */
const ANY_PUSH = 'push *';
const HEAD = 'HEAD';
/** Changes which branch is checked out, without moving a branch. */
const CHECKOUT = 'checkout';
/** Refs updated by a fetch. */
const FETCHED = 'refs/remotes/*';
/** Any ref of this repository; a push is not included. */
export const ANY_LOCAL = 'refs/*';
/** Prefix of a branch that is created, and so can't be the current one. */
const NEW = 'new ';

/** Programs that change no ref, whatever their arguments. */
const OTHERS: ReadonlySet<string> = new Set(
  'cd echo printf true : pwd test [ ls cat head tail wc grep rg sort sleep mkdir touch rm cp mv sed'.split(
    ' ',
  ),
);
/** Git commands that change no ref. */
const READS: ReadonlySet<string> = new Set(
  'add status diff log show rm mv restore ls-files rev-parse grep blame describe'.split(' '),
);
/** Git commands that move the current branch, or switch to another. */
const MOVES_HEAD: ReadonlySet<string> = new Set('commit cherry-pick revert am merge reset'.split(' '));
/** Letters of options that take a value, by command. */
const WITH_VALUE: Readonly<Record<string, string>> = {
  push: 'o',
  tag: 'mFu',
  branch: 'u',
  'update-ref': 'm',
};
const LONG_WITH_VALUE: ReadonlySet<string> = new Set(
  '--message --file --local-user --repo --push-option --receive-pack --exec --set-upstream-to'.split(' '),
);
/** Other options are not known well enough to tell their value from an operand. */
const LONG_FLAGS: ReadonlySet<string> = new Set(
  (
    '--force --force-with-lease --delete --annotate --sign --quiet --verbose --set-upstream --no-verify --move --copy ' +
    '--track --no-track --tags --all --branches --mirror --follow-tags --prune --atomic --progress --porcelain'
  ).split(' '),
);

/** The refs that a shell line changes; null if that is unknown, and it may be any. */
export function refsOfLine(line: string): LineRefs | null {
  const read = commandsOf(line);
  if (read === null) return null;
  const refs = new Set<string>();
  for (const { program, args } of [...read.commands, ...read.inner]) {
    if (program !== null && OTHERS.has(program)) continue;
    if (program !== 'git' || args.includes(null)) return null;
    const found = refsOfGit(args.filter((word) => word !== null));
    if (found === null) return null;
    for (const ref of found) refs.add(ref);
  }
  return refs.size === 0 ? null : refs;
}

function refsOfGit(words: readonly string[]): readonly string[] | null {
  let at = 0;
  while (words[at]?.startsWith('-') === true) {
    if (words[at] !== '-C' && words[at] !== '-c') return null;
    at += 2;
  }
  const [verb = '', ...args] = words.slice(at);
  if (READS.has(verb)) return [];
  if (MOVES_HEAD.has(verb)) return [HEAD];
  if (verb === 'stash') return ['refs/stash'];
  if (verb === 'fetch') return [FETCHED];
  if (verb === 'pull') return [FETCHED, HEAD];
  if (verb === 'checkout' || verb === 'switch') return checkedOut(args);
  const operands = operandsOf(args, WITH_VALUE[verb]);
  if (operands === null) return null;
  if (verb === 'push') return pushed(args, operands);
  if (verb === 'branch') return operands.length === 0 ? null : operands.map((name) => `refs/heads/${name}`);
  const [first] = operands;
  if (first === undefined) return null;
  if (verb === 'tag') return args.some(isDelete) ? operands.map(tagOf) : [tagOf(first)];
  return verb === 'update-ref' ? [first] : null;
}

/** Null if a branch may be moved. */
function checkedOut(args: readonly string[]): readonly string[] | null {
  const at = args.findIndex((word) => /^-[bc]$/.test(word));
  const name = at < 0 ? undefined : args[at + 1];
  if (name !== undefined) return [CHECKOUT, `${NEW}refs/heads/${name}`];
  return args.some((word) => /^-(?!-?(?:q|quiet|f|force|d|detach)?$)/.test(word)) ? null : [CHECKOUT];
}

function pushed(args: readonly string[], operands: readonly string[]): readonly string[] {
  const isMore = args.some((word) => /^--(?:all|branches|mirror|tags|follow-tags|prune|repo)/.test(word));
  const [, ...refs] = operands;
  if (isMore || refs.length === 0) return [ANY_PUSH];
  return refs.map((ref) => {
    const name = ref.slice(ref.lastIndexOf(':') + 1).replace(/^\+/, '');
    // A pattern, `HEAD`, `@`, or an abbreviated name: only the remote can resolve it.
    if (!/^[\w./-]+$/.test(name) || name === HEAD) return ANY_PUSH;
    return `push ${name.replace(/^(?:refs\/)?(?:heads|tags)\//, '')}`;
  });
}

/** Null if an option is not known. */
function operandsOf(args: readonly string[], letters = ''): readonly string[] | null {
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') return [...operands, ...args.slice(at + 1)];
    if (!word.startsWith('-') || word === '-') operands.push(word);
    else if (LONG_WITH_VALUE.has(word)) at++;
    else if (word.startsWith('--')) {
      if (!word.includes('=') && !LONG_FLAGS.has(word)) return null;
    } else {
      const value = word
        .slice(1)
        .split('')
        .findIndex((letter) => letters.includes(letter));
      if (value >= 0 && value === word.length - 2) at++;
    }
  }
  return operands;
}

function tagOf(name: string): string {
  return `refs/tags/${name}`;
}

function isDelete(word: string): boolean {
  return word === '-d' || word === '--delete';
}

/**
 * The refs among paths that a transaction wrote; null if one may be any ref.
 *
 * @param named refs named by its line: fetched refs don't count as pushed
 */
export function refsOfPaths(
  paths: readonly string[],
  named: readonly string[] | null = null,
): LineRefs | null {
  const isFetched = named?.includes(FETCHED) === true;
  const refs = new Set<string>();
  for (const path of paths) {
    const below = /^\.git\/(.*)$/.exec(path)?.[1];
    if (below === undefined || !/^(?:refs\/|HEAD$|packed-refs$)/.test(below)) continue;
    if (below === 'packed-refs') return null;
    if (isFetched && below.startsWith('refs/remotes/')) continue;
    refs.add(below === HEAD ? CHECKOUT : below.replace(/^refs\/remotes\/[^/]+\//, 'push '));
  }
  return refs;
}

/** Whether two calls change a common ref; null is any. */
export function sameRefs(a: LineRefs | null, b: LineRefs | null): boolean {
  if (a === null || b === null) return true;
  return [...a].some((mine) => [...b].some((theirs) => isSame(mine, theirs) || isSame(theirs, mine)));
}

function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  if (a === HEAD) return b.startsWith('refs/heads/');
  if (a === ANY_LOCAL) return !b.startsWith('push ');
  if (a.startsWith(NEW)) return b === a.slice(NEW.length);
  return a === ANY_PUSH && b.startsWith('push ');
}
