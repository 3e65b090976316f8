import { clientEnvironment, type CommandId, type CommandRecord, type CommandResult } from '@signalbox/core';
import { clientAt } from '../../client/client-at.ts';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { type CoordinatorClient, createCoordinatorClient } from '../../client/coordinator-client.ts';
import { isGone, reconnect } from '../../client/reconnect.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { YOU } from '../../client/you.ts';
import { line, muted } from '../../terminal/line.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { followCommand } from '../../client/event-stream.ts';
import { serverReader } from '../../client/readers/server-reader.ts';
import { cwdInWorkspace } from '../../client/path-in-workspace.ts';
import { createOutputPrinter } from './output-printer.ts';
import { createQuestionScreen } from './question-screen.ts';

/** A shell line of the person's own. */
export type LineRequest = Readonly<{
  shellLine: string;
  /** Milliseconds; default: those of the tool. */
  timeout: number | undefined;
  /** Among what waits for a place; default: 100. */
  priority?: number | undefined;
  /** Whether a person may be asked about it, here. */
  asks: boolean;
  /** What the line prints is progress and no answer: all of it goes to standard error. */
  talks?: boolean;
}>;

/** The coordinator answers within this also where the command goes on. */
const ATTEND_MS = 240_000;

/** Runs a line of the person's own at the coordinator: judged, queued, confined and recorded there. */
export async function executeLine(
  request: LineRequest,
  access: LocalAccess,
  context: Context,
): Promise<CommandResult> {
  const client = await createCoordinatorClient(access);
  const submitted = await submit(request, { access, context });
  const { id } = submitted;
  const unlisten = cancelOnInterrupt(id, client, context);
  const questions = createQuestionScreen({
    context,
    approvals: client.approvals((record) => record.id === id),
    afterLater: 'Still waiting for the answer; Ctrl-C cancels the line',
  });
  const wake = (): void => void questions.wake().catch(context.tellError);
  // What is said of the connection must not be written into an open question.
  const reported = { ...context, say: questions.say };
  try {
    wake();
    const [result] = await Promise.all([
      resultOf(id, { access, context: reported }),
      follow(submitted, { access, wake, talks: request.talks ?? false, context: reported }),
    ]);
    return result;
  } finally {
    unlisten();
    questions.close();
  }
}

type At = Readonly<{ access: LocalAccess; context: Context }>;

function submit(
  { shellLine, timeout, priority, asks }: LineRequest,
  { access, context }: At,
): Promise<CommandRecord> {
  const limit = timeout === undefined ? {} : { timeoutMs: timeout };
  return clientAt(access).submitCommand({
    tool: 'bash',
    args: { line: shellLine, ...cwdInWorkspace(context), ...limit },
    provider: YOU,
    asking: asks ? 'wait' : 'never',
    attend: true,
    priority,
    ...limit,
    // A server on another machine, or of another account, has other programs.
    ...(access.socket === undefined ? {} : { clientEnv: clientEnvironment(context.env) }),
  });
}

/** The coordinator sees the connection break when we are killed, and cancels what nobody waits for any more. */
async function resultOf(id: CommandId, { access, context }: At): Promise<CommandResult> {
  for (;;) {
    try {
      const { result } = await clientAt(access).attendCommand({ id, wait: ATTEND_MS });
      if (result !== null) return result;
    } catch (error) {
      if (!isGone(error) || access.socket === undefined) throw error;
      // One that was killed left its command to the next one, which settles it; the socket has the same name.
      const purpose = { what: 'learn what became of the line', start: true };
      await reconnect(() => connectCoordinator(context, purpose), context);
    }
  }
}

async function follow(
  submitted: CommandRecord,
  { access, wake, talks, context }: At & Readonly<{ wake: () => void; talks: boolean }>,
): Promise<void> {
  const { get } = serverReader(access, context.clock).commands;
  const printer = createOutputPrinter(context, talks);
  const say = (what: string): void => context.say([line(muted(what))]);
  const onEvent = (type: string): void => {
    if (type === 'approval_requested' || type === 'command_approved') wake();
  };
  try {
    const printed = followCommand(access, submitted, { clock: context.clock, say, get, onEvent });
    for await (const { stream, text } of printed) printer.print(stream, text);
  } finally {
    printer.close();
  }
}

/** The first Ctrl-C asks it to stop, the next one kills it. */
function cancelOnInterrupt(
  id: CommandId,
  client: CoordinatorClient,
  { interrupts, tellError }: Context,
): () => void {
  return interrupts.listen((count) => {
    const haste = count === 1 ? 'gently' : 'now';
    client.cancelCommand({ id, reason: 'the run was stopped', haste }).catch(tellError);
  });
}
