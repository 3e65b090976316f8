import * as z from 'zod';

/** One file of a diff; counts are null for a binary file. */
export const PreviewFile = z
  .strictObject({ path: z.string(), added: z.int().nullable(), removed: z.int().nullable() })
  .readonly();
export type PreviewFile = z.infer<typeof PreviewFile>;

const Commit = z.strictObject({ id: z.string(), subject: z.string() }).readonly();
export type PreviewCommit = z.infer<typeof Commit>;

/** What a call would do, as far as it is known before it runs. */
export const PreviewPart = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('removal'),
      path: z.string(),
      isFolder: z.boolean(),
      files: z.int(),
      bytes: z.int(),
      /** The first 20 at most. */
      names: z.array(z.string()).readonly(),
      /** False when there was more than could be counted: `files` and `bytes` are lower bounds. */
      isCounted: z.boolean(),
    })
    .readonly(),
  z
    .strictObject({
      kind: z.literal('diff'),
      /** `Would be committed`, `Change`. */
      heading: z.string(),
      /** At most 100. */
      files: z.array(PreviewFile).readonly(),
      fileCount: z.int(),
      /** In git's form, at most 64 KiB. */
      patch: z.string(),
      isCut: z.boolean(),
      /** True when the rest of the line changes files: git takes more or other changes by then. */
      isOvertaken: z.boolean().optional(),
    })
    .readonly(),
  z
    .strictObject({
      kind: z.literal('push'),
      remote: z.string(),
      /** Without credentials; null when no remote of that name is configured. */
      url: z.string().nullable(),
      from: z.string(),
      to: z.string(),
      deed: z.enum(['update', 'create', 'overwrite', 'delete']),
      /** What the remote would get, newest first, at most 20. */
      commits: z.array(Commit).readonly(),
      commitCount: z.int(),
      /** What the remote would lose, as far as the last fetch knows. */
      lost: z.array(Commit).readonly(),
      lostCount: z.int(),
      notes: z.array(z.string()).readonly(),
    })
    .readonly(),
  z
    .strictObject({
      kind: z.literal('script'),
      path: z.string(),
      /** At most 16 KiB. */
      text: z.string(),
      isCut: z.boolean(),
    })
    .readonly(),
  z
    .strictObject({
      kind: z.literal('hosts'),
      hosts: z.array(z.string()).readonly(),
      /** Whether hosts beyond these can't be ruled out. */
      isOpen: z.boolean(),
    })
    .readonly(),
  z.strictObject({ kind: z.literal('unavailable'), what: z.string(), why: z.string() }).readonly(),
]);
export type PreviewPart = z.infer<typeof PreviewPart>;

/** Whether `signalbox undo` could restore what the call changes. */
export const UndoForecast = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('yes'), until: z.string() }).readonly(),
  z.strictObject({ kind: z.literal('partly'), why: z.string() }).readonly(),
  z.strictObject({ kind: z.literal('no'), why: z.string() }).readonly(),
  /** It changes nothing. */
  z.strictObject({ kind: z.literal('unneeded') }).readonly(),
]);
export type UndoForecast = z.infer<typeof UndoForecast>;

/** Another command that holds, or waits for, what this one would claim. */
const Neighbour = z
  .strictObject({
    resource: z.string(),
    provider: z.string(),
    title: z.string(),
    relation: z.enum(['holds', 'waits']),
  })
  .readonly();

/** What a person sees of a pending call before they decide; computed without running any of it, redacted. */
export const CallPreview = z
  .strictObject({
    /** `Delete 18 files under docs/Guides`; no full stop. */
    title: z.string(),
    parts: z.array(PreviewPart).readonly(),
    undo: UndoForecast,
    /** Other claims on the same resources, at most 10. */
    neighbours: z.array(Neighbour).readonly(),
  })
  .readonly()
  .meta({ id: 'CallPreview' });
export type CallPreview = z.infer<typeof CallPreview>;

/** A step of a call whose effects can be looked up before it runs. Paths are relative to the workspace. */
export type PlannedStep =
  /** A change of one file, as the tool would make it. */
  | {
      readonly kind: 'change';
      readonly deed: 'create' | 'overwrite' | 'edit' | 'delete';
      readonly path: string;
      readonly added: number;
      readonly removed: number;
      readonly patch: string;
    }
  | { readonly kind: 'no-plan'; readonly deed: string; readonly why: string }
  | CommitStep
  | { readonly kind: 'stage'; readonly cwd: string; readonly paths: readonly string[] }
  | PushStep
  | { readonly kind: 'run-file'; readonly path: string }
  | { readonly kind: 'run-package-script'; readonly cwd: string; readonly name: string };

export type CommitStep = {
  readonly kind: 'commit';
  readonly cwd: string;
  /** `-a`: all changes of tracked files too. */
  readonly isAll: boolean;
  readonly isAmend: boolean;
  /** Only these, as `git commit PATH` does; empty: what is staged. */
  readonly only: readonly string[];
  /** Staged earlier in the same line. */
  readonly added: readonly string[];
};

export type PushStep = {
  readonly kind: 'push';
  readonly cwd: string;
  /** Null: git's default. */
  readonly remote: string | null;
  /** As written: `main`, `+a:b`, `:old`. */
  readonly refs: readonly string[];
  readonly isForced: boolean;
  readonly isDelete: boolean;
  /** `--all`, `--tags`, `--mirror`: what it pushes in addition. */
  readonly also: readonly string[];
};
