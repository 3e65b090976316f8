import { globMatches } from '../../paths/glob-match.ts';
import { textOf, type Word } from '../../word.ts';

/** Tests and actions of `find` with their number of arguments. */
export const FIND_WORDS: ReadonlyMap<string, number> = new Map([
  ...'-H -L -P -D0 -daystart -depth -d -follow -help -ignore_readdir_race -mount -noignore_readdir_race -noleaf -version -xdev -x -E -X -s -empty -executable -false -nouser -nogroup -readable -true -writable -print -print0 -prune -quit -ls -not -and -or -a -o ! ( ) ,'
    .split(' ')
    .map((name) => [name, 0] as const),
  ...'-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -newer -newermt -newerat -newerct -newermm -newerBt -path -perm -regex -samefile -size -type -uid -used -user -wholename -xtype -maxdepth -mindepth -regextype -printf -files0-from -D -f -flags'
    .split(' ')
    .map((name) => [name, 1] as const),
]);

/** The names that an expression of tests selects from all that `find` visits. */
export type FindTests =
  /** Names that match one of these patterns, at any depth. */
  | { readonly kind: 'named'; readonly patterns: readonly string[] }
  /** Fewer than all: git's folder is left out, other exclusions are known only at run time. */
  | { readonly kind: 'without-git' }
  | { readonly kind: 'all' };

const ALL: FindTests = { kind: 'all' };

/** @param words from the first test up to the action, without it */
export function foundBy(words: readonly Word[]): FindTests {
  const texts = words.map((word) => textOf(word));
  return texts.every((text) => text !== undefined) ? expression(texts) : ALL;
}

/** Of `A -o B` before an action only `B` counts, since `and` binds it to that. */
function expression(texts: readonly string[]): FindTests {
  const last = alternatives(texts).at(-1);
  return last === undefined ? ALL : conjunction(last);
}

/** Split at each `-o` outside brackets; empty for `,`, for unclosed brackets and for unknown words. */
function alternatives(texts: readonly string[]): readonly (readonly string[])[] {
  const all: string[][] = [[]];
  let depth = 0;
  let next = 0;
  for (const [at, text] of texts.entries()) {
    if (at < next) continue;
    const takes = FIND_WORDS.get(text);
    if (takes === undefined || text === ',') return [];
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (depth < 0) return [];
    if (depth === 0 && (text === '-o' || text === '-or')) all.push([]);
    else all.at(-1)?.push(...texts.slice(at, at + takes + 1));
    next = at + takes + 1;
  }
  return depth === 0 ? all : [];
}

/** The first test that restricts names decides; others may restrict more. */
function conjunction(texts: readonly string[]): FindTests {
  let found = ALL;
  let isNegated = false;
  let next = 0;
  for (const [at, text] of texts.entries()) {
    if (at < next) continue;
    if (text === '!' || text === '-not') {
      isNegated = true;
      continue;
    }
    const size = text === '(' ? lengthOfGroup(texts.slice(at)) : Number(FIND_WORDS.get(text)) + 1;
    const words = texts.slice(at, at + size);
    const left = isNegated ? leftWithout(words) : leftBy(words);
    if (left.kind === 'named') return left;
    if (left.kind === 'without-git') found = left;
    isNegated = false;
    next = at + size;
  }
  return found;
}

function lengthOfGroup(texts: readonly string[]): number {
  let depth = 0;
  const end = texts.findIndex((text) => {
    depth += text === '(' ? 1 : text === ')' ? -1 : 0;
    return depth === 0;
  });
  return end + 1;
}

function leftBy([test = '', value = '', ...rest]: readonly string[]): FindTests {
  if (test === '(') return group([value, ...rest.slice(0, -1)]);
  if (/^-i?name$/.test(test)) return matchesState(value) ? ALL : { kind: 'named', patterns: [value] };
  if (!/^-(?:i?path|i?wholename)$/.test(test)) return ALL;
  // `-path './build/*'`: names that begin with such a folder are none of git's.
  const folder = /^(?:\.\/)?([\w-][\w.-]*)\//.exec(value)?.[1];
  return folder === undefined ? ALL : { kind: 'without-git' };
}

/** `-not -path './.git/*'`. Without the star it excludes only the folder itself: its content is found all the same. */
function leftWithout(words: readonly string[]): FindTests {
  const isGit = /^-(?:i?path|i?wholename) (?:\.|\*)\/(?:\.git\/\*|\.\*)$/.test(words.join(' '));
  return isGit ? { kind: 'without-git' } : ALL;
}

/** Every alternative has to restrict names. */
function group(texts: readonly string[]): FindTests {
  const each = alternatives(texts).map((one) => conjunction(one));
  const patterns = each.flatMap((one) => (one.kind === 'named' ? one.patterns : []));
  return each.length > 0 && each.every(({ kind }) => kind === 'named') ? { kind: 'named', patterns } : ALL;
}

/** To `find` a `*` also matches the dot at the beginning of a name. */
function matchesState(pattern: string): boolean {
  return ['.git', '.signalbox'].some((name) => globMatches(`x${pattern}`.toLowerCase(), `x${name}`));
}
