import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { accessOf, coordinatorHere, findAnyCoordinator } from '../../client/coordinator-here.ts';
import { coordinatorLines, readCoordinator } from '../../client/coordinator-state.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { as, line } from '../../terminal/line.ts';
import { namedServer } from '../../client/named-server.ts';
import { readStatus } from './read-status.ts';
import type { StatusRead } from './status-read.ts';
import { statusView } from '../../views/status-view.ts';

/** `signalbox status`: current activity at a glance; with an id everything about that command. */
export const status = defineSubcommand({
  name: 'status',
  args: z.object({
    id: z.string().optional(),
    watch: z.boolean().default(false),
    exitCode: z.boolean().default(false),
    machine: z.boolean().default(false),
    /** `signalbox` alone: the status if something runs, otherwise how to begin. */
    bare: z.boolean().default(false),
  }),
  async run({ id, watch, exitCode, machine, bare }, context) {
    if (bare) return runBare(context);
    if (id !== undefined) {
      if (watch) refuseToWatch(id);
      if (id.startsWith('ses_')) {
        const { showSession } = await import('./show-session.ts');
        await showSession(id, context);
        return EXIT.ok;
      }
      const { showCommand } = await import('./show-command.ts');
      await showCommand(id, machine, context);
      return EXIT.ok;
    }
    if (machine) {
      if (watch) throw new UsageError('usage', 'Cannot watch the actors: --machine shows them once');
      const { showActors } = await import('./show-actors.ts');
      await showActors(context);
      return EXIT.ok;
    }
    if (watch) return watchStatus(context);
    const named = namedServer(context.flags, context);
    const found = named === null ? await findAnyCoordinator(context, context.reportError) : null;
    const [read, own] = await Promise.all([
      readStatus(named ?? accessOf(found), context),
      found === null ? null : readCoordinator(found.access).catch(reportIn(context)),
    ]);
    context.answer({
      json: () => ({ ...toJson(read), ...(own === null ? {} : { process: own.state, runs: own.runs }) }),
      lines: (render) => [
        ...statusView(read.data, render),
        ...(own === null ? [] : coordinatorLines(own, render)),
      ],
    });
    return exitCode && read.data.approvals.length > 0 ? EXIT.needsApproval : EXIT.ok;
  },
});

/** Parts of the coordinator's own status may be missing: the rest is still shown. */
function reportIn({ reportError }: Context): (error: unknown) => null {
  return (error) => {
    reportError(error);
    return null;
  };
}

async function runBare(context: Context): Promise<ExitCode> {
  const access = await coordinatorHere(context);
  const read = access === null ? await storedIfLed(context) : await readStatus(access, context);
  if (read !== null) {
    context.answer({ json: () => toJson(read), lines: (render) => statusView(read.data, render) });
    return EXIT.ok;
  }
  context.print([
    line(as('accent', 'signalbox demo'), '     Watch a 30-second demo, no API keys needed'),
    line(as('accent', 'signalbox init'), '     Set up this workspace'),
    line(as('accent', 'signalbox help'), '     All subcommands'),
  ]);
  return EXIT.ok;
}

async function storedIfLed(context: Context): Promise<StatusRead | null> {
  const { readStoredIfLed } = await import('./read-stored.ts');
  return readStoredIfLed(context);
}

function refuseToWatch(id: string): never {
  throw new UsageError('usage', `Cannot watch command "${id}" alone`, {
    next: [`signalbox output ${id} --follow`, 'signalbox commands --follow', 'signalbox watch'],
  });
}

async function watchStatus(context: Context): Promise<ExitCode> {
  const { keepShowing, quiet } = await import('../../live/keep-showing.ts');
  const each = quiet(context);
  return keepShowing(
    {
      read: async () =>
        readStatus(namedServer(context.flags, context) ?? (await coordinatorHere(each)), each),
      json: toJson,
      lines: ({ data }, render) => statusView(data, render),
      // A default mode has the time of the read as its start.
      facts: ({ data: { mode, ...rest }, coordinator }) => [rest, mode.mode, mode.back, coordinator],
    },
    context,
  );
}

function toJson({ data, coordinator }: StatusRead): object {
  return { ...data, coordinator };
}
