import { errorText, type Inspector, UnavailableError } from '@signalbox/core';
import type { IsDenied } from '../denials/default-denials.ts';
import { broughtByGit, knownCommits } from './brought-by-git.ts';
import { commitDiff } from './commit-diff.ts';
import { gitObstacle } from './git-obstacle.ts';
import type { RepositoryOptions } from './open-repository.ts';
import { pushForecast } from './push-forecast.ts';
import { removalAt } from './removal.ts';

/** Inspects a workspace on this machine's disk, and its repository with git. */
export function createInspector(options: RepositoryOptions & { readonly isDenied: IsDenied }): Inspector {
  const running = new Set<Promise<unknown>>();

  async function reported<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    const lookup = unavailableOr(run);
    running.add(lookup);
    try {
      return await lookup;
    } finally {
      running.delete(lookup);
    }
  }

  return {
    removal: (request) => reported(() => removalAt(options.workspace, request)),
    commit: (step) => reported(() => commitDiff(step, options)),
    push: (step) => reported(() => pushForecast(step, options)),
    obstacle: (purpose) => reported(() => gitObstacle(purpose, options)).catch(() => null),
    knownCommits: () => reported(() => knownCommits(options)),
    broughtByGit: (request) => reported(() => broughtByGit(request, options)),
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

async function unavailableOr<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof UnavailableError) throw cause;
    const why = errorText(cause);
    throw new UnavailableError('unreadable', why, { cause });
  }
}
