import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@signalbox/core';
import type { EvidenceLog } from '../evidence/evidence-log.ts';
import type { Plan } from '../plan/create-plan.ts';
import type { BenchOptions } from '../plan/bench-options.ts';
import type { PlannedCommand } from '../plan/planned-command.ts';
import type { BenchAnswer, BenchClient } from './bench-client.ts';

/** Callbacks for what the agents observe. */
export type DriveWatcher = Readonly<{
  sent(command: PlannedCommand): void;
  answered(command: PlannedCommand, answer: BenchAnswer): void;
}>;

export type DriveOptions = Readonly<{
  options: Pick<BenchOptions, 'agents' | 'commands' | 'durationMs' | 'rate'>;
  plan: Plan;
  /** Only these commands of the plan, each agent's in this order. */
  keys?: readonly number[];
  client: BenchClient;
  evidence: Pick<EvidenceLog, 'submitted' | 'rested' | 'answered'>;
  watcher: DriveWatcher;
  clock: Clock;
  /** After an abort no new commands are sent; sent ones run to their end. */
  signal: AbortSignal;
}>;

/** Makes every agent send its commands; settles when each command has its answer. */
export async function driveAgents(drive: DriveOptions): Promise<void> {
  const { options, keys } = drive;
  if (keys === undefined && options.rate !== null) return sendAtRate(drive, options.rate);
  const lists = keys === undefined ? null : Map.groupBy(keys, (key) => key % options.agents);
  await Promise.all(
    Array.from({ length: options.agents }, (_, agent) =>
      oneByOne(drive, agent, { list: lists?.get(agent) ?? (lists && []) }),
    ),
  );
}

/** Sends the next command when the last one is answered, as a real agent does. */
async function oneByOne(
  drive: DriveOptions,
  agent: number,
  { list }: Readonly<{ list: readonly number[] | null }>,
): Promise<void> {
  const { plan, clock } = drive;
  const until = deadline(drive);
  for (let ordinal = 0; ; ordinal++) {
    const key = list === null ? plan.keyOf(agent, ordinal) : list[ordinal];
    if (key === undefined || isBeyond(drive, key, { list })) return;
    if (drive.signal.aborted || clock.monotonic() >= until) return;
    await send(drive, plan.command(key));
    // As over a socket: work that the answer allows has begun before the next command arrives.
    await nextTurn();
  }
}

function isBeyond(
  { options }: DriveOptions,
  key: number,
  { list }: Readonly<{ list: readonly number[] | null }>,
): boolean {
  return list === null && options.commands !== null && key >= options.commands;
}

/** Sends commands when they are due, however slow earlier ones are, so that a backlog shows. */
async function sendAtRate(drive: DriveOptions, rate: number): Promise<void> {
  const { plan, clock, signal } = drive;
  const startedAt = clock.monotonic();
  const until = deadline(drive);
  const underway = new Set<Promise<void>>();
  for (let key = 0; !isBeyond(drive, key, { list: null }) && !signal.aborted; key++) {
    const dueAt = startedAt + (key / rate) * 1000;
    if (dueAt >= until) break;
    const leftMs = dueAt - clock.monotonic();
    if (leftMs > 1) await new Promise<void>((resolve) => clock.timer(leftMs, resolve));
    const done = send(drive, plan.command(key));
    underway.add(done);
    void done.finally(() => underway.delete(done));
  }
  await Promise.all(underway);
}

function deadline({ options, clock }: DriveOptions): number {
  return options.durationMs === null ? Infinity : clock.monotonic() + options.durationMs;
}

async function send({ client, evidence, watcher }: DriveOptions, command: PlannedCommand): Promise<void> {
  const { key, plannedOutcome } = command;
  evidence.submitted(key);
  watcher.sent(command);
  const sent = client.send(command);
  if (sent.rested !== null) {
    await sent.rested;
    evidence.rested(key);
  }
  if (plannedOutcome === 'cancelled') await sent.cancel();
  const answer = await sent.answer;
  evidence.answered(key, answer);
  watcher.answered(command, answer);
}
