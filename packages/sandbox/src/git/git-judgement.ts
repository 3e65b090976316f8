import type { FileTouch } from '@signalbox/core';
import type { WriteSetChange } from '../overlay/write-set.ts';

/** Paths that may not be committed and paths that need approval, each with its reason. */
export type GitJudgement = {
  readonly refused: ReadonlyMap<string, string>;
  readonly asks: ReadonlyMap<string, string>;
};

/** Why a change may not be committed; null when it may. */
export function whyNotGit({ path }: WriteSetChange, git: GitJudgement | undefined): string | null {
  const why = git?.refused.get(path);
  return why === undefined ? null : `${path}: ${why}`;
}

/** Adds the reasons for approval to the touches. */
export function withAsks(touches: readonly FileTouch[], git: GitJudgement | undefined): readonly FileTouch[] {
  if (git === undefined || git.asks.size === 0) return touches;
  return touches.map((touch) => {
    const asks = git.asks.get(touch.path);
    return asks === undefined ? touch : { ...touch, asks };
  });
}
