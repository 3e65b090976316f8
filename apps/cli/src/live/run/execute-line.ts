import {
  clientEnvironment,
  type CommandId,
  type CommandRecord,
  type CommandResult,
  type Event,
} from '@signalbox/core';
import { clientAt } from '../../client/client-at.ts';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { type CoordinatorClient, createCoordinatorClient } from '../../client/coordinator-client.ts';
import { isGone, reconnect } from '../../client/reconnect.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { YOU } from '../../client/you.ts';
import { as, line, muted } from '../../terminal/line.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { followCommand } from '../../client/event-stream.ts';
import { serverReader } from '../../client/readers/server-reader.ts';
import { cwdInWorkspace } from '../../client/readers/path-in-workspace.ts';
import { createOutputPrinter } from './output-printer.ts';
import { createQuestionScreen } from '../question-screen.ts';

/** The user's own shell line. */
export type LineRequest = Readonly<{
  shellLine: string;
  /** Milliseconds; default: the tool's. */
  timeout: number | undefined;
  /** In the queue; default: 100. */
  priority?: number | undefined;
  /** Whether the user may be prompted for it here. */
  asks: boolean;
  /** The line's output is progress, not the answer: all of it goes to standard error. */
  toStderr?: boolean;
}>;

/** The coordinator answers within this time even if the command is still running. */
const ATTEND_MS = 240_000;

/** Runs the user's line at the coordinator: judged, queued, confined and recorded there. */
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
  const wake = (): void => void questions.wake().catch(context.reportError);
  const onEvent = (event: Event): void => {
    if (event.type !== 'approval_requested' && event.type !== 'command_approved') return;
    // With the prompt still open, it was approved in another terminal or on the dashboard.
    if (event.type === 'command_approved' && event.by !== 'auto' && questions.isAsking()) {
      questions.say([line(as('ok', ' ✓'), ` approved by ${event.by.name}`, muted(` (${event.by.channel})`))]);
    }
    wake();
  };
  // Connection messages must not be written into an open prompt.
  const reported = { ...context, say: questions.say };
  try {
    wake();
    const [result] = await Promise.all([
      resultOf(id, { access, context: reported }),
      follow(submitted, { access, onEvent, toStderr: request.toStderr ?? false, context: reported }),
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

/** If this process is killed, the coordinator sees the connection break and cancels the command. */
async function resultOf(id: CommandId, { access, context }: At): Promise<CommandResult> {
  for (;;) {
    try {
      const { result } = await clientAt(access).attendCommand({ id, wait: ATTEND_MS });
      if (result !== null) return result;
    } catch (error) {
      if (!isGone(error) || access.socket === undefined) throw error;
      // A killed coordinator leaves the command to its successor, which settles it; the socket has the same name.
      const purpose = { what: 'learn what became of the line', start: true };
      await reconnect(() => connectCoordinator(context, purpose), context);
    }
  }
}

async function follow(
  submitted: CommandRecord,
  {
    access,
    onEvent,
    toStderr,
    context,
  }: At & Readonly<{ onEvent: (event: Event) => void; toStderr: boolean }>,
): Promise<void> {
  const { get } = serverReader(access, context.clock).commands;
  const printer = createOutputPrinter(context, toStderr);
  const say = (what: string): void => context.say([line(muted(what))]);
  try {
    const printed = followCommand(access, submitted, { clock: context.clock, say, get, onEvent });
    for await (const { stream, text } of printed) printer.print(stream, text);
  } finally {
    printer.close();
  }
}

/** The first Ctrl-C requests a stop, the next one kills. */
function cancelOnInterrupt(
  id: CommandId,
  client: CoordinatorClient,
  { interrupts, reportError }: Context,
): () => void {
  return interrupts.listen((count) => {
    const stopMode = count === 1 ? 'gently' : 'now';
    client.cancelCommand({ id, reason: 'the run was stopped', haste: stopMode }).catch(reportError);
  });
}
