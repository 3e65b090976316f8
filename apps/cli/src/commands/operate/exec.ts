import { type CommandResult, UsageError } from '@signalbox/core';
import * as z from 'zod';
import { clientAt } from '../../client/client-at.ts';
import { checkSettingsFiles } from '../setup/trust-settings.ts';
import { DurationArgument, LineArgument, PriorityArgument } from '../table/argument-schemas.ts';
import { canAsk } from '../../live/ask-yes.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { quoteWord } from '../../terminal/quote-word.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { accessTo } from '../../client/readers/with-coordinator.ts';
import { executeLine } from '../../live/run/execute-line.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { nextForPerson } from '../../views/command/next-for-person.ts';
import { killedBy } from '../../views/command/own-exit-code.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import type { OpenAccess } from '../serve/open-unconfined.ts';
import { refusedConnections } from '../../views/command/refused-connections.ts';
import { withoutWord } from '../../views/command/without-word.ts';

/** The most that `bash` accepts, including the line. */
const MAX_CHARACTERS = 16_384;

/** `signalbox exec -- npm install`: your own line, judged, queued, confined and recorded like any other. */
export const exec = defineSubcommand({
  name: 'exec',
  args: z.object({
    line: LineArgument,
    timeout: DurationArgument.optional(),
    priority: PriorityArgument.optional(),
    wait: z.boolean().default(true),
    stdin: z.boolean().default(false),
    unconfined: z.boolean().default(false),
  }),
  async run({ line: typed, timeout, priority, wait, stdin, unconfined }, context) {
    const shellLine = stdin ? withInput(typed, await context.readStdin()) : typed;
    let opened: OpenAccess;
    try {
      opened = await openAccess(unconfined, context);
    } catch (error) {
      context.reportError(error);
      return EXIT.neverRan;
    }
    const asks = wait && canAsk(context) && !context.flags.json;
    let result: CommandResult;
    try {
      result = await executeLine({ shellLine, timeout, priority, asks }, opened.access, context);
    } finally {
      await opened.close();
    }
    const { commandId, outcome, exitCode, stdout, stderr, truncated } = result;
    context.json({ command: commandId, outcome, exitCode, stdout, stderr, truncated });
    return reportEnding(result, shellLine, context);
  },
});

/** The coordinator of the workspace, or of the named server; `--unconfined` needs one of its own. */
async function openAccess(unconfined: boolean, context: Context): Promise<OpenAccess> {
  const purpose = { what: 'run a line', start: true };
  if (!unconfined) {
    if (context.flags.server === undefined) await checkSettingsFiles(context);
    const access = await accessTo(context, purpose);
    await judgeByCurrentSettings(access);
    return { access, close: async () => undefined };
  }
  const { confinedAlready, openUnconfined } = await import('../serve/open-unconfined.ts');
  if (context.flags.server !== undefined) throw confinedAlready();
  refuseInsideCommand(context, purpose.what);
  await checkSettingsFiles(context);
  return openUnconfined(context, { subcommand: 'exec', what: purpose.what });
}

/** A settings file just written applies, and an invalid one is reported: the coordinator may not have read it yet. */
async function judgeByCurrentSettings(access: LocalAccess): Promise<void> {
  if (access.socket === undefined) return;
  await clientAt(access).reloadPolicy();
}

function reportEnding(result: CommandResult, shellLine: string, context: Context): ExitCode {
  const { outcome, exitCode } = result;
  const { offline = [] } = result;
  context.tell(refusedConnections(result));
  context.tell(
    offline.map((row, at) => (at === 0 ? line(as('warn', '!'), ` ${row}`) : line('  ', muted(row)))),
  );
  if (outcome.kind === 'completed') return exitCode ?? EXIT.ok;
  if (outcome.kind === 'failed' && exitCode !== null && exitCode > 0) return exitCode;
  if (outcome.failure.code === 'approval-needed') return reportNoApprover(result, shellLine, context);
  const { message, why = [] } = outcome.failure;
  const next = nextForPerson(outcome.failure, result.commandId);
  context.tell([
    killedBy(outcome) === null
      ? line(as('danger', outcome.kind), `: ${withoutWord(outcome.kind, message)}`)
      : line(as('danger', message)),
    ...why.filter((row) => !offline.includes(row)).map((row) => line('  ', row)),
    ...(next === undefined ? [] : [line('  ', as('accent', next))]),
  ]);
  if (outcome.kind === 'timed_out') return EXIT.timedOut;
  if (outcome.failure.code === 'limit-reached') return KILLED;
  if (outcome.kind === 'cancelled') return EXIT.interrupted;
  if (outcome.kind === 'lost') return EXIT.lost;
  // It ran, and its changes were discarded.
  if (outcome.kind === 'conflict') return EXIT.conflict;
  return EXIT.neverRan;
}

/** `128 + SIGKILL`, as a shell reports a killed process. */
const KILLED = 137;

/** A provider would be told to do without; a user can act. */
function reportNoApprover({ commandId }: CommandResult, shellLine: string, { tell }: Context): ExitCode {
  const next = (command: string, what: string) =>
    line('  ', muted('next  '), as('accent', command), muted(`   ${what}`));
  tell([
    line(as('danger', 'denied'), ': Needs approval, but no one can be asked here'),
    next(`signalbox exec -- ${quoteWord(shellLine)}`, 'in a terminal'),
    next(
      `signalbox policy explain ${commandId}`,
      'which rule requires approval, and which rule would allow it',
    ),
  ]);
  return EXIT.neverRan;
}

/**
 * The line with a text as its standard input: as a here-document, so that it is judged, shown and recorded with its
 * input. A text that does not end with a newline gets one.
 *
 * @throws {UsageError} `usage` for input that is too long or not text
 */
export function withInput(shellLine: string, input: string): string {
  if (input === '') return shellLine;
  if (input.includes('\0')) throw noInput('it is not text', []);
  const rows = input.replace(/\n$/, '').split('\n');
  let end = 'SIGNALBOX_INPUT';
  while (rows.includes(end)) end += '_';
  const whole = [`{ ${shellLine}`, `} <<'${end}'`, ...rows, end].join('\n');
  if (whole.length <= MAX_CHARACTERS) return whole;
  throw noInput('it is too long', [`line and input may have at most ${MAX_CHARACTERS} characters together`]);
}

function noInput(what: string, why: readonly string[]): UsageError {
  return new UsageError('usage', `Cannot pass standard input to the line: ${what}`, {
    why,
    next: ["write it to a file of the workspace, then: signalbox exec -- 'sort < names.txt'"],
  });
}
