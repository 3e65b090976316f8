import {
  type CommandId,
  type CommandRecord,
  type CommandResult,
  type Effect,
  type Execution,
  exitCodeOf,
  type Failure,
  failureOf,
  type FileTouch,
  formatForLlm,
  isWithin,
  type Json,
  type NetworkUse,
  type Outcome,
  type ToolAnswer,
} from '@signalbox/core';
import type { ExecutedCall } from './running/execute-call.ts';
import { limitText, type SettingOf } from './outcome/limit-words.ts';
import { offlineLines } from './outcome/offline-lines.ts';

/** More of them tell a model nothing new. */
const MAX_NAMED = 3;

/** Removes secrets from everything that leaves Signalbox. */
export type Redact = { text(text: string): string; json(value: Json): Json };

const TIMED_OUT = 'Command timed out';

/** The one result of a command that ran. */
export function resultOfRun(
  record: CommandRecord,
  run: ExecutedCall & { readonly endedAt: number },
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
  const content = contentOf(result, execution, { context: record.context, limitSettings: run.limitSettings });
  return { ...result, content: hint === undefined ? content : `${content}\n${redact.text(hint)}` };
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
  return {
    commandId: record.id,
    callId: record.call.callId,
    sessionId: record.context.sessionId,
    provider: record.context.provider,
    tool: record.call.tool,
    title: record.title,
    success: outcome.kind === 'completed',
    outcome: outcome.kind === 'completed' || failure === null ? outcome : { ...outcome, failure },
    content: failure === null ? '' : formatForLlm(failure, record.id),
    output: null,
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

type Circumstances = Pick<CommandRecord, 'context'> & {
  /** The setting behind each limit. */
  readonly limitSettings?: SettingOf | undefined;
};

/** The text for the model: the error block first, then the output. */
function contentOf(result: CommandResult, execution: Execution | undefined, of: Circumstances): string {
  const block = result.failure === null ? [] : [formatForLlm(result.failure, result.commandId)];
  if (execution !== undefined) return [...block, printed(result, execution, of)].join('\n\n');
  if (result.failure !== null) return block.join('\n\n');
  return typeof result.output === 'string' ? result.output : JSON.stringify(result.output);
}

/** Adds that others changed files while the command ran. */
export function withChangeNotes(result: CommandResult, changed: readonly string[]): CommandResult {
  if (changed.length === 0) return result;
  const reported = `While it ran, others changed files it may have read: ${changed.join(', ')}`;
  return { ...result, changedUnderneath: [...changed], content: `${result.content}\n\n${reported}` };
}

/** Adds notes for the model. */
export function withNotes(result: CommandResult, notes: readonly string[]): CommandResult {
  return notes.length === 0 ? result : { ...result, notes };
}

/** The exit code, both streams, whether output was omitted, and what hindered it (S001-19, S001-23). */
function printed(
  result: CommandResult,
  execution: Execution,
  { context, limitSettings = {} }: Circumstances,
): string {
  const { merged, reruns, isolation } = execution;
  const parts = [`exit code: ${result.exitCode}`];
  if (result.stdout !== '') parts.push(`stdout:\n${result.stdout.trimEnd()}`);
  if (result.stderr !== '') parts.push(`stderr:\n${result.stderr.trimEnd()}`);
  if (isolation.layer === 'overlay' && CROSS_DEVICE.test(result.stderr)) parts.push(MOVE_INSTEAD);
  if (merged !== undefined)
    parts.push(`merged: others changed these files too; they now contain both changes: ${merged.join(', ')}`);
  if (reruns !== undefined)
    parts.push(`ran ${reruns + 1} times: others changed files it writes; this is its last run`);
  if (result.git !== undefined) parts.push(`git: ${result.git.join('; ')}`);
  for (const stream of ['stdout', 'stderr'] as const) {
    if (execution[stream].truncated)
      parts.push(truncated(stream, result.commandId, { declared: context.tools }));
  }
  // A failure names them itself.
  const hits = result.success ? (execution.limitsReached ?? []) : [];
  if (result.success) parts.push(...(result.offline ?? []));
  for (const hit of hits) parts.push(`limit reached: ${limitText(hit, limitSettings)}`);
  parts.push(...refusedHosts(result.network ?? []));
  return parts.join('\n');
}

const READ_OUTPUT = 'read_output';

/** Names the tool that reads the rest, if the session may call it. */
function truncated(
  stream: 'stdout' | 'stderr',
  id: CommandId,
  { declared }: Readonly<{ declared: CommandRecord['context']['tools'] }>,
): string {
  const note = `truncated: true (the middle of ${stream} was left out`;
  if (declared?.includes(READ_OUTPUT) === false) return `${note})`;
  return `${note}; call ${READ_OUTPUT} with command ${id}, stream ${stream}, and first_line, tail or search)`;
}

/** What programs print for `EXDEV`. */
const CROSS_DEVICE = /cross-device link|\bEXDEV\b/i;
/** An overlay of an unprivileged user can't rename folders. */
const MOVE_INSTEAD =
  'hint: a folder that existed before can only be moved as a copy here: use mv and git add instead of git mv';

/** More of them tell a model nothing new. */
const MAX_REFUSED_HOSTS = 10;

/** The hosts it could not reach, and why. */
function refusedHosts(uses: readonly NetworkUse[]): string[] {
  const closed = uses.filter(({ outcome }) => outcome !== 'reached');
  const lines = closed
    .slice(0, MAX_REFUSED_HOSTS)
    .map(({ outcome, target, why }) => `network ${outcome}: ${why ?? target}`);
  return closed.length > MAX_REFUSED_HOSTS
    ? [...lines, `network: ${closed.length - MAX_REFUSED_HOSTS} more`]
    : lines;
}

/**
 * A hint for a model that relies on `/tmp`: each command finds that folder empty, and files left there are gone.
 * Undefined if it used none, or cleaned up after itself.
 */
function ownFolderHint(
  effects: readonly Effect[],
  { isolation: { ownFolders = [] }, ended }: Execution,
): string | undefined {
  const pathsOf = (kind: 'read' | 'write' | 'delete'): readonly string[] =>
    effects.flatMap((one) =>
      one.kind === kind && ownFolders.some((folder) => isWithin(one.path, folder)) ? [one.path] : [],
    );
  const [written, deleted] = [pathsOf('write'), pathsOf('delete')];
  const left = written.filter((path) => !deleted.some((other) => isWithin(path, other)));
  if (left.length > 0)
    return `hint: each command has its own ${foldersOf(left)}, empty at first: the files this one left there are gone (${listed(left)}). Use them in the same line, or write them into the workspace`;
  const missed = written.length > 0 ? [] : pathsOf('read');
  if (missed.length === 0 || (ended.kind === 'exited' && ended.exitCode === 0)) return undefined;
  return `hint: each command has its own ${foldersOf(missed)}, empty at first: files that an earlier one wrote there are gone (${listed(missed)})`;

  function foldersOf(paths: readonly string[]): string {
    return ownFolders.filter((folder) => paths.some((path) => isWithin(path, folder))).join(' and ');
  }
}

function listed(paths: readonly string[]): string {
  const names = [...new Set(paths)];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}
