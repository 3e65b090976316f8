import {
  type CommandRecord,
  type CommandResult,
  findUnavailable,
  type Outcome,
  publishedStatus,
  type PublishedStatus,
  RevisionError,
  type Ruling,
} from '@signalbox/core';
import type { CommandEvent } from './command.machine.ts';
import { resultWithoutRun } from './command-result.ts';
import type { LifeParts } from './life-parts.ts';
import { collapsed, lost, unavailable } from './outcome-of.ts';
import type { Place } from './place.ts';
import type { RecordKeeper } from './record-keeper.ts';

const FORGOTTEN = 'the store has forgotten it; it lost what it was told last';

type EndingEvent = Extract<CommandEvent, { readonly result: CommandResult }>;

/** How one command ends: once, whatever fails on the way. */
export type Ending = {
  readonly result: Promise<CommandResult>;
  /** Whether the result has been given. */
  isOver(): boolean;
  /** Without having run. */
  end(
    outcome: Outcome,
    options?: {
      readonly before?: readonly CommandEvent[];
      /** The ruling that ended it. */
      readonly ruling?: Ruling;
      readonly approval?: NonNullable<CommandRecord['approval']>;
    },
  ): Promise<void>;
  /**
   * Audit first, then the record and its events, then its place is free for others, then the one result:
   * they all say the same.
   */
  settle(event: EndingEvent, before?: readonly CommandEvent[]): Promise<void>;
  /**
   * For a part of ours that failed: the command ends with a failure, or as the audit tells already, and nothing is
   * left open. No process of it lives: what can fail comes before one is started, or after it has ended.
   */
  collapse(cause: unknown): Promise<void>;
  /** Another coordinator leads it now: nothing more is done here, and its result is the one given over there. */
  handOver(): Promise<void>;
  /** For what is left to do at an ending: it is tried, and logged when it fails. */
  quietly<T>(task: () => Promise<T>): Promise<T | undefined>;
};

/** @param options.onGiven called right before the result is given, with where the command rests now. */
export function createEnding(
  parts: LifeParts,
  options: {
    readonly keeper: RecordKeeper;
    readonly place: Place;
    readonly onGiven: (status: PublishedStatus) => void;
  },
): Ending {
  const { clock, logger, redact } = parts;
  const { keeper, place, onGiven } = options;
  const { current, step } = keeper;
  const commandId = current().id;
  const result = Promise.withResolvers<CommandResult>();
  let over = false;

  async function settle(event: EndingEvent, before: readonly CommandEvent[] = []): Promise<void> {
    await confirm();
    const answer = await parts.audit(keeper.preview([...before, event]), event.result, confirm);
    await step([...before, { ...event, result: answer }]);
    await give(answer);
  }

  /** Who has taken it over looks for its line once, and writes one where there is none. */
  function confirm(): Promise<void> {
    return parts.confirmOwn(current());
  }

  /** What nobody can tell counts as ours: who stops while the backend is away leaves its line all the same. */
  async function confirmIfTold(): Promise<void> {
    await confirm().catch((error: unknown) => {
      if (error instanceof RevisionError) throw error;
    });
  }

  async function give(answer: CommandResult): Promise<void> {
    over = true;
    try {
      // Half of its files stand there: nobody else may touch them.
      if (answer.rollback === 'rollback_failed') await quietly(() => parts.stuck(current(), place.leave));
      else await quietly(place.leave);
      parts.gone(commandId);
    } finally {
      onGiven(current().state === 'done' ? publishedStatus(current()) : 'failed');
      result.resolve(answer);
    }
  }

  async function quietly<T>(task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      logger.error({ commandId, error }, 'ending not complete');
      return undefined;
    }
  }

  async function isTakenOver(cause: unknown): Promise<boolean> {
    if (parts.resultElsewhere === undefined) return false;
    if (cause instanceof RevisionError) return true;
    return confirm().then(
      () => false,
      (error: unknown) => error instanceof RevisionError,
    );
  }

  async function handOver(): Promise<void> {
    if (over) return;
    over = true;
    logger.warn({ commandId }, 'another coordinator leads this command now');
    parts.gone(commandId);
    // Nothing of it runs here before that state, and who leads it now asks for a lease of their own.
    if (current().state !== 'running') void quietly(place.giveBack);
    void quietly(giveFromElsewhere);
  }

  async function giveFromElsewhere(): Promise<void> {
    const found = await parts.resultElsewhere?.(commandId);
    if (found === undefined) return;
    const answer = found ?? (await auditForgotten());
    keeper.keepUnstored(answer);
    onGiven(publishedStatus(current()));
    result.resolve(answer);
  }

  function resultNow(outcome: Outcome): CommandResult {
    return keeper.timed(resultWithoutRun(current(), outcome, clock.now(), redact));
  }

  /** Nobody else knows of it any more: without this line nobody would ever know that it was there. */
  function auditForgotten(): Promise<CommandResult> {
    const done = resultNow(lost(FORGOTTEN));
    return parts.audit(current(), done, async () => undefined);
  }

  return {
    result: result.promise,
    isOver: () => over,
    settle,
    handOver,
    quietly,

    async end(outcome, { before = [], ...more } = {}) {
      const done = resultNow(outcome);
      await settle({ type: 'command.ended', result: done, ...more }, before);
    },

    async collapse(cause) {
      if (over) return;
      if (await isTakenOver(cause)) return handOver();
      const { state } = current();
      logger.error({ commandId, state, error: cause }, 'command collapsed');
      const away = findUnavailable(cause);
      const outcome = away === undefined ? collapsed(cause) : unavailable(away);
      const done = resultNow(outcome);
      const answer = await parts.audit(current(), done, confirmIfTold).catch((error: unknown) => {
        if (error instanceof RevisionError) return undefined;
        logger.error({ commandId, error }, 'ending not complete');
        return done;
      });
      if (answer === undefined) return handOver();
      const type = state === 'running' ? 'execution.ended' : 'command.ended';
      await quietly(() => step([{ type, result: answer }]));
      if (current().state !== 'done') keeper.keepUnstored(answer);
      await give(answer);
    },
  };
}
