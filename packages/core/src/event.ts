import * as z from 'zod';
import { Approver, RepeatedApproval, CallHash } from './commands/approval.ts';
import { Claim } from './leases/claim.ts';
import { CommandId, ProviderId, RunId, SessionId } from './id.ts';
import { FilterUse } from './commands/filter-use.ts';
import { GateDecision } from './commands/gate-decision.ts';
import { Level } from './commands/level.ts';
import { Mode } from './mode.ts';
import { FencingToken } from './leases/lease.ts';
import { PersonQuestion } from './commands/person-question.ts';
import { NetworkUse } from './network/network-use.ts';
import { ReuseSource } from './commands/result.ts';
import { Rollback } from './commands/rollback.ts';
import { sessionEvents } from './session-event.ts';
import { Suspect } from './commands/suspect.ts';
import { Verdict } from './commands/verdict.ts';

/** Topic of the live events (S003-47). */
export const EXECUTION_TOPIC = 'tools:execution';

/** `<epoch ms>-<n>`, growing: also the `id:` of a server-sent event and of a Redis stream entry. */
export const EventId = z
  .string()
  .regex(/^\d+-\d+$/)
  .brand<'EventId'>();
export type EventId = z.infer<typeof EventId>;

const ofCommand = { commandId: CommandId, sessionId: SessionId, provider: ProviderId, title: z.string() };
const ended = {
  ...ofCommand,
  tool: z.string(),
  durationMs: z.number(),
  latencyMs: z.number(),
  /** See `CallContext`. */
  thought: z.boolean().optional(),
};

/** Nothing ran: that command's run gave the result. */
const reused = { reusedFrom: ReuseSource.optional() };

/** An event of a command; names of specification 003, and X-32's additions. All text is redacted. */
const commandEvents = [
  z.strictObject({ type: z.literal('command_submitted'), ...ofCommand, tool: z.string() }),
  z.strictObject({ type: z.literal('command_classified'), ...ofCommand, verdict: Verdict }),
  /** Right after `command_classified`. */
  z.strictObject({
    type: z.literal('hallucination_suspect'),
    ...ofCommand,
    suspects: z.array(Suspect).readonly(),
  }),
  /** A gate judged the call; a denial is followed by the command's end, unless in shadow. */
  z.strictObject({ type: z.literal('gate_decided'), ...ofCommand, decision: GateDecision }),
  z.strictObject({
    type: z.literal('approval_requested'),
    ...ofCommand,
    level: Level,
    reason: z.string(),
    callHash: CallHash,
    expiresAt: z.number(),
    /** How many different people must approve. */
    approvers: z.int().default(1),
    /** Why approval is requested again; absent: first request. */
    again: RepeatedApproval.optional(),
    /** It waits for an answer in words. Absent: for approval. */
    question: PersonQuestion.optional(),
  }),
  z.strictObject({ type: z.literal('question_answered'), ...ofCommand, by: Approver, answer: z.string() }),
  /** One person has granted, and a second must. */
  z.strictObject({
    type: z.literal('approval_counted'),
    ...ofCommand,
    by: Approver,
    given: z.int(),
    approvers: z.int(),
  }),
  /** The approval expired without an answer: its session is paused, and the approval stays open. */
  z.strictObject({ type: z.literal('approval_overdue'), ...ofCommand, expiresAt: z.number() }),
  /** A person extended the approval. */
  z.strictObject({
    type: z.literal('approval_extended'),
    ...ofCommand,
    by: Approver,
    expiresAt: z.number(),
  }),
  z.strictObject({
    type: z.literal('command_approved'),
    ...ofCommand,
    /** `auto` when no person was asked. */
    by: z.union([z.literal('auto'), Approver]),
    rule: z.string(),
    modified: z.boolean(),
  }),
  z.strictObject({
    type: z.literal('command_queued'),
    ...ofCommand,
    claims: z.array(Claim),
    /** Commands ahead of it; empty when it only waits for a free slot. */
    blockers: z.array(CommandId),
  }),
  /** A person changed the priority of a waiting command: 0 is served first. */
  z.strictObject({
    type: z.literal('command_prioritized'),
    ...ofCommand,
    priority: z.int(),
    by: z.string(),
  }),
  z.strictObject({
    type: z.literal('command_started'),
    ...ofCommand,
    /** What runs, redacted: the shell line, or what the tool works on. Empty in events of older versions. */
    command: z.string().default(''),
    /** The Signalbox process that runs it, on its coordinator's machine; null in events of older versions. */
    pid: z.int().nullable().default(null),
    fencingToken: FencingToken,
    claims: z.array(Claim),
    waitedMs: z.number(),
  }),
  z.strictObject({
    type: z.literal('command_output'),
    commandId: CommandId,
    provider: ProviderId,
    stream: z.enum(['stdout', 'stderr']),
    output: z.string(),
  }),
  /** The first connection to a target with an outcome, through the gate of the command's network (G7). */
  z.strictObject({
    type: z.literal('network_connection'),
    commandId: CommandId,
    provider: ProviderId,
    target: z.string(),
    outcome: NetworkUse.def.innerType.shape.outcome,
    why: z.string().nullable(),
  }),
  z.strictObject({
    type: z.literal('command_completed'),
    ...ended,
    ...reused,
    exitCode: z.int().nullable(),
    filtered: FilterUse.optional(),
  }),
  z.strictObject({
    type: z.literal('command_failed'),
    ...ended,
    ...reused,
    outcome: z.enum(['failed', 'conflict', 'timed_out', 'lost']),
    exitCode: z.int().nullable(),
    /** `timeout` for a command that timed out (S003-52), otherwise the failure's code. */
    reason: z.string(),
    message: z.string(),
    filtered: FilterUse.optional(),
  }),
  z.strictObject({
    type: z.literal('command_denied'),
    ...ended,
    outcome: z.enum(['denied', 'blocked']),
    rule: z.string(),
    reason: z.string(),
  }),
  z.strictObject({
    type: z.literal('command_cancelled'),
    ...ended,
    reason: z.string(),
    filtered: FilterUse.optional(),
  }),
  /** Its writes were not kept, or could not be rolled back (S001-107, X-43); emitted right before its ending. */
  z.strictObject({
    type: z.literal('command_rolled_back'),
    ...ofCommand,
    how: Rollback,
    exitCode: z.int().nullable(),
    reason: z.string(),
  }),
] as const;

/** Result of the line that checks whether the work of a run is done. */
export const UntilResult = z
  .strictObject({
    line: z.string(),
    passed: z.boolean(),
    exitCode: z.int().nullable(),
    /** Why it has no exit code, and what to do: it was killed for a limit, denied, or never ran. */
    why: z.array(z.string()).readonly(),
    commandId: CommandId,
  })
  .readonly();
export type UntilResult = z.infer<typeof UntilResult>;

/**
 * What follows a check: the sessions go on (`again`), or the run ends, since it `passed`, was the last of the allowed
 * `rounds`, failed as the one before (`repeated`), the `budget` is used up, someone `stopped` the run or `refused` the
 * line, or all sessions had `ended`.
 */
export const CheckDecision = z.enum([
  'again',
  'passed',
  'rounds',
  'repeated',
  'budget',
  'stopped',
  'refused',
  'ended',
]);
export type CheckDecision = z.infer<typeof CheckDecision>;

/** An event of a run: sessions that were started together. */
const runEvents = [
  z.strictObject({
    type: z.literal('run_started'),
    runId: RunId,
    sessions: z.array(SessionId),
    /** The line that checks whether the work is done; null: none. */
    until: z.string().nullable(),
    /** Session that this line runs under. */
    untilSession: SessionId.nullable(),
    /** How often that line runs at most. Absent in events of older versions: once. */
    rounds: z.int().min(1).optional(),
    /** In US dollars, for all its sessions together. */
    budgetUsd: z.number().nullable(),
    by: z.string(),
  }),
  /** All its sessions had given their answer, and the line was run. */
  z.strictObject({
    type: z.literal('run_checked'),
    runId: RunId,
    /** From 1. */
    round: z.int().min(1),
    result: UntilResult,
    next: CheckDecision,
  }),
  z.strictObject({
    type: z.literal('run_ended'),
    runId: RunId,
    /** Null when there is no such line, or it was not run. */
    until: UntilResult.nullable(),
    /** Who stopped it; null: it ended by itself. */
    stoppedBy: z.string().nullable(),
  }),
] as const;

const workspaceEvents = [
  z.strictObject({
    type: z.literal('mode_changed'),
    from: Mode,
    to: Mode,
    by: z.string(),
    reason: z.string(),
    /** For a timed mode: when it ends, and the mode that follows. */
    back: z.strictObject({ at: z.number(), to: Mode }).optional(),
  }),
  z.strictObject({
    type: z.literal('coordinator_started'),
    host: z.string(),
    pid: z.int(),
    recovered: z.int(),
  }),
  z.strictObject({ type: z.literal('coordinator_stopped'), host: z.string(), pid: z.int() }),
  /** A fault of Signalbox itself that does not stop commands: its log, its state, its audit log. */
  z.strictObject({
    type: z.literal('warning_raised'),
    /** `log-not-written`, `state-lost` … */
    code: z.string(),
    message: z.string(),
    /** What to do: sentences or subcommands to paste. */
    next: z.array(z.string()),
  }),
  z.strictObject({ type: z.literal('warning_cleared'), code: z.string(), message: z.string() }),
] as const;

/** An event before the log has given it an id and a time. */
export const NewEvent = z.discriminatedUnion('type', [
  ...commandEvents,
  ...sessionEvents,
  ...runEvents,
  ...workspaceEvents,
]);
export type NewEvent = z.infer<typeof NewEvent>;
export type EventType = NewEvent['type'];

/** An event (R1, R2): `at` is epoch milliseconds by the backend's clock. */
export type Event = NewEvent & { readonly id: EventId; readonly at: number };
