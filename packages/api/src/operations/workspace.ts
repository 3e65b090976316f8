import { EventId, ProviderId } from '@signalbox/core';
import * as z from 'zod';
import { CommandView } from './command.ts';
import { ModeView } from './mode.ts';
import { defineOperation } from '../operation.ts';
import { QueueView } from './queue.ts';
import { SessionView } from './session.ts';

/** A provider of the settings. */
export const ProviderInfo = z
  .object({
    id: ProviderId,
    model: z.string(),
    trust: z.string(),
    missingKey: z
      .string()
      .nullable()
      .describe(
        'Environment variable of its API key, when the coordinator has no value for it; otherwise null',
      ),
    unconfirmed: z
      .object({ file: z.string(), url: z.string(), next: z.string() })
      .readonly()
      .nullable()
      .describe(
        'The file that sets an unconfirmed address for it, and the line that confirms it: none of its sessions starts; otherwise null',
      ),
  })
  .readonly()
  .meta({ id: 'Provider' });
export type ProviderInfo = z.infer<typeof ProviderInfo>;

/** Number of recent commands in a snapshot, in any state. */
export const RECENT_COMMANDS = 200;

/** The data that a live screen starts from. */
export const Snapshot = z
  .object({
    workspace: z.string(),
    version: z.string(),
    now: z.number().describe("The server's clock, in epoch milliseconds"),
    lastEventId: EventId.nullable().describe(
      'Events after this one are not included: send it as Last-Event-ID',
    ),
    you: z.object({ name: z.string(), role: z.string() }),
    mode: ModeView,
    isolation: z.string().describe('Layer of the sandbox: `overlay`, `bind` …; `none` without confinement'),
    commands: z
      .array(CommandView)
      .readonly()
      .describe('The first 200 unfinished ones of each state, and the last 200 of all'),
    queue: QueueView,
    limits: z
      .object({ maxConcurrent: z.int(), maxWaitMs: z.number(), leaseTtlMs: z.number() })
      .describe(
        'How many run at once, how long one waits before it is cancelled, and the time to live of a lease',
      ),
    sessions: z.array(SessionView).readonly(),
    providers: z.array(ProviderInfo).readonly(),
    tests: z.string().nullable().describe("The workspace's own test command; null: none"),
  })
  .meta({ id: 'Snapshot' });
export type Snapshot = z.infer<typeof Snapshot>;

export const getSnapshot = defineOperation('GET', '/api/snapshot', {
  schema: { response: { 200: Snapshot } },
});

export const listProviders = defineOperation('GET', '/api/providers', {
  schema: {
    response: { 200: z.object({ providers: z.array(ProviderInfo).readonly() }) },
  },
});

const GitHead = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('branch'), name: z.string() }),
    z.object({ kind: z.literal('commit'), id: z.string() }),
  ])
  .meta({ id: 'GitHead' });
export type GitHead = z.infer<typeof GitHead>;

/** The directory tree, and its position in git. */
export const WorkspaceView = z
  .object({
    name: z.string(),
    head: GitHead.nullable().describe('Its present position in git; null outside git'),
  })
  .meta({ id: 'Workspace' });
export type WorkspaceView = z.infer<typeof WorkspaceView>;

export const getWorkspace = defineOperation('GET', '/api/workspace', {
  schema: { response: { 200: WorkspaceView } },
});
