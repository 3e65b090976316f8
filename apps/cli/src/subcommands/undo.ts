import { submitUndo, type UndoCall, type UndoOutcome } from '@signalbox/coordinator';
import { type CommandRecord, createId, type KeptChange, UsageError } from '@signalbox/core';
import * as z from 'zod';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { findCommand } from '../frame/find-command.ts';
import { withRecords } from '../frame/with-records.ts';
import { refuseInsideCommand, withRemote } from '../frame/with-remote.ts';
import { idLabel } from '../screen/id-labels.ts';
import { as, line, muted } from '../screen/line.ts';
import { timeOfDay } from '../screen/look.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { fileDiff, withoutGit } from '../views/changes-view.ts';

type Wanted = Readonly<{ record: CommandRecord; changes: readonly KeptChange[] }>;
type Send = (call: UndoCall) => Promise<UndoOutcome>;

/** `signalbox undo c9us`: a command of its own that puts back what stood there before. */
export const undo = defineSubcommand({
  name: 'undo',
  args: z.object({
    id: z.array(z.string()).min(1),
    dryRun: z.boolean().default(false),
    force: z.boolean().default(false),
  }),
  async run({ id: typed, dryRun, force }, context) {
    refuseInsideCommand(context, 'undo');
    const { wanted, isHeld } = await withRecords(context, async ({ store, files, holder }) => {
      const records = await Promise.all(typed.map((one) => findCommand(store, one)));
      const found = records.map(async (record) => ({ record, changes: await files.changesOf(record.id) }));
      return { wanted: (await Promise.all(found)).map(known), isHeld: (await holder()) !== null };
    });
    for (const one of wanted) tellWhat(one, force, context);
    if (dryRun || !(await isSure(wanted, context))) return EXIT.ok;
    const answers = isHeld
      ? await withRemote(context, 'undo', (remote) => undoAll(wanted, force, { send: remote.undo, context }))
      : await inOwnHouse(context, (send) => undoAll(wanted, force, { send, context }));
    context.json({
      undone: answers.flatMap(({ undone }) => undone ?? []),
      refused: answers.flatMap(({ refused }) => refused ?? []),
    });
    return Math.max(...answers.map(({ exit }) => exit));
  },
});

function known({
  record,
  changes,
}: Readonly<{ record: CommandRecord; changes: Wanted['changes'] | null }>): Wanted {
  if (changes !== null) return { record, changes };
  throw new UsageError('nothing-to-undo', `Cannot undo ${record.id}: nothing is kept of what it changed`, {
    why: ['it changed no files, did not run as a transaction, or too much has happened since'],
    next: [`signalbox status ${record.id}`],
  });
}

function tellWhat({ record, changes }: Wanted, force: boolean, context: Context): void {
  const look = context.lookOfTalk();
  const at = record.endedAt === null ? '' : ` · committed ${timeOfDay(record.endedAt, look)}`;
  context.say([
    line(
      as('bold', idLabel(record.id, look)),
      ' ',
      muted(record.context.provider),
      ` ${record.title}`,
      muted(at),
    ),
    ...withoutGit(changes).map((change) => {
      const { added, removed } = fileDiff(change, (text) => text);
      const again = force ? 'what others wrote there since is lost' : 'changed since';
      const later = change.isCurrent ? '' : `   ${again}`;
      return line(
        `  ${change.path}  `,
        as('ok', `-${added}`),
        ' ',
        as('danger', `+${removed}`),
        as('warn', later),
      );
    }),
  ]);
}

async function isSure(wanted: readonly Wanted[], context: Context): Promise<boolean> {
  const { flags, terminal } = context;
  if (!flags.input || flags.json || !terminal.stdin.tty || !terminal.stderr.tty) return true;
  const names = wanted.map(({ record }) => idLabel(record.id, context.lookOfTalk())).join(', ');
  const answer = await context.askLine(`Undo ${names}? [y/N] `, new AbortController().signal);
  return answer !== null && /^y(es)?$/i.test(answer.trim());
}

type Answer = Readonly<{ exit: ExitCode; undone?: unknown; refused?: unknown }>;

/** The newest first: an older command's files may be what a newer one has changed. */
async function undoAll(
  wanted: readonly Wanted[],
  force: boolean,
  { send, context }: Readonly<{ send: Send; context: Context }>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const one of wanted.toSorted((a, b) => (b.record.endedAt ?? 0) - (a.record.endedAt ?? 0))) {
    const { record, changes } = one;
    const outcome = await send({
      command: record.id,
      paths: changes.map(({ path }) => path),
      force,
      by: { name: context.user, channel: 'cli' },
      sessionId: createId('session', context.random),
    });
    answers.push(tellOutcome(record, outcome, context));
  }
  return answers;
}

function tellOutcome({ id: command }: CommandRecord, outcome: UndoOutcome, context: Context): Answer {
  const look = context.look();
  const by = idLabel(outcome.commandId, look);
  if (outcome.kind === 'waits') {
    context.print([line(as('warn', '…'), ` ${by} waits (${outcome.status}): signalbox status ${by}`)]);
    return { exit: EXIT.needsApproval, refused: { command, why: `it waits: ${outcome.status}` } };
  }
  const { result } = outcome;
  if (result.outcome.kind === 'completed') {
    context.print([line(as('ok', '✓'), ` undone by ${by} · take it back: signalbox undo ${by}`)]);
    return { exit: EXIT.ok, undone: { command, by: outcome.commandId, files: result.files } };
  }
  const { message, why = [], code } = result.outcome.failure;
  context.tell([
    line(as('danger', result.outcome.kind), `: ${message}`),
    ...why.map((row) => line('  ', row)),
    line(
      '  ',
      as('accent', `signalbox diff ${idLabel(command, look)}`),
      muted(' · --force overwrites what came later'),
    ),
  ]);
  const isDenied = result.outcome.kind === 'denied' || result.outcome.kind === 'blocked';
  const exit = code === 'undo-conflict' ? EXIT.conflict : isDenied ? EXIT.denied : EXIT.failed;
  return { exit, refused: { command, why: message } };
}

async function inOwnHouse<Result>(context: Context, use: (send: Send) => Promise<Result>): Promise<Result> {
  const { settings } = await loadSettings({ ...context, withoutSandbox: false });
  const house = await context.doors.openHouse({
    workspace: context.directory,
    settings,
    unconfined: false,
    user: context.user,
    subcommand: 'undo',
    apiKeys: context.env,
    clock: context.clock,
  });
  try {
    return await use((call) => submitUndo(house.coordinator, call));
  } finally {
    await house.close();
  }
}
