import { type NamedFiles, programFileAt } from '@signalbox/core';
import { type LinkTargets, linkTargets } from './link-targets.ts';
import { createWatchedNames, type WatchedName, type WatchedNames } from './watched-names.ts';

/** The watched names at one time, and the names that were searched for. */
export type WatchedSnapshot = {
  readonly before: WatchedNames;
  readonly named: NamedFiles;
  readonly links: LinkTargets;
};

export type WatchOptions = {
  /** Absolute path with links resolved. */
  readonly workspace: string;
  readonly stateFolder: string;
  readonly namedFiles?: ((changed?: readonly string[]) => NamedFiles) | undefined;
  /** Upper bound on scanned folders. Default 20,000. */
  readonly maxFolders?: number | undefined;
};

type FinalSnapshot = {
  readonly after: WatchedNames;
  readonly named: NamedFiles;
  /** Files that existed before and are listed only because a repository was created around them. */
  readonly existedToo: ReadonlyMap<string, WatchedName>;
};

const NO_NAMES: NamedFiles = { byGit: [], byPerson: [], byConnect: [] };

/**
 * Takes snapshots before and after a call. They include the targets of links with watched names, anywhere in
 * the workspace, and the files git names in repositories below it.
 */
export function createWatchedSnapshots({
  workspace,
  stateFolder,
  namedFiles,
  maxFolders: mostFolders,
}: WatchOptions) {
  const watchedNames = createWatchedNames({ workspace, stateFolder, maxFolders: mostFolders });
  let targets: LinkTargets = new Map();
  let trees: readonly string[] = [];

  return {
    async first(): Promise<WatchedSnapshot> {
      const named = namedNow();
      const before = await watchedNames(named);
      const [links, found] = [linkTargets(workspace, before), treesIn(before)];
      const isKnown = isSameList([...links.keys()], [...targets.keys()]) && isSameList(found, trees);
      [targets, trees] = [links, found];
      if (isKnown) return { before, named, links };
      const again = namedNow();
      return { before: await watchedNames(again), named: again, links };
    },

    /** @param of.startedNs When the call began, in epoch nanoseconds. */
    async last(of: {
      readonly before: WatchedNames;
      readonly named: NamedFiles;
      readonly startedNs: bigint;
    }): Promise<FinalSnapshot> {
      const { before, named, startedNs } = of;
      const after = await watchedNames(named);
      const fresh = treesIn(after).filter((at) => !before.names.has(at));
      const more = fresh.length === 0 ? [] : (namedFiles?.(fresh).byGit ?? []);
      const all = { ...named, byGit: [...new Set([...named.byGit, ...more])] };
      if (all.byGit.length === named.byGit.length) return { after, named, existedToo: new Map() };
      const again = await watchedNames(all);
      const existedToo = [...again.names].filter(
        ([path, { existing }]) =>
          existing.ctimeNs < startedNs &&
          !before.names.has(path) &&
          programFileAt(path, named) === undefined &&
          programFileAt(path, all) !== undefined,
      );
      return { after: again, named: all, existedToo: new Map(existedToo) };
    },
  };

  function namedNow(): NamedFiles {
    const plain = namedFiles?.(trees) ?? NO_NAMES;
    return { ...plain, byGit: [...plain.byGit, ...targets.keys()] };
  }
}

/** The `.git` of each repository below the workspace. */
function treesIn({ names }: WatchedNames): readonly string[] {
  return [...names.keys()].filter((path) => path.endsWith('/.git'));
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.join('\n') === other.join('\n');
}
