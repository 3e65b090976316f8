import type { FileTouch } from '../files/file-touch.ts';
import type { CommitStep, PreviewFile, PreviewPart, PushStep } from '../commands/preview.ts';

/** What a deletion would remove. */
export type Removal = Omit<Extract<PreviewPart, { kind: 'removal' }>, 'kind'>;
export type Difference = {
  readonly files: readonly PreviewFile[];
  readonly fileCount: number;
  readonly patch: string;
  readonly isCut: boolean;
};
export type PushForecast = Omit<Extract<PreviewPart, { kind: 'push' }>, 'kind'>;

/** The commits that a repository's refs pointed to at one moment. */
export type KnownCommits = {
  readonly head: string | null;
  /** `refs/heads/main`; null when HEAD is detached. */
  readonly branch: string | null;
  /** By the name of the ref. */
  readonly refs: Readonly<Record<string, string>>;
};

/** Why git is sure to refuse. */
export type GitObstacle =
  | { readonly kind: 'no-repository' }
  | { readonly kind: 'nothing-staged' }
  /** Neither such a file nor a folder exists, and git knows none. */
  | { readonly kind: 'no-path'; readonly path: string }
  /** `remote` is null when git's default was meant. */
  | { readonly kind: 'no-remote'; readonly remote: string | null; readonly remotes: readonly string[] }
  /** Neither a branch, a tag nor anything else that git would push or check out; `refs` are the branches and tags. */
  | { readonly kind: 'no-ref'; readonly ref: string; readonly refs: readonly string[] };

/** The git operation, as far as it can be refused. `use`: anything that needs a repository. */
export type GitPurpose =
  | { readonly kind: 'use'; readonly cwd: string }
  | { readonly kind: 'commit-staged'; readonly cwd: string }
  /** `paths`: relative to `cwd`, none of them a pattern. */
  | { readonly kind: 'stage'; readonly cwd: string; readonly paths: readonly string[] }
  /** `refs`: what is sent, as written. */
  | {
      readonly kind: 'push';
      readonly cwd: string;
      readonly remote: string | null;
      readonly refs: readonly string[];
    }
  | { readonly kind: 'fetch'; readonly cwd: string; readonly remote: string | null }
  /** A branch, a commit or a path, or a branch that only a remote has. */
  | { readonly kind: 'checkout'; readonly cwd: string; readonly ref: string };

/**
 * Looks up what a call would do, for its approvers. It only reads, runs nothing that the workspace or a repository
 * configures, and is bounded in time, entries and bytes.
 *
 * @throws {UnavailableError} from each method when it can't be determined, with the reason as its message.
 */
export interface Inspector {
  /**
   * @param place.isMeant For a pattern: which paths below `path` it matches. Default: all.
   * @returns null when nothing is there.
   */
  removal(place: {
    readonly path: string;
    readonly isMeant?: (path: string) => boolean;
  }): Promise<Removal | null>;
  /** What `git commit`, or `git add` before it, would take. */
  commit(step: Omit<CommitStep, 'kind'>): Promise<Difference>;
  /** One forecast for each ref that is pushed. */
  push(step: Omit<PushStep, 'kind'>): Promise<readonly PushForecast[]>;
  /**
   * Why git would surely refuse this in the current state; null when it may succeed, or it is unknown. Never throws.
   */
  obstacle(purpose: GitPurpose): Promise<GitObstacle | null>;
  /** The commits that the refs of the workspace's own repository point to now. */
  knownCommits(): Promise<KnownCommits>;
  /**
   * Those of `paths` that `changes`, all changes of one command, bring to the content of one of these commits, or of an
   * ancestor. For a deleted file: the commit that is checked out afterwards has no such file.
   */
  broughtByGit(request: {
    readonly known: KnownCommits;
    readonly changes: readonly FileTouch[];
    readonly paths: readonly string[];
  }): Promise<readonly string[]>;
  /**
   * Resolves when no lookup is running, so that nothing is written below the state folder afterwards. Never rejects.
   */
  idle(): Promise<void>;
}
