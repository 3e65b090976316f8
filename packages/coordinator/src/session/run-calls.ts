import {
  type CallContextInput,
  type CommandId,
  type CommandResult,
  COMPRESS_CONTEXT,
  type FileTouch,
  type ToolCall,
} from '@signalbox/core';
import { lastWords, type SessionContext } from './session-context.ts';
import type { RecordedCall, SubmittedCall } from './session-options.ts';
import type { SessionParts } from './session-parts.ts';
import { unrunCall } from './unrun-calls.ts';

/** Bounds of `CallContext` and `RawCall`. */
const MAX_TEXT_LENGTH = 2000;
const MAX_TASK = 10_000;
const MAX_NAME = 256;
/** Paths kept of one call: more is a build or a check-out. */
const MAX_PATHS = 50;

type Started =
  | { readonly kind: 'submitted'; readonly call: ToolCall; readonly submitted: SubmittedCall }
  | { readonly kind: 'answered'; readonly answer: RecordedCall };

/**
 * Submits all calls of a turn at once, and resolves when every one has its result, in call order.
 *
 * Arguments go in as the model wrote them, and unknown tools too: the coordinator rejects and audits them.
 */
export async function runCalls(
  context: SessionContext,
  parts: SessionParts,
): Promise<readonly RecordedCall[]> {
  const callContext = contextOf(context, parts);
  const started = context.openCalls.map((call) => startCall(call, callContext, parts));
  await parts.journal.tell(
    ...started.flatMap((one) =>
      one.kind === 'submitted'
        ? [
            {
              type: 'tool_call_start' as const,
              ...parts.ofSession,
              callId: one.call.id,
              tool: one.call.name,
              commandId: one.submitted.commandId,
            },
          ]
        : [],
    ),
  );
  return Promise.all(
    started.map(async (one) => (one.kind === 'submitted' ? settle(one, parts) : one.answer)),
  );
}

function startCall(
  call: ToolCall,
  callContext: CallContextInput,
  { options, inFlight, logger, stop }: SessionParts,
): Started {
  if (stop.aborted) return { kind: 'answered', answer: unrunCall(call, 'cancelled') };
  if (call.thoughts === 'only') return { kind: 'answered', answer: unrunCall(call, 'thoughts-only') };
  try {
    const submitted = options.submit(
      { callId: call.id, tool: call.name.slice(0, MAX_NAME), args: call.argsText },
      options.isComplex?.(call.name) === true
        ? { ...callContext, thought: call.thoughts !== undefined }
        : callContext,
    );
    inFlight.add(submitted.commandId);
    return { kind: 'submitted', call, submitted };
  } catch (error) {
    logger.error({ error, callId: call.id }, 'call not accepted');
    return { kind: 'answered', answer: unrunCall(call, 'not-taken') };
  }
}

async function settle(
  { call, submitted }: Extract<Started, { kind: 'submitted' }>,
  { journal, ofSession, inFlight, logger }: SessionParts,
): Promise<RecordedCall> {
  const { commandId } = submitted;
  const answer = await submitted.result.then(
    (result) => recordOf(call, commandId, result),
    (error: unknown): RecordedCall => {
      logger.error({ error, commandId }, 'command has no result');
      return { ...unrunCall(call, 'not-taken'), commandId };
    },
  );
  inFlight.delete(commandId);
  const { callId, success } = answer;
  await journal.tell({ type: 'tool_call_result', ...ofSession, callId, commandId, success });
  return answer;
}

function recordOf(call: ToolCall, commandId: CommandId, result: CommandResult): RecordedCall {
  const changed = pathsOf(result, ({ kind }) => kind !== 'read');
  const read = pathsOf(result, ({ kind }) => kind === 'read');
  return {
    callId: call.id,
    tool: call.name,
    argsText: call.argsText,
    commandId,
    success: result.success,
    content: result.content,
    ...(result.notes === undefined ? {} : { notes: result.notes }),
    ...(changed.length === 0 ? {} : { changed }),
    ...(read.length === 0 ? {} : { read }),
    ...(result.success && result.tool === COMPRESS_CONTEXT ? { compresses: true } : {}),
  };
}

function pathsOf({ files }: CommandResult, fits: (file: FileTouch) => boolean): readonly string[] {
  return files
    .filter(fits)
    .slice(0, MAX_PATHS)
    .map(({ path }) => path);
}

function contextOf(context: SessionContext, { options, ofSession }: SessionParts): CallContextInput {
  const text = lastWords(context);
  return {
    ...options.context,
    ...ofSession,
    trust: options.trust,
    task: options.redact(options.task).slice(0, MAX_TASK),
    ...(text === '' ? {} : { says: options.redact(text).slice(0, MAX_TEXT_LENGTH) }),
  };
}
