import type { PathScope } from '@signalbox/core';
import { STEPS } from '../budget.ts';
import { followLinks, mayHoldLinks } from './links.ts';
import { climbsInOwnFolder, fixedBeginning, isInOwnFolder } from './own-folders.ts';
import { locate, type LocatedPath } from './paths.ts';
import { isFreshFile, looksLikeFile } from './path-words.ts';
import type { EvaluationContext } from '../program.ts';
import { textsOf, type Word } from '../word.ts';

export type WriteTarget = Readonly<{
  located: LocatedPath;
  scope: PathScope;
  /** It ends with the command, in a private folder. */
  isOwn: boolean;
  /** A link of this line on the way to it may lead elsewhere. */
  isUnsure: boolean;
}>;

/** How a name is meant: its target when it is a link, or the entry of that name itself. */
type Means = 'behind' | 'itself';

/** The paths a word may name; empty when they can't be known. */
export function targetsOf(
  context: EvaluationContext,
  word: Word,
  { scope, means = 'behind' }: Readonly<{ scope: Exclude<PathScope, 'glob'>; means?: Means }>,
): readonly WriteTarget[] {
  const { state, lineContext } = context;
  const texts = textsOf(word);
  context.walk.spend((texts?.length ?? 1) * (STEPS.item + (state.cwd?.length ?? 0) * STEPS.perCharacter));
  const targets = (all: readonly string[], of: PathScope): readonly WriteTarget[] => {
    const found = all.map((text) => {
      const located = locate(text, state.cwd, lineContext);
      return located === undefined ? undefined : targetAt(located, { text, scope: of, means, context });
    });
    return found.every((one) => one !== undefined) ? found : [];
  };
  if (texts !== undefined) return targets(texts, scope).map(narrowed);
  if (word.kind === 'below') return targets([word.directory], 'tree');
  // A pattern with `..` after a wildcard may end anywhere.
  if (word.kind === 'glob' && !climbs(word.pattern)) return targets([word.pattern], 'glob');
  return [];
}

type Named = Readonly<{ text: string; scope: PathScope; means: Means; context: EvaluationContext }>;

function targetAt(named: LocatedPath, { text, scope, means, context }: Named): WriteTarget {
  const { located, leadsAnywhere } = followLinks(named, context, { means });
  const { absolute } = located;
  const isOwn = isInOwnFolder(absolute, context.lineContext) || isFreshFile(absolute);
  const reachesLinks =
    isOwn && means === 'behind' && scope !== 'file' && mayHoldLinks(fixedBeginning(absolute), context);
  const goesUp = climbsInOwnFolder(text, context.state.cwd, context.lineContext);
  return { located, scope, isOwn, isUnsure: leadsAnywhere || reachesLinks || goesUp };
}

/** `cp -r a notes.md`: by its name a file, whatever exists there. */
function narrowed(target: WriteTarget): WriteTarget {
  const isFile = target.scope === 'tree' && looksLikeFile(target.located.path);
  return isFile ? { ...target, scope: 'file' } : target;
}

function climbs(pattern: string): boolean {
  return pattern.slice(pattern.search(/[*?[(]/)).includes('..');
}
