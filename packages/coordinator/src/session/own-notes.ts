/** Sent to a model whose answer was cut off. */
export const CUT_NOTE = 'Your answer was cut at the output limit. Continue from there, in smaller steps.';

const RESUMED = 'Signalbox was interrupted, and this session continues. Meanwhile: ';

const CHECK = 'The check of this run failed: ';

/** A failed check, as told to the sessions that continue. */
export type FailedCheck = {
  readonly line: string;
  /** From 1. */
  readonly round: number;
  /** Checks at most. */
  readonly rounds: number;
  /** What a model reads of its output, redacted. */
  readonly content: string;
};

/** Told to each session of a run whose line failed. */
export function checkNote({ line, round, rounds, content }: FailedCheck): string {
  const left = rounds - round;
  const more = left === 1 ? 'one check is left' : `${left} checks are left`;
  return `${CHECK}${line}\n${more}. Continue until it passes: find out what fails, mend it, and end your turn without a call when you are done. Other sessions of the run read the same.\n\n${content}`;
}

/** What others changed while no process led the session, as told to its model. */
export function resumedNote(changes: readonly string[]): string {
  return `${RESUMED}${changes.join('; ')}.`;
}

/** Whether a message was written by Signalbox; all other messages of the user's role are a person's. */
export function isOwnNote(text: string): boolean {
  return text === CUT_NOTE || text.startsWith(CHECK) || text.startsWith(RESUMED);
}
