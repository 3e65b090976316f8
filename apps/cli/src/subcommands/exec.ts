import { type CommandResult, createId } from '@signalbox/core';
import * as z from 'zod';
import { DurationArgument, LineArgument } from '../frame/argument-schemas.ts';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { YOU } from '../frame/you.ts';
import type { House } from '../house.ts';
import { houseDesk } from '../run/house-desk.ts';
import { createOutputPrinter } from '../run/output-printer.ts';
import { createQuestionScreen } from '../run/question-screen.ts';
import { stopInSteps } from '../run/stop-in-steps.ts';
import { withInput } from '../run/with-input.ts';
import { as, line } from '../screen/line.ts';
import { followSettings } from '../settings/follow-settings.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { type SettingsOnDisk, settingsOnDisk } from '../settings/watch-settings.ts';

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
  async run({ line, timeout, wait, stdin, unconfined }, context) {
    const shellLine = stdin ? withInput(line, await context.readStdin()) : line;
    const place = { ...context, withoutSandbox: unconfined };
    const { settings } = await loadSettings(place);
    let house: House;
    try {
      house = await context.doors.openHouse({
        workspace: context.directory,
        // A shell line needs no tools of other servers.
        settings: { ...settings, mcp_servers: {} },
        unconfined,
        user: context.user,
        subcommand: 'exec',
        apiKeys: context.env,
        clock: context.clock,
      });
    } catch (error) {
      context.tellError(error);
      return EXIT.neverRan;
    }
    const onDisk = settingsOnDisk(place);
    const unfollow = followSettings(house, { ...onDisk, before: settings, clock: context.clock }, (lines) =>
      context.tell(lines),
    );
    try {
      const result = await execute(house, { shellLine, timeout, wait, load: onDisk.load }, context);
      const { commandId, outcome, exitCode, stdout, stderr, truncated } = result;
      context.json({ command: commandId, outcome, exitCode, stdout, stderr, truncated });
      return tellEnding(result, context);
    } finally {
      unfollow();
      await house.close();
    }
  },
});

type Request = Readonly<{ shellLine: string; timeout: number | undefined; wait: boolean }> &
  Pick<SettingsOnDisk, 'load'>;

async function execute(
  house: House,
  { shellLine, timeout, wait, load }: Request,
  context: Context,
): Promise<CommandResult> {
  const printer = createOutputPrinter(context);
  const submitted = house.coordinator.submit(
    {
      callId: 'exec',
      tool: 'bash',
      args: { line: shellLine, ...(timeout === undefined ? {} : { timeoutMs: timeout }) },
    },
    {
      sessionId: createId('session', context.random),
      provider: YOU,
      trust: 'trusted',
      asking: wait && canAsk(context) ? 'wait' : 'never',
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

function canAsk({ flags, terminal }: Context): boolean {
  return flags.input && !flags.json && terminal.stdin.tty && terminal.stderr.tty;
}

function tellEnding({ outcome, exitCode }: CommandResult, context: Context): ExitCode {
  if (outcome.kind === 'completed') return EXIT.ok;
  if (outcome.kind === 'failed' && exitCode !== null && exitCode > 0) return exitCode;
  const { message, why = [], suggestion } = outcome.failure;
  context.tell([
    line(as('danger', outcome.kind), `: ${message}`),
    ...why.map((row) => line('  ', row)),
    ...(suggestion === undefined ? [] : [line('  ', as('accent', suggestion))]),
  ]);
  if (outcome.kind === 'timed_out') return EXIT.timedOut;
  if (outcome.kind === 'cancelled') return EXIT.interrupted;
  if (outcome.kind === 'lost') return EXIT.lost;
  return EXIT.neverRan;
}
