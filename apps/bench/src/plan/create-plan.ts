import type { BenchOptions } from './bench-options.ts';
import { createDice } from './dice.ts';
import type { PlannedCommand } from './planned-command.ts';
import { scenarios } from './scenarios.ts';

/** What fake agents do, command by command; nothing is decided by time or by what happened before. */
export type Plan = Readonly<{
  /** The command of that name. */
  command(key: number): PlannedCommand;
  /** Name of an agent's how-manieth command, counted from 0. */
  keyOf(agent: number, ordinal: number): number;
}>;

/** A pure function of seed, scenario and mix. */
export function createPlan(options: BenchOptions): Plan {
  const { agents, seed, mix, workMs, files, hot } = options;
  const { choosePath, fates, answers } = scenarios[options.scenario];
  return {
    keyOf: (agent, ordinal) => ordinal * agents + agent,
    command(key) {
      const dice = createDice(seed, key);
      const agent = key % agents;
      const work = dice.pick(mix);
      return {
        key,
        agent,
        work,
        ...choosePath(dice, { agent, work, files, hot }),
        workMs: varied(workMs, dice.next()),
        fate: fates === undefined ? 'works' : fateOf(dice.pick(fates), work),
        person: answers === undefined || work !== 'write' ? 'nobody' : dice.pick(answers),
      };
    },
  };
}

/** Half to one and a half times as long, in whole milliseconds. */
function varied(workMs: number, chance: number): number {
  return Math.round(workMs * (0.5 + chance));
}

/** A shell line has no way to fail that the bench could tell from trouble: it works, or is cancelled. */
function fateOf(fate: PlannedCommand['fate'], work: PlannedCommand['work']): PlannedCommand['fate'] {
  return work === 'write' || fate === 'cancelled' ? fate : 'works';
}
