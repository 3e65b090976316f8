import * as z from 'zod';
import type { Trace } from '../evidence/trace.ts';
import { claimsOfPlanned, type PlannedCommand } from '../plan/planned-command.ts';
import { idealMs } from './ideal-schedule.ts';
import { NO_QUANTILES, Quantiles, quantiles } from './quantiles.ts';

/** Computed from the evidence of a run, in milliseconds. */
export const RunNumbers = z
  .strictObject({
    commands: z.number(),
    /** From the first call to the last answer. */
    elapsedMs: z.number(),
    perSecond: z.number(),
    /** From the call to the first thing that the command itself does. */
    submitToStart: Quantiles,
    startToEnd: Quantiles,
    /**
     * Until the agent has the answer; the changes of a shell line are committed meanwhile. Absent from reports of older
     * versions.
     */
    endToAnswer: Quantiles.default(NO_QUANTILES),
    submitToAnswer: Quantiles,
    /** From the end of one command to the start of the next one that waited for the same file. */
    handOff: Quantiles,
    /** Number of commands that had to wait for claims of another when they arrived. */
    contended: z.number(),
    /** The limit of the claim graph with the measured work times; null with `--rate`. */
    idealMs: z.number().nullable(),
    /** Ideal over elapsed, 0 to 1. */
    efficiency: z.number().nullable(),
  })
  .readonly();
export type RunNumbers = z.infer<typeof RunNumbers>;

/** The ideal of more commands takes long to compute. */
const MAX_COMMANDS_FOR_IDEAL = 50_000;

export function numbersOf(
  traces: readonly Trace[],
  planned: (key: number) => PlannedCommand,
  { places, isPaced }: Readonly<{ places: number; isPaced: boolean }>,
): RunNumbers {
  const first = least(traces.map(({ submitted }) => submitted?.atUs));
  const last = -least(traces.map(({ answers }) => negative(answers.at(-1)?.moment.atUs)));
  const elapsedMs = traces.length === 0 ? 0 : (last - first) / 1000;
  const hands = handOffs(traces, planned);
  const isTooMany = traces.length > MAX_COMMANDS_FOR_IDEAL;
  const ideal = isPaced || isTooMany ? null : idealMs(idealCommands(traces, planned), places);
  return {
    commands: traces.length,
    elapsedMs,
    perSecond: elapsedMs === 0 ? 0 : (traces.length / elapsedMs) * 1000,
    submitToStart: quantiles(
      traces.flatMap(({ submitted, starts: [start] }) => between(submitted?.atUs, start?.atUs)),
    ),
    startToEnd: quantiles(traces.flatMap(({ starts: [start], ended }) => between(start?.atUs, ended?.atUs))),
    endToAnswer: quantiles(
      traces.flatMap(({ ended, answers: [answer] }) => between(ended?.atUs, answer?.moment.atUs)),
    ),
    submitToAnswer: quantiles(
      traces.flatMap(({ submitted, answers: [answer] }) => between(submitted?.atUs, answer?.moment.atUs)),
    ),
    handOff: quantiles(hands),
    contended: hands.length,
    idealMs: ideal,
    efficiency: ideal === null || elapsedMs === 0 ? null : ideal / elapsedMs,
  };
}

/** Times between two commands on one file, where the second arrived before the first was done. */
function handOffs(traces: readonly Trace[], planned: (key: number) => PlannedCommand): readonly number[] {
  const writers = traces.filter(({ key, starts }) => planned(key).work !== 'read' && starts.length > 0);
  return [...Map.groupBy(writers, ({ key }) => planned(key).path).values()].flatMap((ofPath) => {
    const inOrder = ofPath.toSorted((a, b) => (a.starts[0]?.atUs ?? 0) - (b.starts[0]?.atUs ?? 0));
    return inOrder.flatMap((next, n) => {
      const before = inOrder[n - 1];
      if (before === undefined || before.ended === null) return [];
      const wasThere = next.submitted !== null && next.submitted.atUs < before.ended.atUs;
      return wasThere ? between(before.ended.atUs, next.starts[0]?.atUs) : [];
    });
  });
}

/** A command that never started takes no time in the ideal. */
function idealCommands(traces: readonly Trace[], planned: (key: number) => PlannedCommand) {
  return traces
    .toSorted((a, b) => (a.submitted?.atUs ?? 0) - (b.submitted?.atUs ?? 0))
    .map(({ key, starts: [start], ended }) => {
      const command = planned(key);
      const [workMs = 0] = between(start?.atUs, ended?.atUs);
      return { agent: command.agent, claims: workMs === 0 ? [] : claimsOfPlanned(command), workMs };
    });
}

/** Milliseconds; empty when one of the two never happened. */
function between(fromUs: number | undefined, toUs: number | undefined): readonly number[] {
  return fromUs === undefined || toUs === undefined ? [] : [(toUs - fromUs) / 1000];
}

function least(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((low, number) => Math.min(low, number ?? Infinity), Infinity);
}

function negative(number: number | undefined): number | undefined {
  return number === undefined ? undefined : -number;
}
