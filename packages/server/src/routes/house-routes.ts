import {
  Claim,
  CommandId,
  CommandState,
  Lease,
  ProviderId,
  ProviderId as ProviderIdSchema,
} from '@signalbox/core';
import { readStuckCommands, StuckCommand } from '@signalbox/coordinator';
import * as z from 'zod';
import { visitorOfRequest } from '../access/authenticate.ts';
import { Problem } from '../problem.ts';
import { CommandView } from '../views/command-view.ts';
import { ProviderInfo } from '../sessions/provider-info.ts';
import { SessionView } from '../sessions/session-view.ts';
import { ModeState } from './mode-routes.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const WaitingEntry = z
  .strictObject({
    commandId: CommandId,
    provider: ProviderId,
    claims: z.array(Claim),
    priority: z.int(),
    since: z.number().describe('Epoch milliseconds'),
    blockers: z.array(CommandId).describe('Whom it waits for, earliest first, at most 20'),
  })
  .meta({ id: 'WaitingEntry' });

/** Of a queue of tens of thousands nobody reads more at once. */
const MOST_WAITING = 200;

const counts = z
  .array(z.strictObject({ state: CommandState, provider: ProviderId, commands: z.int() }))
  .describe('How many commands are not done, by state and provider');

const Queue = z
  .strictObject({
    waiting: z.array(WaitingEntry).describe(`The first ${MOST_WAITING}`),
    leases: z.array(Lease),
    counts,
  })
  .meta({ id: 'Queue' });

/** `/api/queue` alone: a live screen hears of these by events. */
const QueueWithStuck = z
  .strictObject({
    waiting: z.array(WaitingEntry).describe('The first of them, as many as `limit` says'),
    leases: z.array(Lease),
    counts,
    stuck: z.array(StuckCommand).describe('Whose files stand half-way; what they claim stays held'),
  })
  .meta({ id: 'QueueWithStuck' });

const Stats = z
  .strictObject({
    provider: ProviderIdSchema,
    commands: z.int(),
    completed: z.int(),
    failed: z.int(),
    denied: z.int(),
    cancelled: z.int(),
    meanMs: z.number(),
    medianMs: z.number(),
    p95Ms: z.number(),
    waitedMs: z.number(),
    approvalMs: z.number(),
    cpuMs: z.number(),
    peakMemoryBytes: z.number(),
    mostUsed: z.array(z.strictObject({ tool: z.string(), commands: z.int() })),
  })
  .meta({ id: 'ProviderStats' });

const answerStats = {
  approvals: z.strictObject({
    granted: z.int(),
    refused: z.int(),
    expired: z.int(),
    medianAnswerMs: z.number().nullable().describe('Null while nobody has answered'),
  }),
  questions: z
    .array(
      z.strictObject({
        rule: z.string(),
        reason: z.string(),
        asked: z.int(),
        approved: z.int(),
        denied: z.int(),
        expired: z.int(),
      }),
    )
    .readonly()
    .describe('Why commands asked a person, most often first'),
  remedy: z
    .discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('network'),
        profile: z.enum(['packages', 'remotes']),
        example: z.string(),
        saves: z.int(),
        asked: z.int(),
      }),
      z.strictObject({ kind: z.literal('rule'), line: z.string(), saves: z.int(), asked: z.int() }),
    ])
    .nullable()
    .describe('The one list of hosts or rule that would have saved the most questions'),
  busiestFile: z
    .strictObject({ path: z.string(), changes: z.int() })
    .nullable()
    .describe('The file that commands changed most often'),
};

const RECENT = 200;
const UNFINISHED = CommandState.options.filter((state) => state !== 'done');

const Snapshot = z
  .strictObject({
    workspace: z.string(),
    version: z.string(),
    now: z.number().describe("The server's clock, in epoch milliseconds"),
    lastEventId: z
      .string()
      .nullable()
      .describe('Events after this one are not in here: send it as Last-Event-ID'),
    you: z.strictObject({ name: z.string(), role: z.string() }),
    mode: ModeState,
    isolation: z
      .string()
      .describe('Layer of the sandbox: `overlay`, `bind` …; `none` where nothing confines'),
    commands: z
      .array(CommandView)
      .describe('The first 200 of each state that are not done, and the last 200 of all'),
    queue: Queue,
    limits: z
      .strictObject({ maxConcurrent: z.int(), maxWaitMs: z.number(), leaseTtlMs: z.number() })
      .describe('How many run at once, how long one waits before it is cancelled, and the term of a lease'),
    sessions: z.array(SessionView),
    providers: z.array(ProviderInfo),
  })
  .meta({ id: 'Snapshot' });

/** The house as a whole: what a screen needs to begin with. */
export function houseRoutes(app: Routes, parts: RouteParts): void {
  const { coordinator, store, events, views, services, clock } = parts;

  async function queueNow(most: number) {
    const [{ waiting, leases }, all] = await Promise.all([coordinator.queue(most), store.countUnfinished()]);
    return {
      waiting: waiting.map((entry) => ({
        ...entry,
        claims: [...entry.claims],
        blockers: [...entry.blockers],
      })),
      leases: [...leases],
      counts: [...all],
    };
  }

  app.get(
    '/api/snapshot',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'All that a live screen begins with',
        tags: ['house'],
        response: { 200: Snapshot, default: Problem },
      },
    },
    async (request) => {
      // First of all: what happens while the rest is read comes again as an event, and is never missed.
      const lastEventId = await events.lastId();
      const [mode, queue, unfinished, recent, isolation] = await Promise.all([
        coordinator.mode(),
        queueNow(MOST_WAITING),
        Promise.all(UNFINISHED.map((state) => store.unfinished({ states: [state], limit: MOST_WAITING }))),
        store.list({ limit: RECENT }),
        services.isolation(),
      ]);
      const byId = new Map([...recent, ...unfinished.flat()].map((record) => [record.id, record]));
      const { name, role } = visitorOfRequest(request);
      return {
        workspace: parts.workspace,
        version: parts.version,
        now: clock.now(),
        lastEventId,
        you: { name, role },
        mode,
        isolation: isolation?.layer ?? 'none',
        commands: [...byId.values()].toSorted((a, b) => b.submittedAt - a.submittedAt).map(views.short),
        queue,
        limits: limitsForPeople(parts.limits),
        sessions: [...parts.sessions.list()],
        providers: [...services.providers()],
      };
    },
  );

  app.get(
    '/api/queue',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Who waits, for whom, and for what',
        tags: ['house'],
        querystring: z.object({
          limit: z.coerce
            .number()
            .int()
            .min(1)
            .max(2000)
            .default(MOST_WAITING)
            .describe('Of those that wait'),
        }),
        response: { 200: QueueWithStuck, default: Problem },
      },
    },
    async (request) => {
      const [queue, stuck] = await Promise.all([
        queueNow(request.query.limit),
        readStuckCommands(parts.facts),
      ]);
      return { ...queue, stuck: [...stuck] };
    },
  );

  app.get(
    '/api/stats',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Numbers by provider, and what came of questions, over the kept history',
        tags: ['house'],
        querystring: z.object({ since: z.coerce.number().optional().describe('Epoch milliseconds') }),
        response: { 200: z.strictObject({ providers: z.array(Stats), ...answerStats }), default: Problem },
      },
    },
    async (request) => {
      const { since } = request.query;
      const providers = await coordinator.monitor.stats(since);
      return {
        providers: providers.map((row) => ({ ...row, mostUsed: [...row.mostUsed] })),
        ...(await coordinator.monitor.answers(since)),
      };
    },
  );

  app.get(
    '/api/providers',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Providers of the settings',
        tags: ['house'],
        response: { 200: z.strictObject({ providers: z.array(ProviderInfo) }), default: Problem },
      },
    },
    async () => ({ providers: [...services.providers()] }),
  );
}

function limitsForPeople({ maxConcurrent, maxWaitMs, leaseTtlMs }: RouteParts['limits']) {
  return { maxConcurrent, maxWaitMs, leaseTtlMs };
}
