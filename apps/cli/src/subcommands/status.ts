import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandRecord, UsageError } from '@signalbox/core';
import * as z from 'zod';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { findCommand } from '../frame/find-command.ts';
import { keepShowing, quiet } from '../frame/keep-showing.ts';
import { withReader } from '../readers/with-reader.ts';
import { as, line } from '../screen/line.ts';
import type { Look } from '../screen/look.ts';
import { STATE_FOLDER } from '../workspace/state-folder.ts';
import { readRecords, readStatus, type StatusRead } from '../status/read-status.ts';
import type { Reader } from '../readers/reader.ts';
import { pathView } from '../views/path-view.ts';
import { commandView, statusView } from '../views/status-view.ts';
import { type Blocker, waitsText } from '../views/waits-text.ts';

/** `signalbox status`: what goes on, in five lines; with an id all that is known of that command. */
export const status = defineSubcommand({
  name: 'status',
  args: z.object({
    id: z.string().optional(),
    watch: z.boolean().default(false),
    exitCode: z.boolean().default(false),
    machine: z.boolean().default(false),
    /** `signalbox` alone: status where something runs, else where to begin. */
    bare: z.boolean().default(false),
  }),
  async run({ id, watch, exitCode, machine, bare }, context) {
    if (bare) return runBare(context);
    if (id !== undefined) return watch ? refuseToWatch(id) : tellCommand({ id, machine }, context);
    if (machine) throw new UsageError('usage', 'Cannot show the path of no command: --machine needs an ID');
    if (watch) return watchStatus(context);
    const [read, own] = await Promise.all([readStatus(context), processHere(context)]);
    context.answer({
      json: () => ({ ...toJson(read), ...(own === null ? {} : { process: own.state, runs: own.runs }) }),
      lines: (look) => [...statusView(read.data, look), ...(own === null ? [] : own.lines(look))],
    });
    return exitCode && read.data.approvals.length > 0 ? EXIT.needsApproval : EXIT.ok;
  },
});

async function runBare(context: Context): Promise<ExitCode> {
  const records = await context.doors.openRecords({ workspace: context.directory });
  try {
    if (records !== null && (await records.holder()) !== null) {
      tell(await readRecords(records, context), context);
      return EXIT.ok;
    }
  } finally {
    await records?.close();
  }
  context.print([
    line(as('accent', 'signalbox demo'), '     Watch a 30-second demo, no API keys needed'),
    line(as('accent', 'signalbox init'), '     Set up this workspace'),
    line(as('accent', 'signalbox help'), '     All subcommands'),
  ]);
  return EXIT.ok;
}

async function tellCommand(
  { id, machine }: { readonly id: string; readonly machine: boolean },
  context: Context,
): Promise<ExitCode> {
  const { command, blockers } = await withReader(context, async (reader) => {
    const found = await findCommand(reader.commands, id);
    return { command: found, blockers: found.state === 'queued' ? await blockersOf(found, reader) : null };
  });
  context.answer({
    json: () => ({ command }),
    lines: (look) =>
      machine ? pathView(command) : commandView(command, look, { waitsFor: waitsText(blockers, look) }),
  });
  return EXIT.ok;
}

/** Who stands before it in the queue; null when it has left that meanwhile. */
async function blockersOf({ id }: CommandRecord, reader: Reader): Promise<readonly Blocker[] | null> {
  const { snapshot, commands } = await reader.queue(2000);
  const entry = snapshot.waiting.find(({ commandId }) => commandId === id);
  return (
    entry?.blockers.flatMap((blocker) => {
      const record = commands.get(blocker);
      if (record === undefined) return [];
      const { title, context, startedAt, submittedAt } = record;
      return [{ id: blocker, provider: context.provider, title, since: startedAt ?? submittedAt }];
    }) ?? null
  );
}

function refuseToWatch(id: string): never {
  throw new UsageError('usage', `Cannot watch command "${id}" alone`, {
    next: [`signalbox output ${id} --follow`, 'signalbox commands --follow', 'signalbox watch'],
  });
}

/** The coordinator as a process. One that hangs is reported, and what is stored is shown. */
async function processHere(context: Context) {
  const record = join(context.directory, STATE_FOLDER, 'run', 'coordinator.json');
  if (context.flags.server !== undefined || !existsSync(record)) return null;
  const { coordinatorLines, readCoordinator } = await import('../client/coordinator-state.ts');
  const report = await readCoordinator(context).catch((error: unknown) => {
    context.tellError(error);
    return null;
  });
  return report === null ? null : { ...report, lines: (look: Look) => coordinatorLines(report, look) };
}

function tell(read: StatusRead, context: Context): void {
  context.answer({ json: () => toJson(read), lines: (look) => statusView(read.data, look) });
}

function watchStatus(context: Context): Promise<ExitCode> {
  return keepShowing(
    {
      read: () => readStatus(quiet(context)),
      json: toJson,
      lines: ({ data }, look) => statusView(data, look),
      // Since when a mode counts that nobody has set is the moment of the look.
      facts: ({ data: { mode, ...rest }, coordinator }) => [rest, mode.mode, mode.back, coordinator],
    },
    context,
  );
}

function toJson({ data, coordinator }: StatusRead): object {
  return { ...data, coordinator };
}
