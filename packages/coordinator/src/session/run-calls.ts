import {
  addSavings,
  type CallContextInput,
  type CommandId,
  type CommandResult,
  COMPRESS_CONTEXT,
  type FileTouch,
  hasSavings,
  type NewEvent,
  NO_SAVINGS,
  savedByCall,
  type ToolCall,
  UnavailableError,
} from '@signalbox/core';
import { commandIdOfCall } from './call-command-id.ts';
import { criticalFailureOf } from './critical-failure.ts';
import { lastWords, type SessionContext } from './session-context.ts';
import type { RecordedCall } from './recorded-call.ts';
import type { SubmittedCall } from './session-options.ts';
import type { SessionParts } from './session-parts.ts';
import { repairedArgs } from './repair-call.ts';
import { unrunCall } from './unrun-calls.ts';

/** Bounds of `CallContext` and `RawCall`. */
const MAX_TEXT_LENGTH = 2000;
const MAX_TASK = 10_000;
const MAX_NAME = 256;
/** Paths kept of one call: more is a build or a check-out. */
const MAX_PATHS = 50;

/** A call of the present turn, and what it is submitted with. */
type OpenCall = {
  readonly call: ToolCall;
  readonly callContext: CallContextInput;
  /** Of the call itself, and of the one that replaces it if its arguments do not fit. */
  readonly ids: { readonly own: CommandId; readonly repaired: CommandId };
};

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
  const { sessionId } = parts.ofSession;
  const started = context.openCalls.map((call, position) => {
    const of = { sessionId, turn: context.turn, position, call };
    const ids = {
      own: commandIdOfCall({ ...of, isRepaired: false }),
      repaired: commandIdOfCall({ ...of, isRepaired: true }),
    };
    const open: OpenCall = { call, callContext, ids };
    return { open, started: startCall(open, ids.own, parts) };
  });
  await parts.journal.tell(
    ...started.flatMap(({ started: one }) => (one.kind === 'submitted' ? [startOf(one, parts)] : [])),
  );
  const answers = await Promise.all(
    started.map(async ({ open, started: one }) =>
      one.kind === 'submitted' ? settle(one, open, parts) : one.answer,
    ),
  );
  parts.isResuming = false;
  const saved = answers.reduce((sum, one) => addSavings(sum, one.saved ?? NO_SAVINGS), NO_SAVINGS);
  if (hasSavings(saved)) await parts.journal.tell({ type: 'calls_saved', ...parts.ofSession, saved });
  return answers;
}

function startOf({ call, submitted }: Submission, { ofSession }: SessionParts): NewEvent {
  const { commandId } = submitted;
  return { type: 'tool_call_start', ...ofSession, callId: call.id, tool: call.name, commandId };
}

/** Of a session that was just resumed, the call may have been submitted before: then it is that command. */
function startCall({ call, callContext }: OpenCall, id: CommandId, parts: SessionParts): Started {
  const { options, inFlight, logger, stop } = parts;
  if (stop.aborted) return { kind: 'answered', answer: unrunCall(call, 'cancelled') };
  if (call.thoughts === 'only') return { kind: 'answered', answer: unrunCall(call, 'thoughts-only') };
  try {
    const thought =
      options.isComplex?.(call.name) === true ? { thought: call.thoughts !== undefined } : undefined;
    const submit = (): SubmittedCall =>
      options.submit(
        { callId: call.id, tool: call.name.slice(0, MAX_NAME), args: call.argsText },
        { ...callContext, ...thought, commandId: id },
      );
    const submitted = parts.isResuming ? submitAgain(id, submit, parts) : submit();
    inFlight.add(submitted.commandId);
    return { kind: 'submitted', call, submitted };
  } catch (error) {
    logger.error({ error, callId: call.id }, 'call not accepted');
    return { kind: 'answered', answer: unrunCall(call, 'not-taken') };
  }
}

function submitAgain(
  id: CommandId,
  submit: () => SubmittedCall,
  { options: { resumed }, stop }: SessionParts,
): SubmittedCall {
  const again = async (): Promise<CommandResult> => {
    const earlier = (await resumed?.earlierResult(id)) ?? null;
    if (earlier !== null) return earlier;
    if (stop.aborted)
      throw new UnavailableError('stopping', 'Cannot make this call: the session was stopped');
    return submit().result;
  };
  return { commandId: id, result: again() };
}

async function settle(
  { call, submitted }: Submission,
  open: OpenCall,
  parts: SessionParts,
): Promise<RecordedCall> {
  const first = await answerTo({ call, submitted }, parts);
  if (first.result === undefined) return first.answer;
  const argsText = await repairedArgs(call, first.result, parts);
  if (argsText === null) return first.answer;
  const repaired = startCall({ ...open, call: { ...call, argsText } }, open.ids.repaired, parts);
  if (repaired.kind === 'answered') return first.answer;
  await parts.journal.tell(startOf(repaired, parts));
  const second = await answerTo(repaired, parts);
  // Arguments that still don't fit: the model should read what is wrong with its own.
  if (second.result?.failure?.code === 'invalid-arguments') return first.answer;
  const note = `The arguments did not fit the schema and were corrected before this call was made: ${argsText}`;
  return { ...second.answer, notes: [...(second.answer.notes ?? []), note] };
}

type Submission = Pick<Extract<Started, { kind: 'submitted' }>, 'call' | 'submitted'>;

/** The command's result, as the session keeps it. */
async function answerTo(
  { call, submitted }: Submission,
  parts: SessionParts,
): Promise<{ readonly answer: RecordedCall; readonly result?: CommandResult }> {
  const { journal, ofSession, inFlight, logger, options } = parts;
  const { commandId } = submitted;
  const answered = await submitted.result.then(
    (result) => ({ answer: recordOf(call, commandId, { result, options }), result }),
    (error: unknown) => {
      logger.error({ error, commandId }, 'command has no result');
      return { answer: { ...unrunCall(call, parts.isResuming ? 'unknown' : 'not-taken'), commandId } };
    },
  );
  inFlight.delete(commandId);
  const { callId, success } = answered.answer;
  await journal.tell({ type: 'tool_call_result', ...ofSession, callId, commandId, success });
  return answered;
}

function recordOf(
  call: ToolCall,
  commandId: CommandId,
  {
    result,
    options: { failurePolicy, redact },
  }: { readonly result: CommandResult } & Pick<SessionParts, 'options'>,
): RecordedCall {
  const critical = failurePolicy === undefined ? undefined : criticalFailureOf(result, failurePolicy);
  const saved = savedByCall(result);
  const changed = pathsOf(result, ({ kind }) => kind !== 'read');
  const read = pathsOf(result, ({ kind }) => kind === 'read');
  return {
    callId: call.id,
    tool: call.name,
    argsText: call.argsText,
    commandId,
    success: result.success,
    content: result.content,
    ...(hasSavings(saved) ? { saved } : {}),
    ...(result.notes === undefined ? {} : { notes: result.notes }),
    ...(changed.length === 0 ? {} : { changed }),
    ...(read.length === 0 ? {} : { read }),
    ...(critical === undefined ? {} : { critical: redact(critical) }),
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
