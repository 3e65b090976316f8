import type { PathScope } from '@signalbox/core';
import { STEPS } from './budget.ts';
import { followLinks, mayHoldLinks } from './links.ts';
import { climbsInOwnFolder, fixedBeginning, isInOwnFolder } from './own-folders.ts';
import { locate, type Located } from './paths.ts';
import { isFreshFile, looksLikeFile } from './places.ts';
import type { Scene } from './program.ts';
import { textsOf, type Word } from './word.ts';

export type Target = Readonly<{
  located: Located;
  scope: PathScope;
  /** It ends with the command, in a folder that nobody else sees. */
  isOwn: boolean;
  /** A link of this line on the way to it may lead elsewhere. */
  isUnsure: boolean;
}>;

/** What of a name is meant: what lies behind it where it is a link, or what stands under that name itself. */
type Means = 'behind' | 'itself';

/** The paths a word may name; none when they can't be known. */
export function targetsOf(
  scene: Scene,
  word: Word,
  scope: Exclude<PathScope, 'glob'>,
  means: Means = 'behind',
): readonly Target[] {
  const { state, ground } = scene;
  const texts = textsOf(word);
  scene.walk.spend((texts?.length ?? 1) * (STEPS.item + (state.cwd?.length ?? 0) * STEPS.perCharacter));
  const targets = (all: readonly string[], of: PathScope): readonly Target[] => {
    const found = all.map((text) => {
      const located = locate(text, state.cwd, ground);
      return located === undefined ? undefined : targetAt(located, { text, scope: of, means, scene });
    });
    return found.every((one) => one !== undefined) ? found : [];
  };
  if (texts !== undefined) return targets(texts, scope).map(narrowed);
  if (word.kind === 'below') return targets([word.directory], 'tree');
  // A pattern with `..` behind a wildcard may end anywhere.
  if (word.kind === 'glob' && !climbs(word.pattern)) return targets([word.pattern], 'glob');
  return [];
}

type Named = Readonly<{ text: string; scope: PathScope; means: Means; scene: Scene }>;

function targetAt(named: Located, { text, scope, means, scene }: Named): Target {
  const { located, leadsAnywhere } = followLinks(named, scene, means);
  const { absolute } = located;
  const isOwn = isInOwnFolder(absolute, scene.ground) || isFreshFile(absolute);
  const reachesLinks =
    isOwn && means === 'behind' && scope !== 'file' && mayHoldLinks(fixedBeginning(absolute), scene);
  const goesUp = climbsInOwnFolder(text, scene.state.cwd, scene.ground);
  return { located, scope, isOwn, isUnsure: leadsAnywhere || reachesLinks || goesUp };
}

/** `cp -r a notes.md`: by its name a file, whatever might be there. */
function narrowed(target: Target): Target {
  const isFile = target.scope === 'tree' && looksLikeFile(target.located.path);
  return isFile ? { ...target, scope: 'file' } : target;
}

function climbs(pattern: string): boolean {
  return pattern.slice(pattern.search(/[*?[(]/)).includes('..');
}
