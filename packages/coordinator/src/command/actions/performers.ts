import type { CommandRecord } from '@signalbox/core';
import type { CommandEvent } from '../command-event.ts';
import type { ActionOf, CommandAction } from '../command-setup.ts';

/** Performs some kinds of action, one function each; their results are events. */
export type StepPerformers<Type extends CommandAction['type']> = {
  readonly [Kind in Type]: (
    params: ActionOf<Kind>['params'],
    record: CommandRecord,
  ) => Promise<readonly CommandEvent[] | void> | readonly CommandEvent[] | void;
};
