import {
  type CommandRecord,
  type CommandResult,
  findUnavailable,
  type Outcome,
  RevisionError,
} from '@signalbox/core';
import { reuseNote } from '../../reuse/run-reuse.ts';
import { resultOfRun, resultWithoutRun, withChangeNotes, withNotes } from '../command-result.ts';
import { suspectNote } from '../../grounding/suspect-note.ts';
import { noting } from '../../judging/repeat-gate.ts';
import type { Execute } from './execute.ts';
import type { RunnerDependencies } from '../runner-dependencies.ts';
import { collapsed, unavailable } from '../outcome/outcome-of.ts';
import type { Stopwatch } from '../stopwatch.ts';
import type { StepPerformers } from './performers.ts';

function withMore(result: CommandResult, line: string | undefined): CommandResult {
  return line === undefined ? result : withNotes(result, [line]);
}

/**
 * Builds the one result of a command and has it audited before it is stored, so that a crash leaves no result
 * unaudited.
 */
export function settling(
  parts: Pick<
    RunnerDependencies,
    | 'audit'
    | 'collapsed'
    | 'confirmOwn'
    | 'resultElsewhere'
    | 'ran'
    | 'filterOf'
    | 'untrustedOf'
    | 'hidePathsOf'
    | 'reflect'
    | 'grounding'
    | 'gates'
    | 'changedUnderneath'
    | 'clock'
    | 'logger'
    | 'redact'
  >,
  { stopwatch, execution }: { readonly stopwatch: Stopwatch; readonly execution: Pick<Execute, 'outputs'> },
): StepPerformers<'conclude' | 'audit' | 'settleFailure'> {
  const { clock, logger, redact } = parts;

  function resultNow(record: CommandRecord, outcome: Outcome): CommandResult {
    return stopwatch.timed(resultWithoutRun(record, outcome, { endedAt: clock.now(), redact }), false);
  }

  function write(
    { record, result }: { readonly record: CommandRecord; readonly result: CommandResult },
    confirm: () => Promise<void>,
  ): Promise<CommandResult> {
    return parts.audit({ ...record, state: 'done', result, endedAt: result.endedAt }, result, confirm);
  }

  async function isTaken(record: CommandRecord, cause: unknown): Promise<boolean> {
    if (parts.resultElsewhere === undefined) return false;
    if (cause instanceof RevisionError) return true;
    return parts.confirmOwn(record).then(
      () => false,
      (error: unknown) => error instanceof RevisionError,
    );
  }

  return {
    async conclude({ ran, note }, record) {
      const { flushed, edits } = execution.outputs();
      await flushed;
      const filter = ran.answer?.execution === undefined ? undefined : await parts.filterOf(record);
      const hidePaths = await parts.hidePathsOf(record);
      const untrusted = parts.untrustedOf(record, ran);
      const run = stopwatch.timed(
        resultOfRun(record, { ...ran, filter, hidePaths, untrusted, endedAt: clock.now() }, redact),
        true,
      );
      const { reusedFrom } = ran;
      const done = reusedFrom === undefined ? run : { ...run, reusedFrom };
      const reuse = reusedFrom === undefined ? [] : [reuseNote(reusedFrom, clock.now())];
      const edited = (await edits.editedPaths()).map(redact.text);
      // Another's result is given only if nothing but its own run changed files.
      const changed =
        reusedFrom === undefined ? parts.changedUnderneath(record, { result: done, edited }) : [];
      const notes = [...reuse, ...(await parts.ran(record, done)), ...(note === null ? [] : [note])];
      return [{ type: 'execution.ended', result: withNotes(withChangeNotes(done, changed), notes) }];
    },

    async audit(ended, record) {
      // A coordinator that took it over checks once for its line, and writes one if there is none.
      const confirm = (): Promise<void> => parts.confirmOwn(record);
      await confirm();
      const outcome = 'result' in ended ? ended.result.outcome : ended.outcome;
      const line = parts.reflect(record, outcome);
      const noted =
        'result' in ended ? withMore(ended.result, line) : resultNow(record, noting(outcome, line));
      const result = withMore(noted, suspectNote(record.suspects, noted.content));
      parts.grounding?.noteEnded(record, result);
      parts.gates.noteEnded(record, result);
      return [{ type: 'audit.written', result: await write({ record, result }, confirm) }];
    },

    /**
     * For an internal failure: the command ends as failed, or as the audit has it already, and nothing stays open. No
     * process of it is alive: all that can fail comes before a start, or after its end.
     */
    async settleFailure({ cause }, record) {
      const { id: commandId, state } = record;
      if (await isTaken(record, cause)) return [{ type: 'command.taken' }];
      logger.error({ commandId, state, error: cause }, 'command collapsed');
      const away = findUnavailable(cause);
      if (away === undefined) parts.collapsed(commandId, cause);
      const done = resultNow(record, away === undefined ? collapsed(cause) : unavailable(away));
      // If ownership can't be checked, the command counts as ours: stopping while the backend is away still writes its
      // line.
      const confirm = (): Promise<void> =>
        parts.confirmOwn(record).catch((error: unknown) => {
          if (error instanceof RevisionError) throw error;
        });
      try {
        return [{ type: 'audit.written', result: await write({ record, result: done }, confirm) }];
      } catch (error) {
        if (error instanceof RevisionError) return [{ type: 'command.taken' }];
        logger.error({ commandId, error }, 'ending not complete');
        return [{ type: 'audit.written', result: done }];
      }
    },
  };
}
