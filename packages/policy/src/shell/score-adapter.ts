import type { Effect, Level } from '@signalbox/core';
import { classifyLine } from './classify-line.ts';

/** A verdict in the vocabulary of corpora of labelled lines. */
export type Scored = Readonly<{
  level: Level;
  /** Paths and globs, relative to the working directory inside it; or `unknown`. */
  writes: readonly string[] | 'unknown';
  network: boolean;
}>;

/** For scoring against a corpus: the verdict of `classifyLine` in its terms. */
export function classify(line: string, { cwd }: Readonly<{ cwd: string }>): Scored {
  const { level, effects } = classifyLine(line, { cwd });
  return {
    level,
    writes: writesOf(effects),
    network: effects.some((effect) => effect.kind === 'network' && effect.optional === undefined),
  };
}

const RESOURCES: Readonly<Record<string, string>> = {
  'git:index': '.git/index',
  'git:objects': '.git/objects/**',
  'git:refs': '.git/**',
};

function writesOf(effects: readonly Effect[]): readonly string[] | 'unknown' {
  if (effects.some((effect) => effect.kind === 'write-unknown')) return 'unknown';
  const globs = new Set(effects.flatMap((effect) => globOf(effect) ?? []));
  return [...globs].filter((glob) => ![...globs].some((other) => other !== glob && covers(other, glob)));
}

function globOf(effect: Effect): string | undefined {
  if (effect.kind === 'resource' && effect.access === 'write') return RESOURCES[effect.resource];
  if (effect.kind !== 'write' && effect.kind !== 'delete') return undefined;
  const path = effect.path.replace(
    /^\/(?!(?:tmp|home|mnt|media|root|dev|etc|usr|var|opt|bin|sbin|lib|srv|boot|proc|sys|run)(?:\/|$))/,
    '../',
  );
  if (effect.scope !== 'tree') return path;
  return path === '.' ? '**' : `${path.replace(/\/$/, '')}/**`;
}

/** A tree makes paths in it redundant; `**` stays beside others, since it says less. */
function covers(glob: string, other: string): boolean {
  return (
    glob !== '**' &&
    glob.endsWith('/**') &&
    (other === glob.slice(0, -3) || other.startsWith(glob.slice(0, -2)))
  );
}
