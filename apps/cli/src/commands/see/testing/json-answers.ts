import { CoordinatorState, ProviderStats, RunView, Snapshot, Stats } from '@signalbox/api';
import {
  Approval,
  Claim,
  CommandId,
  CommandRecord,
  FileTouch,
  Lease,
  LeaseId,
  Mode,
  Outcome,
  ProviderId,
  Verdict,
} from '@signalbox/core';
import * as z from 'zod';
import { COUNTED_ANSWERS } from './counted-answers.ts';

// Output of --json, key by key: an unlisted key, and a missing one, fails the test.

const Some = z.looseObject({});
const Text = z.string();
const At = z.number();
const Back = z.strictObject({ at: At, to: Mode });
const ModeState = z.strictObject({ mode: Mode, since: At, by: Text, reason: Text, back: Back.optional() });
const Ruling = z.looseObject({ kind: z.enum(['allow', 'ask', 'deny']), rule: Text });
const Counts = { running: z.int(), waiting: z.int() };
const WaitingEntry = {
  commandId: CommandId,
  provider: ProviderId,
  claims: z.array(Claim),
  since: At,
  blockers: z.array(CommandId),
};
const Tool = z.strictObject({
  name: Text,
  aliases: z.array(Text),
  description: Text,
  kind: Text,
  category: Text,
  risk: Text,
  policy: Text,
  modes: z.array(Mode),
  requiresSandbox: z.boolean(),
  timeoutMs: z.int(),
  inputSchema: Some,
  outputSchema: Some.nullable(),
  server: Text.nullable(),
  changed: z.boolean(),
});
const Token = {
  id: Text,
  kind: Text,
  name: Text,
  role: Text,
  provider: ProviderId.nullable(),
  createdAt: At,
  expiresAt: At.nullable(),
};
const FileDiff = {
  path: Text,
  added: z.int(),
  removed: z.int(),
  patch: Text,
  current: z.boolean(),
  byHand: z.boolean(),
  deleted: z.literal(true).optional(),
};
const StatsRow = ProviderStats;

const Answered = z.strictObject({
  command: CommandId,
  answer: z.enum([
    'granted',
    'counted',
    'refused',
    'same-person',
    'files-changed',
    'already-decided',
    'changed',
    'not-approvable',
    'unknown',
  ]),
  approval: Approval.nullable(),
  rule: z.strictObject({ id: Text, where: Text, counts: z.boolean() }).optional(),
});

/** By subcommand, and its action if it has one. */
export const JSON_ANSWERS = {
  approve: Answered,
  deny: Answered.extend({ sessionStopped: z.boolean().optional() }),
  undo: z.strictObject({
    undone: z.array(z.strictObject({ command: CommandId, by: CommandId, files: z.array(FileTouch) })),
    refused: z.array(z.strictObject({ command: CommandId, why: Text })),
    left: z.array(CommandId),
  }),
  cancel: z.strictObject({
    cancelled: z.array(CommandId),
    stopping: z.array(CommandId),
    done: z.array(CommandId),
  }),
  mode: ModeState,
  watch: Snapshot.strict(),
  status: z.strictObject({
    workspace: Text,
    server: Text.nullable(),
    mode: ModeState,
    coordinator: z.strictObject({ pid: z.int(), host: Text, subcommand: Text, startedAt: At }).nullable(),
    runningSince: At.nullable(),
    counts: z.strictObject({
      ...Counts,
      done: z.int(),
      failed: z.int(),
      lost: z.int(),
      denied: z.int(),
      stale: z.int(),
    }),
    maxConcurrent: z.int(),
    approvals: z.array(CommandRecord),
    budget: z.number().nullable(),
    toolFilter: Some.nullable(),
    judge: Some.nullable(),
    members: z.array(Some).nullable(),
    isAway: z.boolean(),
    process: CoordinatorState.strict().optional(),
    runs: z.array(RunView).optional(),
  }),
  'status ID': z.strictObject({ command: CommandRecord }),
  commands: z.strictObject({ commands: z.array(CommandRecord).min(1), next: Text.nullable() }),
  history: CommandRecord,
  queue: z.strictObject({
    running: z.array(Lease).min(1),
    stuck: z.array(Some),
    waiting: z.array(
      z.strictObject({ ...WaitingEntry, priority: z.int(), command: CommandRecord.nullable() }),
    ),
    more: z.int(),
    counts: z.strictObject({
      ...Counts,
      oldestMs: z.number().nullable(),
      byProvider: z.record(Text, z.int()),
    }),
  }),
  leases: z.strictObject({
    leases: z
      .array(
        z.strictObject({
          ...Lease.unwrap().shape,
          command: CommandRecord.nullable(),
          waiting: z.array(CommandId),
        }),
      )
      .min(1),
    waiting: z.array(z.strictObject(WaitingEntry)),
  }),
  'leases revoke': z.strictObject({
    revoked: z
      .array(z.strictObject({ leaseId: LeaseId, commandId: CommandId, kind: z.enum(['stopping']) }))
      .min(1),
  }),
  stats: z.strictObject({ ...Stats.shape, providers: z.array(StatsRow.strict()).min(1) }),
  ...COUNTED_ANSWERS,
  output: z.strictObject({ stdout: Text, stderr: Text, truncated: z.boolean(), bytes: z.int() }),
  diff: z.strictObject({
    git: z.array(z.strictObject({ command: CommandId, text: Text })),
    files: z.array(z.strictObject({ ...FileDiff, command: CommandId, provider: ProviderId })),
  }),
  audit: z.looseObject({ tool: Text, provider: Text, result: Text }),
  'audit verify': z.strictObject({
    files: z.array(Text),
    lines: z.int(),
    commands: z.int(),
    torn: z.array(z.int()),
    problems: z.array(Some),
    head: Text,
  }),
  check: z.strictObject({
    line: Text,
    verdict: Verdict,
    ruling: Ruling,
    claims: z.array(Claim),
    mode: Mode,
    trust: Text,
    failure: Some.nullable(),
  }),
  'policy explain': z.strictObject({
    title: Text,
    verdict: Verdict,
    ruling: Ruling,
    rules: z.array(Some).min(1),
    changes: z.array(Text),
    proposal: Some.nullable(),
    failure: Some.nullable(),
    mode: Mode,
  }),
  'policy test': z.strictObject({ passed: z.int(), failed: z.array(Some) }),
  'policy check': z.strictObject({ problems: z.array(Some) }),
  rules: z.strictObject({ rules: z.array(Some) }),
  'rules add': z.strictObject({ file: Text, rule: z.looseObject({ id: Text }) }),
  'rules remove': z.strictObject({ file: Text, removed: Text }),
  'rules trust': z.strictObject({ trusted: z.array(Some) }),
  'rules reads': z.strictObject({ reads: Some, logins: z.array(Some) }),
  tools: z.strictObject({ tools: z.array(Tool).min(1), servers: z.array(Some) }),
  'tools NAME': Tool,
  'tools trust': z.strictObject({ agreed: z.array(Text) }),
  config: z.record(Text, z.strictObject({ value: z.unknown(), origin: Text })),
  'config set': z.strictObject({
    file: Text,
    key: Text,
    value: z.unknown(),
    counts: z.unknown(),
    changed: z.boolean(),
  }),
  'config migrate': z.strictObject({
    files: z.array(z.strictObject({ file: Text, moved: z.array(z.strictObject({ from: Text, to: Text })) })),
    written: z.boolean(),
  }),
  'config trust': z.strictObject({ file: Text, confirmed: z.boolean() }),
  'config path': z.strictObject({ user: Text, shared: Text, yours: Text }),
  doctor: z.strictObject({
    checks: z
      .array(
        z.strictObject({
          id: Text,
          ok: z.boolean(),
          stops: z.boolean(),
          why: Text,
          fix: z.array(Text).or(Text).optional(),
        }),
      )
      .min(1),
  }),
  'token create': z.strictObject({ ...Token, accessToken: Text }),
  'token list': z.strictObject({ tokens: z.array(z.strictObject(Token)).min(1) }),
  'token revoke': z.strictObject({ revoked: Text }),
  connect: z.strictObject({
    agent: Text,
    written: z.boolean(),
    undone: z.boolean(),
    verified: z.boolean().nullable(),
    files: z
      .array(z.strictObject({ path: Text, purpose: Text, changed: z.boolean(), after: Text.nullable() }))
      .min(1),
    notes: z.array(Text),
  }),
  dashboard: z.strictObject({ url: z.url(), expiresAt: At }),
  exec: z.strictObject({
    command: CommandId,
    outcome: Outcome,
    exitCode: z.int().nullable(),
    stdout: Text,
    stderr: Text,
    truncated: z.boolean(),
  }),
} as const satisfies Record<string, z.ZodType>;
