import { type CommandResult, UnavailableError, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { DurationArgument, LineArgument } from '../frame/argument-schemas.ts';
import { canAsk } from '../frame/ask-yes.ts';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { quoteWord } from '../frame/quote-word.ts';
import { type Execute, openHere } from '../run/exec-here.ts';
import { openThere } from '../run/exec-there.ts';
import { withInput } from '../run/with-input.ts';
import { as, line, muted } from '../screen/line.ts';
import { killedBy } from '../views/own-exit-code.ts';
import { findCoordinator } from '../client/find-coordinator.ts';
import { findLocalAccess, present } from '../serve/local-access.ts';
import { serverFinder } from '../serve/named-server.ts';
import { refusedConnections } from '../views/refused-connections.ts';

/** `signalbox exec -- npm install`: your own line, judged, queued, confined and recorded like everybody's. */
export const exec = defineSubcommand({
  name: 'exec',
  args: z.object({
    line: LineArgument,
    timeout: DurationArgument.optional(),
    wait: z.boolean().default(true),
    stdin: z.boolean().default(false),
    unconfined: z.boolean().default(false),
  }),
  async run({ line: typed, timeout, wait, stdin, unconfined }, context) {
    const shellLine = stdin ? withInput(typed, await context.readStdin()) : typed;
    let execute: Execute;
    try {
      execute = await openPlace(unconfined, context);
    } catch (error) {
      context.tellError(error);
      return EXIT.neverRan;
    }
    const result = await execute({
      shellLine,
      timeout,
      asks: wait && canAsk(context) && !context.flags.json,
    });
    const { commandId, outcome, exitCode, stdout, stderr, truncated } = result;
    context.json({ command: commandId, outcome, exitCode, stdout, stderr, truncated });
    return tellEnding(result, shellLine, context);
  },
});

/** A house of its own, or the server that is named, or that of who has the workspace. */
async function openPlace(unconfined: boolean, context: Context): Promise<Execute> {
  const { flags, directory } = context;
  if (flags.server !== undefined && unconfined) throw notUnconfined();
  if (flags.server !== undefined)
    return openThere(present(serverFinder(flags, context)(), 'run a line'), context);
  try {
    return await openHere({ subcommand: 'exec', unconfined, talks: false }, context);
  } catch (error) {
    const access =
      isHeld(error) && !unconfined
        ? ((await findCoordinator(context, 'run a line'))?.access ?? findLocalAccess(directory))
        : null;
    if (access === null) throw error;
    return openThere(access, context);
  }
}

function isHeld(error: unknown): boolean {
  return error instanceof UnavailableError && HELD.has(error.code);
}

const HELD: ReadonlySet<string> = new Set(['workspace-held', 'workspace-shared']);

function notUnconfined(): UsageError {
  return new UsageError('usage', 'Cannot run it unconfined at a server: that confines as it was started', {
    next: ['signalbox exec -- LINE   in the workspace itself, where nothing runs'],
  });
}

function tellEnding(result: CommandResult, shellLine: string, context: Context): ExitCode {
  const { outcome, exitCode } = result;
  context.tell(refusedConnections(result));
  if (outcome.kind === 'completed') return exitCode ?? EXIT.ok;
  if (outcome.kind === 'failed' && exitCode !== null && exitCode > 0) return exitCode;
  if (outcome.failure.code === 'approval-needed') return tellNobodyToAsk(result, shellLine, context);
  const { message, why = [], suggestion } = outcome.failure;
  context.tell([
    killedBy(outcome) === null
      ? line(as('danger', outcome.kind), `: ${message}`)
      : line(as('danger', message)),
    ...why.map((row) => line('  ', row)),
    ...(suggestion === undefined ? [] : [line('  ', as('accent', suggestion))]),
  ]);
  if (outcome.kind === 'timed_out') return EXIT.timedOut;
  if (outcome.failure.code === 'limit-reached') return KILLED;
  if (outcome.kind === 'cancelled') return EXIT.interrupted;
  if (outcome.kind === 'lost') return EXIT.lost;
  // It ran, and its files were not kept.
  if (outcome.kind === 'conflict') return EXIT.conflict;
  return EXIT.neverRan;
}

/** `128 + SIGKILL`, as a shell answers of a process that was killed. */
const KILLED = 137;

/** Its provider would be told to do without; its person can do something about it. */
function tellNobodyToAsk({ commandId }: CommandResult, shellLine: string, { tell }: Context): ExitCode {
  const next = (command: string, what: string) =>
    line('  ', muted('next  '), as('accent', command), muted(`   ${what}`));
  tell([
    line(as('danger', 'denied'), ': Needs approval, and there is nobody to ask here'),
    next(`signalbox exec -- ${quoteWord(shellLine)}`, 'in a terminal'),
    next(`signalbox policy explain ${commandId}`, 'which rule asks, and the one that would allow it'),
  ]);
  return EXIT.neverRan;
}
