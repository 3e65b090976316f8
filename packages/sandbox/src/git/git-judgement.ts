import type { FileTouch } from '@signalbox/core';
import type { WriteSetChange } from '../overlay/write-set.ts';

/** By path: what may not be put, and what a person has to agree to, each with its reason. */
export type GitJudgement = {
  readonly refused: ReadonlyMap<string, string>;
  readonly asks: ReadonlyMap<string, string>;
};

/** Why a change may not be put; null when it may. */
export function whyNotGit({ path }: WriteSetChange, git: GitJudgement | undefined): string | null {
  const why = git?.refused.get(path);
  return why === undefined ? null : `${path}: ${why}`;
}

/** What is put, with what a person has to agree to. */
export function withAsks(touches: readonly FileTouch[], git: GitJudgement | undefined): readonly FileTouch[] {
  if (git === undefined || git.asks.size === 0) return touches;
  return touches.map((touch) => {
    const asks = git.asks.get(touch.path);
    return asks === undefined ? touch : { ...touch, asks };
  });
}
