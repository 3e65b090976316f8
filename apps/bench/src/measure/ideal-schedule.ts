import { type Claim, claimsConflict } from '@signalbox/core';

/** One command of an agent, in the order in which the agent sends them. */
export type IdealCommand = Readonly<{ agent: number; claims: readonly Claim[]; workMs: number }>;

type Running = { readonly command: IdealCommand; readonly endsAt: number };

/**
 * How long these commands take when coordination costs nothing: each agent sends its next command when the last is
 * done, conflicting commands wait for each other in order of arrival, and at most `slots` work at once. This is the
 * limit of the claim graph: a faster run needs conflicting commands that overlap or overtake.
 */
export function idealMs(commands: readonly IdealCommand[], slots: number): number {
  const next = [...Map.groupBy(commands, ({ agent }) => agent).values()].map((list) => list.values());
  const waiting: { readonly command: IdealCommand; readonly agent: Iterator<IdealCommand> }[] = [];
  const running: (Running & { readonly agent: Iterator<IdealCommand> })[] = [];
  let now = 0;

  const send = (agent: Iterator<IdealCommand>): void => {
    const { value, done } = agent.next();
    if (done !== true) waiting.push({ command: value, agent });
  };

  const startAll = (): void => {
    for (let i = 0; i < waiting.length && running.length < slots; i++) {
      const candidate = waiting[i];
      if (candidate === undefined) return;
      const before = [...running, ...waiting.slice(0, i)];
      if (before.some(({ command }) => claimsConflict(command.claims, candidate.command.claims))) continue;
      waiting.splice(i, 1);
      i -= 1;
      running.push({ ...candidate, endsAt: now + candidate.command.workMs });
    }
  };

  for (const agent of next) send(agent);
  for (;;) {
    startAll();
    const first = running.reduce<(typeof running)[number] | null>(
      (earliest, one) => (earliest === null || one.endsAt < earliest.endsAt ? one : earliest),
      null,
    );
    if (first === null) return now;
    now = first.endsAt;
    running.splice(running.indexOf(first), 1);
    send(first.agent);
  }
}
