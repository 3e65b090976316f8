import { type CommandResult, createId } from '@signalbox/core';
import { confirmAtStart } from '../config/trust-settings.ts';
import type { Context } from '../frame/context.ts';
import { YOU } from '../frame/you.ts';
import type { House } from '../house.ts';
import { as, line } from '../screen/line.ts';
import { followSettings } from '../settings/follow-settings.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { type SettingsOnDisk, settingsOnDisk } from '../settings/watch-settings.ts';
import { noteLine } from '../views/note-line.ts';
import { cwdInWorkspace } from '../workspace/path-in-workspace.ts';
import type { ExecRequest } from './exec-there.ts';
import { houseDesk } from './house-desk.ts';
import { createOutputPrinter } from './output-printer.ts';
import { createQuestionScreen } from './question-screen.ts';
import { stopInSteps } from './stop-in-steps.ts';
import { tellTroubles } from '../frame/tell-troubles.ts';

export type Execute = (request: ExecRequest) => Promise<CommandResult>;

type Here = Readonly<{
  subcommand: string;
  unconfined: boolean;
  /** What the line prints is progress and no answer: all of it goes to the talk. */
  talks: boolean;
}>;

/** A house of its own for your one line, with which it closes. */
export async function openHere({ subcommand, unconfined, talks }: Here, context: Context): Promise<Execute> {
  const place = { ...context, withoutSandbox: unconfined };
  await confirmAtStart(context);
  const { settings, fileNotes } = await loadSettings(place);
  context.say(fileNotes.map(noteLine));
  const house = await context.doors.openHouse({
    workspace: context.directory,
    // A shell line needs no tools of other servers.
    settings: { ...settings, mcp_servers: {} },
    unconfined,
    user: context.user,
    subcommand,
    apiKeys: context.env,
    clock: context.clock,
  });
  tellTroubles(house, context);
  const onDisk = settingsOnDisk(place);
  const unfollow = followSettings(house, { ...onDisk, before: settings, clock: context.clock }, (lines) =>
    context.tell(lines),
  );
  return async (request) => {
    try {
      return await executeHere(house, { ...request, talks, load: onDisk.load }, context);
    } finally {
      unfollow();
      await house.close();
    }
  };
}

async function executeHere(
  house: House,
  { shellLine, timeout, asks, talks, load }: ExecRequest & Pick<Here, 'talks'> & Pick<SettingsOnDisk, 'load'>,
  context: Context,
): Promise<CommandResult> {
  const printer = createOutputPrinter(context, talks);
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
