import { errorText, type Inspector, UnavailableError } from '@signalbox/core';
import type { IsDenied } from '../denials/default-denials.ts';
import { broughtByGit, knownCommits } from './brought-by-git.ts';
import { commitDiff } from './commit-diff.ts';
import { gitObstacle } from './git-obstacle.ts';
import type { RepositoryOptions } from './open-repository.ts';
import { pushForecast } from './push-forecast.ts';
import { removalAt } from './removal.ts';

/** Looks at a workspace on this machine's disk, with git where a repository is asked about. */
export function createInspector(options: RepositoryOptions & { readonly isDenied: IsDenied }): Inspector {
  const running = new Set<Promise<unknown>>();

  async function told<Answer>(look: () => Promise<Answer>): Promise<Answer> {
    const looking = unavailableOr(look);
    running.add(looking);
    try {
      return await looking;
    } finally {
      running.delete(looking);
    }
  }

  return {
    removal: (place) => told(() => removalAt(options.workspace, place)),
    commit: (step) => told(() => commitDiff(step, options)),
    push: (step) => told(() => pushForecast(step, options)),
    obstacle: (purpose) => told(() => gitObstacle(purpose, options)).catch(() => null),
    knownCommits: () => told(() => knownCommits(options)),
    broughtByGit: (request) => told(() => broughtByGit(request, options)),
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

async function unavailableOr<Answer>(look: () => Promise<Answer>): Promise<Answer> {
  try {
    return await look();
  } catch (cause) {
    if (cause instanceof UnavailableError) throw cause;
    const why = errorText(cause);
    throw new UnavailableError('unreadable', why, { cause });
  }
}
