import type { PersonOutcome } from '@signalbox/coordinator';
import type { CommandId, CommandRecord, FileTouch, Mode } from '@signalbox/core';
import * as z from 'zod';
import { CountArgument } from '../table/argument-schemas.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { idLabel } from '../../terminal/id-labels.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { wrapLine } from '../../terminal/wrap-line.ts';
import { timeOfDay } from '../../terminal/render-context.ts';
import { commandsToUndo, type Undoable } from './commands-to-undo.ts';
import { type SendUndo, withUndo } from './with-undo.ts';
import { withoutGit, sinceThen } from '../../views/command/changes-view.ts';
import { forecastUndo } from './forecast-undo.ts';
import { laterCommitLines, laterCommits } from './later-commits.ts';
import { undoneCommitLines } from './undone-commits.ts';

/** `signalbox undo c9us`: a command of its own, one for each, that restores the previous content. */
export const undo = defineSubcommand({
  name: 'undo',
  args: z.object({
    id: z.array(z.string()).default([]),
    session: z.string().optional(),
    last: CountArgument.optional(),
    dryRun: z.boolean().default(false),
    force: z.boolean().default(false),
  }),
  async run({ id: ids, session, last, dryRun, force }, context) {
    refuseInsideCommand(context, 'undo');
    const { wanted, mode } = await withReader(context, async (reader) => ({
      wanted: await commandsToUndo({ ids, session, last }, reader),
      mode: (await reader.mode()).mode,
    }));
    const seen = new Set<string>();
    for (const one of wanted) {
      reportUndone(one, { force, context, changedAbove: seen });
      context.say(wrapped(await undoneCommitLines(one, context), context));
      // Includes changes committed by a newer one.
      const fresh = one.changes.filter(({ path }) => !seen.has(path));
      context.say(
        wrapped(laterCommitLines(await laterCommits({ ...one, changes: fresh }, context), force), context),
      );
      for (const { path } of one.changes) seen.add(path);
    }
    if (dryRun) return reportForecast(wanted, { force, mode, context });
    if (isAsked(context)) {
      // No prompt for an undo that is sure to fail.
      const [newest] = wanted;
      const stopsAt = mode === 'LOCKDOWN' ? newest?.record.id : force ? null : forecastUndo(wanted)?.command;
      if (stopsAt != null) {
        const exit = reportForecast(wanted, { force, mode, context });
        if (stopsAt === newest?.record.id) return exit;
      }
      if (!(await isSure(wanted, context))) return EXIT.ok;
    }
    const answers = await withUndo(context, (send) => undoAll(wanted, force, { send, context }));
    context.json({
      undone: answers.flatMap(({ undone }) => undone ?? []),
      refused: answers.flatMap(({ refused }) => refused ?? []),
      left: wanted.slice(answers.length).map(({ record }) => record.id),
    });
    reportProgress(wanted, answers, context);
    return Math.max(...answers.map(({ exit }) => exit));
  },
});

/** At most this many paths per command: more is a build, and nobody reads that list. */
const MAX_SHOWN = 30;

function reportUndone(
  { record, changes, inPart }: Undoable,
  {
    force,
    context,
    changedAbove,
  }: Readonly<{ force: boolean; context: Context; changedAbove: ReadonlySet<string> }>,
): void {
  const render = context.noticeRender();
  const shown = withoutGit(changes);
  const at = record.endedAt === null ? '' : ` · applied ${timeOfDay(record.endedAt, render)}`;
  const rows = [
    line(
      as('bold', idLabel(record.id, render)),
      ' ',
      muted(record.context.provider),
      ` ${record.title}`,
      muted(at),
    ),
    ...shown.slice(0, MAX_SHOWN).map((change) => {
      const { path, added, removed } = change;
      const became = sinceThen(change, inPart.has(path) ? 'part' : 'nothing');
      const later = became === null || changedAbove.has(path) ? null : became;
      return line(
        `  ${path}  `,
        // Files it added are removed.
        as('ok', `+${removed}`),
        ' ',
        as('danger', `-${added}`),
        as('warn', later === null ? '' : `   ${later}${force ? ': will be overwritten' : ''}`),
      );
    }),
    ...(shown.length > MAX_SHOWN
      ? [
          line(
            muted(
              `  and ${shown.length - MAX_SHOWN} more: signalbox diff --stat ${idLabel(record.id, render)}`,
            ),
          ),
        ]
      : []),
  ];
  context.say(wrapped(rows, context));
}

/** On standard error, wrapped between words. */
function wrapped(rows: readonly Line[], context: Context): readonly Line[] {
  return rows.flatMap((row) => wrapLine(row, context.noticeRender().width));
}

/** The output of `--dry-run`: where the undo would stop, and why. */
function reportForecast(
  wanted: readonly Undoable[],
  { force, mode, context }: Readonly<{ force: boolean; mode: Mode; context: Context }>,
): ExitCode {
  const render = context.noticeRender();
  if (mode === 'LOCKDOWN') {
    context.json({ undone: [], refused: [], left: wanted.map(({ record }) => record.id) });
    context.tell(
      wrapped(
        [
          line(as('danger', 'would be denied'), ': LOCKDOWN allows no undo'),
          line('  ', as('accent', 'signalbox mode NORMAL')),
        ],
        context,
      ),
    );
    return EXIT.denied;
  }
  const problem = force ? null : forecastUndo(wanted);
  const left = wanted.map(({ record }) => record.id);
  const names = (ids: readonly CommandId[]): string => ids.map((id) => idLabel(id, render)).join(' ');
  const refused = problem === null ? [] : [{ command: problem.command, why: problem.why[0] }];
  context.json({ undone: [], refused, left });
  if (problem === null) {
    context.tell(wrapped([line(muted(`Would undo ${names(left)}`))], context));
    return EXIT.ok;
  }
  const { command, why } = problem;
  const before = left.indexOf(command);
  context.tell(
    wrapped(
      [
        line(as('danger', 'would fail'), `: Cannot undo ${command}: ${why[0]}`),
        ...(why.length > 1 ? why.map((row) => line('  ', row)) : []),
        nextAfterConflict(command, context),
        ...(wanted.length === 1
          ? []
          : [
              line(
                as('warn', `${before} of ${wanted.length} would be undone`),
                `, newest first; not undone: ${names(left.slice(before))}`,
              ),
            ]),
      ],
      context,
    ),
  );
  return EXIT.conflict;
}

function nextAfterConflict(command: CommandId, context: Context) {
  const label = idLabel(command, context.render());
  // With its id: `@last` changes with the next command.
  return line(
    '  ',
    as('accent', `signalbox diff ${label}`),
    muted(' · '),
    as('accent', `signalbox undo --force ${label}`),
    muted(' overwrites later changes'),
  );
}

function isAsked({ flags, terminal }: Context): boolean {
  return flags.input && !flags.json && terminal.stdin.tty && terminal.stderr.tty;
}

async function isSure(wanted: readonly Undoable[], context: Context): Promise<boolean> {
  const names = wanted.map(({ record }) => idLabel(record.id, context.noticeRender())).join(', ');
  const answer = await context.askLine(`Undo ${names}? [y/N] `, new AbortController().signal);
  return answer !== null && /^y(es)?$/i.test(answer.trim());
}

type Undone = Readonly<{ command: CommandId; by: CommandId; files: readonly FileTouch[] }>;
type Answer = Readonly<{ exit: ExitCode; undone?: Undone; refused?: unknown }>;

/** Stops at the first failure: its files are not in the state that earlier ones left. */
async function undoAll(
  wanted: readonly Undoable[],
  force: boolean,
  { send, context }: Readonly<{ send: SendUndo; context: Context }>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const { record, changes, isRest } of wanted) {
    const paths = (isRest ? withoutGit(changes) : changes).map(({ path }) => path);
    const outcome = await send({ command: record.id, paths, force, part: isRest });
    const answer = reportOutcome(record, outcome, context);
    answers.push(answer);
    if (answer.undone === undefined) break;
  }
  return answers;
}

/** For several, if not all were undone. */
function reportProgress(wanted: readonly Undoable[], answers: readonly Answer[], context: Context): void {
  const undone = answers.flatMap((answer) => answer.undone ?? []);
  if (wanted.length === 1 || undone.length === wanted.length) return;
  const render = context.noticeRender();
  const names = (ids: readonly CommandId[]): string => ids.map((id) => idLabel(id, render)).join(' ');
  const left = wanted.slice(undone.length).map(({ record }) => record.id);
  context.tell(
    wrapped(
      [
        line(
          as('warn', `${undone.length} of ${wanted.length} undone`),
          `, newest first; not undone: ${names(left)}`,
        ),
        ...(undone.length === 0
          ? []
          : [
              line(
                '  ',
                as('accent', `signalbox undo ${names(undone.map(({ by }) => by))}`),
                muted(' restores the undone ones'),
              ),
            ]),
      ],
      context,
    ),
  );
}

function reportOutcome({ id: command }: CommandRecord, outcome: PersonOutcome, context: Context): Answer {
  const render = context.render();
  const by = idLabel(outcome.commandId, render);
  if (outcome.kind === 'waits') {
    context.print([line(as('warn', '…'), ` ${by} waits (${outcome.status}): signalbox status ${by}`)]);
    return { exit: EXIT.needsApproval, refused: { command, why: `it waits: ${outcome.status}` } };
  }
  const { result } = outcome;
  if (result.outcome.kind === 'completed') {
    context.print([line(as('ok', '✓'), ` undone by ${by} · restore: signalbox undo ${by}`)]);
    return { exit: EXIT.ok, undone: { command, by: outcome.commandId, files: result.files } };
  }
  const { message, why = [], code } = result.outcome.failure;
  context.tell(
    wrapped(
      [
        line(as('danger', result.outcome.kind), `: ${message}`),
        ...why.map((row) => line('  ', row)),
        nextAfterConflict(command, context),
      ],
      context,
    ),
  );
  const isDenied = result.outcome.kind === 'denied' || result.outcome.kind === 'blocked';
  const exit = code === 'undo-conflict' ? EXIT.conflict : isDenied ? EXIT.denied : EXIT.failed;
  return { exit, refused: { command, why: message } };
}
