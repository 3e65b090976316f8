import { createReadStream, existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import {
  type CallContext,
  CommandId,
  type CommandRecord,
  type CommandResult,
  type OutputPart,
  type OutputQuery,
  type Outputs,
  ToolFailure,
} from '@signalbox/core';
import type { AuditLine } from '../audit/audit-line.ts';
import { lastLines, linesFrom } from './read-lines.ts';
import { searchOutput } from './search-output.ts';
import type { ShownOutputs } from './shown-outputs.ts';

const CHUNK_BYTES = 256 * 1024;

/** Output of earlier commands, for the caller of that context: those of its own session or identity. */
export function createOwnOutputs(
  caller: Pick<CallContext, 'sessionId' | 'provider' | 'identity'>,
  parts: {
    readonly recordOf: (id: CommandId) => Promise<CommandRecord | null>;
    /** The audit line of a command that the history has dropped. */
    readonly auditedOf: (id: CommandId) => AuditLine | undefined;
    readonly shown: ShownOutputs;
  },
): Outputs {
  function isOwn(of: { readonly sessionId: string; readonly provider: string }): boolean {
    if (of.provider !== caller.provider) return false;
    return caller.identity === 'provider' || of.sessionId === caller.sessionId;
  }

  async function ownResult(given: string): Promise<CommandResult> {
    const id = CommandId.safeParse(given.trim());
    if (!id.success) throw unknown(given);
    const record = await parts.recordOf(id.data);
    if (record !== null) {
      if (!isOwn(record.context)) throw notYours(id.data);
      if (record.result === null) throw notEnded(id.data, record.state);
      return record.result;
    }
    const line = parts.auditedOf(id.data);
    if (line === undefined) throw unknown(given);
    throw isOwn({ sessionId: line.session_id, provider: line.provider })
      ? noLongerKept(id.data)
      : notYours(id.data);
  }

  return {
    async read(query) {
      const result = await ownResult(query.command);
      const { chunks, cut } = await keptOf(result, query.stream, parts.shown);
      const { untrusted } = result;
      const part = await partOf(chunks, query);
      return { ...part, cut, ...(untrusted === undefined ? {} : { untrusted }) };
    },
  };
}

type GroupMember = { readonly chunks: AsyncIterable<Buffer>; readonly cut: OutputPart['cut'] };

async function keptOf(
  result: CommandResult,
  stream: OutputQuery['stream'],
  shown: ShownOutputs,
): Promise<GroupMember> {
  const spilled = result.spillFiles[stream];
  const file = spilled === undefined ? null : await shown.of(spilled);
  if (file !== null && existsSync(file))
    return { chunks: createReadStream(file, { highWaterMark: CHUNK_BYTES }), cut: null };
  const cut = spilled === undefined ? (isCut(result, stream) ? 'too-long' : null) : 'no-longer-kept';
  return { chunks: Readable.from([Buffer.from(textOf(result, stream))]), cut };
}

/** The line in place of the omitted middle of a stream. */
const GAP = /^\[… \d+ bytes left out …\]$/m;

function isCut(result: CommandResult, stream: OutputQuery['stream']): boolean {
  return result.truncated && GAP.test(result[stream]);
}

/** The answer of a tool that ran no program counts as its standard output. */
function textOf(result: CommandResult, stream: OutputQuery['stream']): string {
  if (result.exitCode !== null || stream === 'stderr') return result[stream];
  if (typeof result.output === 'string') return result.output;
  return result.output === null ? result.content : JSON.stringify(result.output);
}

async function partOf(chunks: AsyncIterable<Buffer>, query: OutputQuery): Promise<Omit<OutputPart, 'cut'>> {
  const { part, maxLines } = query;
  switch (part.kind) {
    case 'from':
      return linesFrom(chunks, { firstLine: part.firstLine, maxLines });
    case 'tail':
      return lastLines(chunks, maxLines);
    case 'search': {
      const found = await searchOutput(chunks, { text: part.text, from: 0, line: 1, limit: maxLines });
      return { lines: found.matches, nextLine: found.next?.line ?? null, totalLines: null };
    }
  }
}

function unknown(given: string): ToolFailure {
  return new ToolFailure({
    code: 'unknown-command',
    category: 'InvalidParameters',
    message: `Cannot find command "${given.slice(0, 64)}"`,
    suggestion: 'Give the id from the result of the call: cmd_ and twelve characters',
  });
}

function notYours(id: CommandId): ToolFailure {
  return new ToolFailure({
    code: 'not-your-command',
    category: 'PolicyBlocked',
    message: `Cannot read the output of ${id}: it is not a command of yours`,
    suggestion: 'Read only the output of your own commands',
  });
}

function notEnded(id: CommandId, state: string): ToolFailure {
  return new ToolFailure({
    code: 'not-ended',
    category: 'InvalidParameters',
    message: `Cannot read the output of ${id}: it has not finished (${state})`,
    suggestion: 'Wait for its result first',
  });
}

function noLongerKept(id: CommandId): ToolFailure {
  return new ToolFailure({
    code: 'no-longer-kept',
    category: 'PermanentFailure',
    message: `Cannot read the output of ${id}: it is no longer stored`,
    suggestion: 'Run the command again if you need its output',
  });
}
