import {
  type FileTouch,
  type Inspector,
  type KnownCommits,
  type Logger,
  type NamedFiles,
  programFilesBelow,
  type SessionId,
} from '@signalbox/core';
import { flatMapInTurns } from './in-turns.ts';

/** Sessions whose commits are kept. */
const KEPT = 1000;

/** The commits that existed before a session began: text that git brings from them is not new. */
export type SessionCommits = {
  /** Call before a session's first command runs. */
  note(session: SessionId): void;
  /**
   * Of these changes, the files that programs read as settings or code and whose content is that of an earlier commit.
   */
  broughtBy(
    session: SessionId,
    changes: readonly FileTouch[],
    named: NamedFiles | undefined,
  ): Promise<ReadonlySet<string>>;
};

export function createSessionCommits(options: {
  readonly inspector: Pick<Inspector, 'knownCommits' | 'broughtByGit'>;
  readonly logger: Logger;
}): SessionCommits {
  const { inspector, logger } = options;
  const bySession = new Map<SessionId, Promise<KnownCommits | null>>();

  function of(session: SessionId): Promise<KnownCommits | null> {
    // Without a repository, nothing comes from one.
    const known = bySession.get(session) ?? inspector.knownCommits().catch(() => null);
    bySession.set(session, known);
    for (const oldest of bySession.keys()) if (bySession.size > KEPT) bySession.delete(oldest);
    return known;
  }

  return {
    note: (session) => void of(session),
    async broughtBy(session, changes, named) {
      const paths = await flatMapInTurns(changes, ({ path, kind }) =>
        kind !== 'read' && programFilesBelow(path, named) !== undefined ? [path] : [],
      );
      // Always awaited: this command's changes must not count as existing before.
      const known = await of(session);
      if (known === null || paths.length === 0) return new Set();
      try {
        return new Set(await inspector.broughtByGit({ known, changes, paths }));
      } catch (error) {
        logger.warn({ error }, 'earlier commits not read; approval is requested');
        return new Set();
      }
    },
  };
}
