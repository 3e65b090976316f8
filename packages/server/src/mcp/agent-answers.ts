import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  type CommandId,
  type CommandResult,
  type McpSettings,
  SignalboxError,
  UnavailableError,
  visibleName,
} from '@signalbox/core';
import type { CommandView } from '@signalbox/api';
import { inAgentsNames } from './agents-names.ts';
import { cutMiddle } from './cut-middle.ts';
import { oneLine } from './one-line.ts';
import { readOn } from './read-on.ts';
import { TOOL_PREFIX } from './tool-prefix.ts';
import { type BlockingHolder, describeWait, whoApproves, whyHeld } from './waiting-for.ts';

/** Key of the structured answer, for an agent's program. Its model reads the text alone. */
export const COMMAND_META = 'signalbox/command';

/** Facts for an answer besides the command. */
export type AnswerParts = {
  readonly limits: Pick<McpSettings, 'max_result_chars' | 'max_error_chars'>;
  /** Address of the dashboard; null where no port is open. */
  readonly dashboard: string | null;
  /** The command that holds what this one waits for. */
  readonly holder: BlockingHolder | null;
  /** Tools offered to the agent, without their prefix. */
  readonly tools: ReadonlySet<string>;
};

/**
 * State of a command: its result, or a handle while it has none.
 *
 * One text holds everything, without `structuredContent`: Claude Code and Codex would show their models only that,
 * Gemini CLI and opencode only the text. The facts are in the first and the last line, since agents cut long answers in
 * the middle or at the end. Our notes on the call are separate blocks, never part of its text.
 */
export function answerOf(view: CommandView, parts: AnswerParts): CallToolResult {
  const { result } = view;
  return result === null ? waiting(view, parts) : ended(view, result, parts);
}

/** For a command that was sent and can't be read now: after a plain failure a model would send it again. */
export function sentButUnreadable(id: CommandId, error: unknown): CallToolResult {
  const lines = [
    `${MARK} command ${id} · unknown`,
    faultOf(error),
    `The call was sent. ${askAgain(id)}`,
    `${MARK} end of command ${id} · unknown`,
  ];
  return { isError: true, content: [text(lines.join('\n'))] };
}

/** Why a call did not become a command. */
export function notSent(error: unknown): CallToolResult {
  const isUnsure = error instanceof SignalboxError && error.code === 'no-answer';
  const first = isUnsure
    ? 'it is unknown whether the call was sent: check before you repeat it'
    : 'nothing was done';
  const lines = [`${MARK} ${first}`, faultOf(error), ...nextOf(error), `${MARK} end · ${first}`];
  return { isError: true, content: [text(lines.join('\n'))] };
}

const MARK = '[signalbox]';

function waiting(view: CommandView, { dashboard, holder }: AnswerParts): CallToolResult {
  const { id } = view;
  const lines = [
    `${MARK} command ${id} · waiting · ${describeWait(view, holder)}`,
    oneLine(view.title),
    ...whyHeld(view, holder),
    ...whoApproves(view, dashboard),
    askAgain(id),
    `${MARK} end of command ${id} · waiting`,
  ];
  return {
    content: [text(lines.join('\n'))],
    _meta: { [COMMAND_META]: { ...facts(view), status: 'waiting' } },
  };
}

function ended(view: CommandView, result: CommandResult, { limits, tools }: AnswerParts): CallToolResult {
  const { id } = view;
  const how = [result.outcome.kind.replace('_', ' ')];
  if (result.exitCode !== null) how.push(`exit code ${result.exitCode}`);
  const first = `${MARK} command ${id} · ${how.join(' · ')}`;
  const last = `${MARK} end of command ${id} · ${[...how, ...changesOf(result)].join(' · ')}`;
  const max = result.success ? limits.max_result_chars : limits.max_error_chars;
  const notes = (result.notes ?? []).map((note) => `${MARK} ${oneLine(note)}`);
  const besides = [first, last, ...notes].reduce((sum, line) => sum + line.length + 1, 0);
  const reported = { ...result, content: inAgentsNames(result, tools) };
  const body = bounded(view, max - besides, reported);
  return {
    isError: !result.success,
    content: [`${first}\n${body}${body === '' || body.endsWith('\n') ? '' : '\n'}${last}`, ...notes].map(
      text,
    ),
    _meta: { [COMMAND_META]: facts(view) },
  };
}

/** Longest line that says how much was left out and how to read it. */
const GAP_LENGTH = 600;
/** opencode cuts an answer after its first 2,000 lines. */
const MAX_LINES = 1900;
/** A failure usually explains itself at its end. */
const HEAD_SHARE = { success: 0.6, failure: 0.4 } as const;

function bounded(view: CommandView, max: number, result: CommandResult): string {
  const share = result.success ? HEAD_SHARE.success : HEAD_SHARE.failure;
  const bounds = { maxLength: max - GAP_LENGTH, maxLines: MAX_LINES, headShare: share };
  const cut = cutMiddle(result.content, bounds);
  if (cut === null) return result.content;
  const { head, tail, leftOut } = cut;
  const lines = leftOut.lines === 1 ? '1 line' : `${leftOut.lines} lines`;
  const gap = `${MARK} ${lines} (${leftOut.characters} characters) left out here · ${readOn(view, head, result)}`;
  return `${head}${head.endsWith('\n') ? '' : '\n'}${gap}\n${tail}`;
}

/** More changes are a build, whose file names say nothing. */
const MAX_NAMED = 10;

function changesOf({ files, rollback }: CommandResult): string[] {
  if (rollback === 'rolled_back') return ['its changes were rolled back'];
  if (rollback === 'rollback_failed') return ['its changes were kept in part'];
  const changed = files.filter(({ kind }) => kind !== 'read');
  if (changed.length === 0) return [];
  const named = changed
    .slice(0, MAX_NAMED)
    .map(({ path, kind }) => `${oneLine(visibleName(path), 100)} (${kind})`);
  const more = changed.length - named.length;
  return [`changed: ${named.join(', ')}${more > 0 ? `, ${more} more` : ''}`];
}

function askAgain(id: CommandId): string {
  return `Call ${TOOL_PREFIX}wait with ${JSON.stringify({ command: id })}; do not repeat the call.`;
}

/** The error and its reason. */
function faultOf(error: unknown): string {
  if (!(error instanceof SignalboxError)) return 'Signalbox failed inside; try again later';
  return [error.message, ...error.why].join('\n');
}

function nextOf(error: unknown): readonly string[] {
  // Its `next` steps are for a person at a terminal.
  if (error instanceof UnavailableError) return ['Try again a little later; tell your user if it persists.'];
  return error instanceof SignalboxError ? error.next : [];
}

function text(value: string): CallToolResult['content'][number] {
  return { type: 'text', text: value };
}

function facts({ id, status, result }: CommandView): Record<string, unknown> {
  return {
    id,
    status,
    outcome: result?.outcome.kind ?? null,
    exit_code: result?.exitCode ?? null,
    files: (result?.files ?? []).map(({ path, kind }) => ({ path, kind })),
    ...(result?.report === undefined ? {} : { report: result.report }),
  };
}
