import * as z from 'zod';
import { NetworkSource } from './network/network-source.ts';

/**
 * A path as effects, rules and screens write it: `/` between segments, normalised.
 *
 * Inside the workspace it is relative to it (`src/a.ts`; the workspace itself is `.`); outside it is absolute
 * (`/etc/passwd`) or begins with `~/`.
 */
export const EffectPath = z.string().min(1).max(4096);
export type EffectPath = z.infer<typeof EffectPath>;

/** `file`: this name alone. `tree`: this directory and everything below. `glob`: the paths that the pattern matches. */
export const PathScope = z.enum(['file', 'tree', 'glob']);
export type PathScope = z.infer<typeof PathScope>;

const onPath = <Kind extends string>(kind: Kind) =>
  z.strictObject({ kind: z.literal(kind), path: EffectPath, scope: PathScope }).readonly();

/** What a command would touch. */
export const Effect = z.union([
  onPath('read'),
  onPath('write'),
  onPath('delete'),
  /** Writes whose paths can't be known before the command has run. */
  z.strictObject({ kind: z.literal('write-unknown') }).readonly(),
  /**
   * Talks to another machine; `host` when it is known, `source` when the project's own settings name it. `optional`:
   * works without it, so it is reached only if a person agreed to the host, and causes no approval request.
   */
  z
    .strictObject({
      kind: z.literal('network'),
      host: z.string().optional(),
      source: NetworkSource.optional(),
      optional: z.literal(true).optional(),
    })
    .readonly(),
  /** Starts a program that is judged by its name alone. */
  z.strictObject({ kind: z.literal('process'), program: z.string() }).readonly(),
  /** Acquires more rights: `sudo`, `su`, `setcap`. */
  z.strictObject({ kind: z.literal('privilege'), program: z.string() }).readonly(),
  /** Runs code from the workspace: tests, builds, scripts, plug-ins. */
  z.strictObject({ kind: z.literal('repository-code') }).readonly(),
  /** Reads secrets: keys, tokens, `.env`. */
  z.strictObject({ kind: z.literal('secret'), path: EffectPath }).readonly(),
  /** Holds something that is not a path, by the name of its resource: `git:index`, `port:3000`. */
  z
    .strictObject({ kind: z.literal('resource'), resource: z.string(), access: z.enum(['read', 'write']) })
    .readonly(),
]);
export type Effect = z.infer<typeof Effect>;
