import { type CommandResult, createId, UnavailableError, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { DurationArgument, LineArgument } from '../frame/argument-schemas.ts';
import { canAsk } from '../frame/ask-yes.ts';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { quoteWord } from '../frame/quote-word.ts';
import { YOU } from '../frame/you.ts';
import type { House } from '../house.ts';
import { type ExecRequest, openThere } from '../run/exec-there.ts';
import { houseDesk } from '../run/house-desk.ts';
import { createOutputPrinter } from '../run/output-printer.ts';
import { createQuestionScreen } from '../run/question-screen.ts';
import { stopInSteps } from '../run/stop-in-steps.ts';
import { withInput } from '../run/with-input.ts';
import { as, line, muted } from '../screen/line.ts';
import { killedBy } from '../views/own-exit-code.ts';
import { findLocalAccess, present } from '../serve/local-access.ts';
import { serverFinder } from '../serve/named-server.ts';
import { followSettings } from '../settings/follow-settings.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { refusedConnections } from '../views/refused-connections.ts';
import { type SettingsOnDisk, settingsOnDisk } from '../settings/watch-settings.ts';
import { cwdInWorkspace } from '../workspace/path-in-workspace.ts';

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

type Execute = (request: ExecRequest) => Promise<CommandResult>;

/** A house of its own, or the server that is named, or that of who has the workspace. */
async function openPlace(unconfined: boolean, context: Context): Promise<Execute> {
  const { flags, directory } = context;
  if (flags.server !== undefined && unconfined) throw notUnconfined();
  if (flags.server !== undefined)
    return openThere(present(serverFinder(flags, context)(), 'run a line'), context);
  try {
    return await openHere(unconfined, context);
  } catch (error) {
    const access = isHeld(error) && !unconfined ? findLocalAccess(directory) : null;
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

/** It closes with its one line. */
async function openHere(unconfined: boolean, context: Context): Promise<Execute> {
  const place = { ...context, withoutSandbox: unconfined };
  const { settings } = await loadSettings(place);
  const house = await context.doors.openHouse({
    workspace: context.directory,
    // A shell line needs no tools of other servers.
    settings: { ...settings, mcp_servers: {} },
    unconfined,
    user: context.user,
    subcommand: 'exec',
    apiKeys: context.env,
    clock: context.clock,
  });
  const onDisk = settingsOnDisk(place);
  const unfollow = followSettings(house, { ...onDisk, before: settings, clock: context.clock }, (lines) =>
    context.tell(lines),
  );
  return async (request) => {
    try {
      return await executeHere(house, { ...request, load: onDisk.load }, context);
    } finally {
      unfollow();
      await house.close();
    }
  };
}

async function executeHere(
  house: House,
  { shellLine, timeout, asks, load }: ExecRequest & Pick<SettingsOnDisk, 'load'>,
  context: Context,
): Promise<CommandResult> {
  const printer = createOutputPrinter(context);
  const submitted = house.coordinator.submit(
    {
      callId: 'exec',
      tool: 'bash',
      args: {
        line: shellLine,
        ...cwdInWorkspace(context),
        ...(timeout === undefined ? {} : { timeoutMs: timeout }),
      },
    },
    {
      sessionId: createId('session', context.random),
      provider: YOU,
      trust: 'trusted',
      asking: asks ? 'wait' : 'never',
      pausesOnExpiry: true,
      ...(timeout === undefined ? {} : { timeoutMs: timeout }),
    },
  );
  const desk = houseDesk(house, context, { load, isWanted: ({ id }) => id === submitted.commandId });
  const questions = createQuestionScreen({
    context,
    desk,
    isolation: await house.isolation().catch(() => null),
  });
  const unsubscribe = house.events.subscribe((event) => {
    if (!('commandId' in event) || event.commandId !== submitted.commandId) return;
    if (event.type === 'command_output') printer.print(event.stream, event.output);
    else if (event.type === 'approval_requested' || event.type === 'command_approved') void questions.wake();
  });
  const stop = stopInSteps({
    interrupts: context.interrupts,
    clock: context.clock,
    coordinator: house.coordinator,
    store: house.store,
    by: context.user,
    // One's own line is stopped as one expects.
    graceMs: 0,
    tell: (text) => {
      context.say([line(as('warn', text))]);
    },
  });
  try {
    void questions.wake();
    return await submitted.result;
  } finally {
    stop.close();
    unsubscribe();
    questions.close();
    printer.close();
  }
}

function tellEnding(result: CommandResult, shellLine: string, context: Context): ExitCode {
  const { outcome, exitCode } = result;
  context.tell(refusedConnections(result));
  if (outcome.kind === 'completed') return EXIT.ok;
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
