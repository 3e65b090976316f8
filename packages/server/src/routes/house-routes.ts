import { Claim, CommandId, Lease, ProviderId, ProviderId as ProviderIdSchema } from '@signalbox/core';
import { readStuckCommands, StuckCommand } from '@signalbox/coordinator';
import * as z from 'zod';
import { visitorOfRequest } from '../access/authenticate.ts';
import { Problem } from '../problem.ts';
import { CommandView } from '../views/command-view.ts';
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

const Queue = z
  .strictObject({ waiting: z.array(WaitingEntry), leases: z.array(Lease) })
  .meta({ id: 'Queue' });

/** `/api/queue` alone: a live screen hears of these by events. */
const QueueWithStuck = z
  .strictObject({
    waiting: z.array(WaitingEntry),
    leases: z.array(Lease),
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

const ProviderInfo = z
  .strictObject({ id: ProviderId, model: z.string(), trust: z.string() })
  .meta({ id: 'Provider' });

const RECENT = 200;

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
    commands: z.array(CommandView).describe('Those that are not done, and the last 200'),
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
        coordinator.queue(),
        store.unfinished(),
        store.list({ limit: RECENT }),
        services.isolation(),
      ]);
      const byId = new Map([...recent, ...unfinished].map((record) => [record.id, record]));
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
        queue: {
          waiting: queue.waiting.map((entry) => ({
            ...entry,
            claims: [...entry.claims],
            blockers: [...entry.blockers],
          })),
          leases: [...queue.leases],
        },
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
        response: { 200: QueueWithStuck, default: Problem },
      },
    },
    async () => {
      const [{ waiting, leases }, stuck] = await Promise.all([
        coordinator.queue(),
        readStuckCommands(parts.facts),
      ]);
      return {
        waiting: waiting.map((entry) => ({
          ...entry,
          claims: [...entry.claims],
          blockers: [...entry.blockers],
        })),
        leases: [...leases],
        stuck: [...stuck],
      };
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
