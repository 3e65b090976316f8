import type { BenchOptions } from './bench-options.ts';
import { createRandom } from './random.ts';
import type { PlannedCommand } from './planned-command.ts';
import { scenarios } from './scenarios.ts';

/** What the fake agents do; no command depends on time or on results of others. */
export type Plan = Readonly<{
  command(key: number): PlannedCommand;
  /** @param ordinal Position among the agent's commands, counted from 0. */
  keyOf(agent: number, ordinal: number): number;
}>;

/** A pure function of seed, scenario and mix. */
export function createPlan(options: BenchOptions): Plan {
  const { agents, seed, mix, workMs, files, hot } = options;
  const { choosePath, outcomes, answers } = scenarios[options.scenario];
  return {
    keyOf: (agent, ordinal) => ordinal * agents + agent,
    command(key) {
      const random = createRandom(seed, key);
      const agent = key % agents;
      const work = random.pick(mix);
      return {
        key,
        agent,
        work,
        ...choosePath(random, { agent, work, files, hot }),
        workMs: varied(workMs, random.next()),
        plannedOutcome: outcomes === undefined ? 'works' : outcomeOf(random.pick(outcomes), work),
        person: answers === undefined || work !== 'write' ? 'nobody' : random.pick(answers),
      };
    },
  };
}

/** Half to one and a half times as long, in whole milliseconds. */
function varied(workMs: number, chance: number): number {
  return Math.round(workMs * (0.5 + chance));
}

/** A shell line works or is cancelled: other failures could not be told from faults of the coordinator. */
function outcomeOf(
  plannedOutcome: PlannedCommand['plannedOutcome'],
  work: PlannedCommand['work'],
): PlannedCommand['plannedOutcome'] {
  return work === 'write' || plannedOutcome === 'cancelled' ? plannedOutcome : 'works';
}
