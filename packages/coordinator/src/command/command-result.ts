import {
  type CheckReport,
  type CommandRecord,
  type CommandResult,
  type Execution,
  exitCodeOf,
  type Failure,
  failureOf,
  type FilteredOutput,
  type FileTouch,
  formatForLlm,
  type Json,
  type NetworkUse,
  type Outcome,
  type ToolAnswer,
} from '@signalbox/core';
import type { ExecutedCall } from './running/execute-call.ts';
import { offlineLines } from './outcome/offline-lines.ts';
import type { UntrustedText } from '../untrusted/untrusted-text.ts';
import { contentOf, ownFolderHint } from './result-text.ts';

/** Shortens both streams of one command, already redacted; null when its model reads them as they are. */
export type FilterStreams = (streams: Pick<CommandResult, 'stdout' | 'stderr'>) => FilteredOutput | null;

/** Removes secrets from everything that leaves Signalbox. */
export type Redact = { text(text: string): string; json(value: Json): Json };

const TIMED_OUT = 'Command timed out';

/** The one result of a command that ran. */
export function resultOfRun(
  record: CommandRecord,
  run: ExecutedCall & {
    readonly endedAt: number;
    readonly filter?: FilterStreams | undefined;
    readonly untrusted?: UntrustedText | null;
    readonly hidePaths?: ((text: string) => string) | undefined;
  },
  redact: Redact,
): CommandResult {
  const { outcome, answer, endedAt } = run;
  const execution = answer?.execution;
  const offline = execution === undefined ? [] : offlineLines(execution);
  const timedOut = outcome.kind === 'timed_out' && execution !== undefined;
  const stderr = redact.text(execution?.stderr.text ?? '');
  const result: CommandResult = {
    ...resultWithoutRun(record, outcome, { endedAt, redact }),
    output: redact.json(answer?.output ?? null),
    ...(answer?.report === undefined ? {} : { report: redactReport(answer.report, redact) }),
    exitCode: execution === undefined ? null : exitCodeOf(execution),
    stdout: redact.text(execution?.stdout.text ?? ''),
    // the text of specification 003 at the end of the output.
    stderr: timedOut ? `${stderr}${stderr === '' || stderr.endsWith('\n') ? '' : '\n'}${TIMED_OUT}` : stderr,
    truncated: execution !== undefined && (execution.stdout.truncated || execution.stderr.truncated),
    spillFiles: {
      ...(execution?.stdout.spillFile === undefined ? {} : { stdout: execution.stdout.spillFile }),
      ...(execution?.stderr.spillFile === undefined ? {} : { stderr: execution.stderr.spillFile }),
    },
    files: filesOf(answer).map((file) => ({ ...file, path: redact.text(file.path) })),
    ...rollbackOf(execution),
    ...(execution?.git === undefined ? {} : { git: execution.git.map(redact.text) }),
    ...(execution?.network === undefined ? {} : { network: networkOf(execution.network, redact) }),
    ...(offline.length === 0 ? {} : { offline }),
    usage: execution?.usage ?? null,
    isolation: execution?.isolation ?? null,
    durationMs: Math.max(0, endedAt - (record.startedAt ?? endedAt)),
  };
  const hint = execution === undefined ? undefined : ownFolderHint(record.verdict?.effects ?? [], execution);
  const filtered = execution === undefined ? null : filteredOf(result, run.filter, redact);
  const content = contentOf(result, execution, {
    context: record.context,
    limitSettings: run.limitSettings,
    filtered,
    fence: run.untrusted?.fence,
    hidePaths: run.hidePaths,
  });
  return {
    ...result,
    ...(filtered === null ? {} : { filtered: filtered.use }),
    ...(run.untrusted == null ? {} : { untrusted: redact.text(run.untrusted.source) }),
    content: hint === undefined ? content : `${content}\n${redact.text(hint)}`,
  };
}

/** Redacted once more: a secret that control codes had split may be whole without them. */
function filteredOf(
  streams: Pick<CommandResult, 'stdout' | 'stderr'>,
  filter: FilterStreams | undefined,
  redact: Redact,
): FilteredOutput | null {
  const filtered = filter?.(streams) ?? null;
  if (filtered === null) return null;
  return { ...filtered, stdout: redact.text(filtered.stdout), stderr: redact.text(filtered.stderr) };
}

/** Names, paths and messages are texts of the workspace's programs. */
function redactReport(report: CheckReport, redact: Redact): CheckReport {
  const first = report.first.map((one) => ({
    ...one,
    name: redact.text(one.name),
    message: redact.text(one.message),
    ...(one.path === undefined ? {} : { path: redact.text(one.path) }),
  }));
  return { ...report, first };
}

/** Hosts are text from the command, so they are redacted. */
function networkOf(uses: readonly NetworkUse[], redact: Redact): NetworkUse[] {
  return uses.map((use) => ({
    ...use,
    target: redact.text(use.target),
    why: use.why === null ? null : redact.text(use.why),
  }));
}

function rollbackOf(execution: Execution | undefined): Pick<CommandResult, 'rollback'> {
  if (execution?.ended.kind === 'rollback_failed') return { rollback: 'rollback_failed' };
  return execution?.rolledBack === true ? { rollback: 'rolled_back' } : {};
}

/** A record and its audit line list at most this many; `undo` keeps all. */
const MAX_FILES = 1000;

/** Files reported by its tool, then those changed by its programs, without git's own files. */
function filesOf(answer: ToolAnswer | undefined): FileTouch[] {
  const reported = answer?.files ?? [];
  const reportedPaths = new Set(reported.map(({ path }) => path));
  const changed = (answer?.execution?.changes ?? []).filter(
    ({ path }) => !reportedPaths.has(path) && !path.split('/').includes('.git'),
  );
  return [...reported, ...changed.slice(0, MAX_FILES)];
}

/** The one result of a command that never ran, or whose execution is unknown. */
export function resultWithoutRun(
  record: CommandRecord,
  outcome: Outcome,
  { endedAt, redact }: Readonly<{ endedAt: number; redact: Redact }>,
): CommandResult {
  const failure = redactFailure(failureOf(outcome) ?? null, redact);
  const answer = outcome.kind === 'completed' ? personsAnswer(record, redact) : null;
  return {
    commandId: record.id,
    callId: record.call.callId,
    sessionId: record.context.sessionId,
    provider: record.context.provider,
    tool: record.call.tool,
    title: record.title,
    success: outcome.kind === 'completed',
    outcome: outcome.kind === 'completed' || failure === null ? outcome : { ...outcome, failure },
    content: failure === null ? (answer ?? '') : formatForLlm(failure, record.id),
    output: answer,
    failure,
    exitCode: null,
    stdout: '',
    stderr: '',
    truncated: false,
    spillFiles: {},
    files: [],
    usage: null,
    isolation: null,
    submittedAt: record.submittedAt,
    endedAt,
    latencyMs: Math.max(0, endedAt - record.submittedAt),
    durationMs: 0,
    ...waits(record, endedAt),
  };
}

/** A person's answer to a question is its result. */
function personsAnswer({ approval }: CommandRecord, redact: Redact): string | null {
  return approval?.status === 'granted' && approval.answer !== undefined
    ? redact.text(approval.answer)
    : null;
}

function waits(record: CommandRecord, endedAt: number): { waitedMs: number; approvalMs: number } {
  const { approval, approvedAt, queuedAt, startedAt } = record;
  const answeredAt = approvedAt ?? endedAt;
  return {
    waitedMs: queuedAt === null ? 0 : Math.max(0, (startedAt ?? endedAt) - queuedAt),
    approvalMs:
      approval === null ? 0 : Math.max(0, answeredAt - (approval.firstRequestedAt ?? approval.requestedAt)),
  };
}

function redactFailure(failure: Failure | null, redact: Redact): Failure | null {
  if (failure === null) return null;
  return {
    ...failure,
    message: redact.text(failure.message),
    ...(failure.suggestion === undefined ? {} : { suggestion: redact.text(failure.suggestion) }),
    ...(failure.why === undefined ? {} : { why: failure.why.map((line) => redact.text(line)) }),
  };
}

/** Adds that others changed files while the command ran. */
export function withChangeNotes(result: CommandResult, changed: readonly string[]): CommandResult {
  if (changed.length === 0) return result;
  const reported = `While it ran, others changed files it may have read: ${changed.join(', ')}`;
  return { ...result, changedUnderneath: [...changed], content: `${result.content}\n\n${reported}` };
}

/** Adds notes for the model. */
export function withNotes(result: CommandResult, notes: readonly string[]): CommandResult {
  return notes.length === 0 ? result : { ...result, notes: [...(result.notes ?? []), ...notes] };
}
