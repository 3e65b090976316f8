import type { FileTouch } from '../file-touch.ts';
import type { CommitStep, PreviewFile, PreviewPart, PushStep } from '../preview.ts';

/** What a deletion would remove. */
export type Removal = Omit<Extract<PreviewPart, { kind: 'removal' }>, 'kind'>;
export type Difference = {
  readonly files: readonly PreviewFile[];
  readonly fileCount: number;
  readonly patch: string;
  readonly isCut: boolean;
};
export type PushForecast = Omit<Extract<PreviewPart, { kind: 'push' }>, 'kind'>;

/** The commits that a repository's refs named at one moment. */
export type KnownCommits = {
  readonly head: string | null;
  /** `refs/heads/main`; null where HEAD names no branch. */
  readonly branch: string | null;
  /** By the name of the ref. */
  readonly refs: Readonly<Record<string, string>>;
};

/** Why git is sure to refuse. */
export type GitObstacle =
  | { readonly kind: 'no-repository' }
  | { readonly kind: 'nothing-staged' }
  /** Neither is such a file or folder there, nor does git know one. */
  | { readonly kind: 'no-path'; readonly path: string }
  /** `remote` is null where git's default was meant. */
  | { readonly kind: 'no-remote'; readonly remote: string | null; readonly remotes: readonly string[] }
  /** Neither a branch, a tag nor anything else that git would push or check out; `refs` are the branches and tags. */
  | { readonly kind: 'no-ref'; readonly ref: string; readonly refs: readonly string[] };

/** What git is asked to do, as far as it can be in vain. `use`: anything that needs a repository. */
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
  /** A branch, a commit or a path, also a branch of a remote alone. */
  | { readonly kind: 'checkout'; readonly cwd: string; readonly ref: string };

/**
 * Looks up what a call would do, for the people who approve it. It only reads, runs nothing that the workspace or a
 * repository configures, and is bounded in time, entries and bytes.
 *
 * @throws {UnavailableError} from each method when it can't be told, with the reason as its message.
 */
export interface Inspector {
  /**
   * @param place.isMeant Of a pattern: which paths below `path` it means. Default: all.
   * @returns null when nothing is there.
   */
  removal(place: {
    readonly path: string;
    readonly isMeant?: (path: string) => boolean;
  }): Promise<Removal | null>;
  /** What `git commit`, or `git add` before it, would take. */
  commit(step: Omit<CommitStep, 'kind'>): Promise<Difference>;
  /** One for each ref that is pushed. */
  push(step: Omit<PushStep, 'kind'>): Promise<readonly PushForecast[]>;
  /** Why git would surely refuse this as things are now; null where it may do it, or nobody can tell. Never throws. */
  obstacle(purpose: GitPurpose): Promise<GitObstacle | null>;
  /** The commits that the refs of the workspace's own repository name now. */
  knownCommits(): Promise<KnownCommits>;
  /**
   * Those of `paths` that `changes`, which are all of one command's, bring to what one of these commits holds there, or
   * a commit before it. Of one that is deleted: the commit that is checked out afterwards has no such file.
   */
  broughtByGit(request: {
    readonly known: KnownCommits;
    readonly changes: readonly FileTouch[];
    readonly paths: readonly string[];
  }): Promise<readonly string[]>;
  /** Resolves when no lookup is under way any more, so that nothing is written below the state folder afterwards. Never rejects. */
  idle(): Promise<void>;
}
