import { CommandView } from '@signalbox/api';
import type { CommandId, CommandRecord, CommandResult } from '@signalbox/core';
import type { Context } from '../frame/context.ts';
import type { Told } from '../frame/told.ts';
import { refuseInsideCommand, toldByServer } from '../frame/with-remote.ts';
import { YOU } from '../frame/you.ts';
import { line, muted } from '../screen/line.ts';
import { askServer } from '../serve/ask-server.ts';
import type { LocalAccess } from '../serve/local-access.ts';
import { sightOfServer } from '../sight/sight-of-server.ts';
import type { Sight } from '../sight/sight.ts';
import { cwdInWorkspace } from '../workspace/path-in-workspace.ts';
import { createOutputPrinter } from './output-printer.ts';
import { createQuestionScreen } from './question-screen.ts';

/** A line to run, as it was typed. */
export type ExecRequest = Readonly<{
  shellLine: string;
  /** Milliseconds; default: those of the tool. */
  timeout: number | undefined;
  /** Whether a person may be asked about it, here. */
  asks: boolean;
}>;

/** Questions that come while it waits are looked for so often. */
const LOOK_EVERY_MS = 1000;
/** The server answers within this also where the command goes on; `fetch` itself gives up after 300 s. */
const ATTEND_MS = 240_000;

/** Runs your own line at a server: it is judged, queued, confined and recorded there. */
export async function openThere(
  access: LocalAccess,
  context: Context,
): Promise<(request: ExecRequest) => Promise<CommandResult>> {
  refuseInsideCommand(context, 'run a line');
  const told = await toldByServer(access);
  return (request) => execute(request, { access, told, context });
}

type There = Readonly<{ access: LocalAccess; told: Told; context: Context }>;

async function execute(request: ExecRequest, there: There): Promise<CommandResult> {
  const { access, told, context } = there;
  const sight = sightOfServer(access, context.clock);
  const submitted = await submit(request, there);
  const unlisten = cancelOnInterrupt(submitted.id, told, context);
  const questions = createQuestionScreen({
    context,
    desk: told.desk(({ id }) => id === submitted.id),
    isolation: null,
  });
  try {
    const [result] = await Promise.all([
      resultOf(submitted.id, there, questions.wake),
      printOutput(submitted, sight, context),
    ]);
    return result;
  } finally {
    unlisten();
    questions.close();
  }
}

function submit(
  { shellLine, timeout, asks }: ExecRequest,
  { access, context }: There,
): Promise<CommandRecord> {
  const limit = timeout === undefined ? {} : { timeoutMs: timeout };
  const body = {
    tool: 'bash',
    args: { line: shellLine, ...cwdInWorkspace(context), ...limit },
    provider: YOU,
    asking: asks ? 'wait' : 'never',
    attend: true,
    ...limit,
  };
  return askServer(access, { method: 'POST', path: '/api/commands', body }, CommandView);
}

/** The server sees the connection break when we are killed, and cancels what nobody waits for any more. */
async function resultOf(
  id: CommandId,
  { access, context }: There,
  lookForQuestions: () => Promise<void>,
): Promise<CommandResult> {
  // Not waited for: a person takes their time, and others may answer meanwhile.
  let cancel = context.clock.timer(LOOK_EVERY_MS, look);
  function look(): void {
    void lookForQuestions();
    cancel = context.clock.timer(LOOK_EVERY_MS, look);
  }
  try {
    for (;;) {
      const asked = {
        method: 'POST',
        path: `/api/commands/${id}/attend`,
        body: { wait: ATTEND_MS },
      } as const;
      const { result } = await askServer(access, asked, CommandView);
      if (result !== null) return result;
    }
  } finally {
    cancel();
  }
}

async function printOutput(submitted: CommandRecord, sight: Sight, context: Context): Promise<void> {
  const printer = createOutputPrinter(context);
  const say = (what: string): void => context.say([line(muted(what))]);
  try {
    for await (const { stream, text } of sight.follow(submitted, say)) printer.print(stream, text);
  } finally {
    printer.close();
  }
}

/** The first Ctrl-C asks it to stop, the next one kills it. */
function cancelOnInterrupt(id: CommandId, told: Told, { interrupts, user, tellError }: Context): () => void {
  return interrupts.listen((count) => {
    told.cancel(id, user, 'the run was stopped', count === 1 ? 'gently' : 'now').catch(tellError);
  });
}
