import {
  type CommandId,
  type CommandRecord,
  type CommandResult,
  type Effect,
  type Execution,
  type Failure,
  type FilteredOutput,
  formatForLlm,
  isWithin,
  type NetworkUse,
} from '@signalbox/core';
import type { FenceUntrusted } from '../untrusted/untrusted-text.ts';
import { reportLines } from './report-lines.ts';
import { limitText, type SettingOf } from './outcome/limit-words.ts';

/** More of them tell a model nothing new. */
const MAX_NAMED = 3;
const STREAMS = ['stdout', 'stderr'] as const;

type Circumstances = Pick<CommandRecord, 'context'> & {
  /** The setting behind each limit. */
  readonly limitSettings?: SettingOf | undefined;
  /** The streams as the model reads them; null: as they are. */
  readonly filtered: FilteredOutput | null;
  /** Hides personal paths; absent: they stay. */
  readonly hidePaths?: ((text: string) => string) | undefined;
  /** For text from outside of the workspace. */
  readonly fence?: FenceUntrusted | undefined;
};

/** The text for the model: the error block first, then the output. */
export function contentOf(
  result: CommandResult,
  execution: Execution | undefined,
  of: Circumstances,
): string {
  const { fence = asItIs, hidePaths = asItIs } = of;
  const block = result.failure === null ? [] : [failureText(result.failure, result.commandId, of)];
  if (execution !== undefined) return [...block, printed(result, execution, of)].join('\n\n');
  if (result.failure !== null) return block.join('\n\n');
  const output = typeof result.output === 'string' ? result.output : JSON.stringify(result.output);
  return fence(hidePaths(output));
}

function asItIs(text: string): string {
  return text;
}

/** What an MCP server says about a failure is its text, not ours. */
function failureText(failure: Failure, id: CommandId, { fence }: Pick<Circumstances, 'fence'>): string {
  if (fence === undefined || !isOfServer(failure)) return formatForLlm(failure, id);
  const { message, why, ...rest } = failure;
  const ours = formatForLlm(
    { ...rest, message: 'The call failed; the words of its MCP server are below' },
    id,
  );
  return [ours, fence([message, ...(why ?? [])].join('\n'))].join('\n');
}

const OF_SERVER: ReadonlySet<string> = new Set(['mcp-tool-error', 'mcp-call-refused', 'mcp-server-lost']);

/** Whether its message quotes a server. */
export function isOfServer({ code }: Pick<Failure, 'code'>): boolean {
  return OF_SERVER.has(code);
}

/** The exit code, both streams, whether output was omitted, and what hindered it (S001-19, S001-23). */
function printed(
  result: CommandResult,
  execution: Execution,
  { context, limitSettings = {}, filtered, fence = asItIs, hidePaths = asItIs }: Circumstances,
): string {
  const { merged, reruns, isolation } = execution;
  const reported = reportLines(result, execution).map(hidePaths);
  const parts = [`exit code: ${result.exitCode}`, ...reported];
  const shown = filtered ?? result;
  const streams = STREAMS.flatMap((stream) =>
    shown[stream] === '' ? [] : [`${stream}:\n${hidePaths(shown[stream].trimEnd())}`],
  );
  if (streams.length > 0) parts.push(fence(streams.join('\n')));
  if (isolation.layer === 'overlay' && CROSS_DEVICE.test(result.stderr)) parts.push(MOVE_INSTEAD);
  if (merged !== undefined)
    parts.push(`merged: others changed these files too; they now contain both changes: ${merged.join(', ')}`);
  if (reruns !== undefined)
    parts.push(`ran ${reruns + 1} times: others changed files it writes; this is its last run`);
  if (result.git !== undefined) parts.push(`git: ${result.git.join('; ')}`);
  for (const stream of STREAMS) {
    const readRest = howToReadRest(stream, result.commandId, { declared: context.tools });
    const leftOut = filtered?.leftOut[stream] ?? 0;
    if (execution[stream].truncated)
      parts.push(`truncated: true (the middle of ${stream} was left out${readRest})`);
    if (leftOut > 0)
      parts.push(
        `filtered: ${leftOut} ${leftOut === 1 ? 'line' : 'lines'} of ${stream} left out (filter ${filtered?.use.filter}${readRest})`,
      );
  }
  // A failure names them itself.
  const hits = result.success ? (execution.limitsReached ?? []) : [];
  if (result.success) parts.push(...(result.offline ?? []));
  for (const hit of hits) parts.push(`limit reached: ${limitText(hit, limitSettings)}`);
  parts.push(...refusedHosts(result.network ?? []));
  return parts.join('\n');
}

export const READ_OUTPUT = 'read_output';

/** Names the tool that reads the rest, if the session may call it. */
function howToReadRest(
  stream: 'stdout' | 'stderr',
  id: CommandId,
  { declared }: Readonly<{ declared: CommandRecord['context']['tools'] }>,
): string {
  if (declared?.includes(READ_OUTPUT) === false) return '';
  return `; call ${READ_OUTPUT} with command ${id}, stream ${stream}, and first_line, tail or search`;
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
export function ownFolderHint(
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
