import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Claim, claimsConflict } from '../../leases/claim.ts';
import type { CommandId, ProviderId } from '../../id.ts';
import type { QueueEntry, Scheduler } from '../../ports/scheduler.ts';
import { pathResource, Resource, treeResource, WORKSPACE } from '../../leases/resource.ts';
import { aCommandId, aProviderId } from '../builders.ts';
import type { SchedulerHarness, StartScheduler } from './scheduler-harness.ts';

/** Small, so that many wait only for a slot, and some are refused. */
const MAX_CONCURRENT = 3;
const MAX_QUEUE = 4;
const MAX_BLOCKERS = 20;

export function schedulerModelContract(start: StartScheduler, numRuns: number): void {
  test('after any steps the running and waiting commands are exactly those of the model (S003-88, U-08)', async () => {
    await expectModelKept(start, { numRuns });
  }, 120_000);
}

/**
 * Random histories of a queue, compared after every step with the model. Throws at the first difference; with a `seed`
 * they are the same each time, and no shorter one is searched.
 */
export async function expectModelKept(
  start: StartScheduler,
  options: { readonly numRuns: number; readonly seed?: number },
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(someWish, { maxLength: 40, size: 'max' }), async (wishes) => {
      const harness = await start({ maxConcurrent: MAX_CONCURRENT, maxQueuePerProvider: MAX_QUEUE });
      try {
        const model = createModel();
        for (const [index, wish] of wishes.entries()) {
          const step = stepOf(wish, aCommandId(`c${index}`), model.state());
          if (step === undefined) continue;
          expect(await take(step, harness.scheduler)).toBe(model.take(step));
          await harness.settle();
          expect(await stateOf(harness)).toEqual(model.state());
        }
      } finally {
        await harness.close();
      }
    }),
    { ...options, endOnFailure: options.seed !== undefined },
  );
}

type Wish =
  | { readonly kind: 'enqueue'; readonly entry: Omit<QueueEntry, 'commandId'> }
  | { readonly kind: 'finish' | 'cancel'; readonly which: number };

type Step =
  | { readonly kind: 'enqueue'; readonly entry: QueueEntry }
  | { readonly kind: 'finish' | 'cancel'; readonly commandId: CommandId };

/** Running commands in any order; waiting ones in order, with what they wait for. */
type State = {
  readonly running: readonly CommandId[];
  readonly waiting: readonly { readonly commandId: CommandId; readonly blockers: readonly CommandId[] }[];
};

/** The scheduler's answer to a step. */
async function take(step: Step, scheduler: Scheduler): Promise<string | boolean | undefined> {
  switch (step.kind) {
    case 'enqueue':
      return (await scheduler.enqueue(step.entry)).kind;
    case 'cancel':
      return scheduler.cancel(step.commandId);
    case 'finish': {
      const { leases } = await scheduler.snapshot();
      const lease = leases.find(({ commandId }) => commandId === step.commandId);
      return lease === undefined ? undefined : scheduler.release(lease.leaseId).then(() => true);
    }
  }
}

/** The step for a wish, if there is a command that it can affect. */
function stepOf(wish: Wish, commandId: CommandId, { running, waiting }: State): Step | undefined {
  if (wish.kind === 'enqueue') return { kind: 'enqueue', entry: { ...wish.entry, commandId } };
  const among = wish.kind === 'finish' ? running : waiting.map((entry) => entry.commandId);
  const chosen = among[wish.which % among.length];
  return chosen === undefined ? undefined : { kind: wish.kind, commandId: chosen };
}

async function stateOf({ scheduler }: SchedulerHarness): Promise<State> {
  const { leases, waiting } = await scheduler.snapshot();
  return {
    running: leases.map(({ commandId }) => commandId).toSorted(),
    waiting: waiting.map(({ commandId, blockers }) => ({ commandId, blockers })),
  };
}

/** The share of a provider that holds a lease or waits for a slot. */
type Share = { turn: number };

/**
 * The definition: an entry is blocked while an earlier unfinished one conflicts with it. One that needs no slot runs as
 * soon as it is not blocked. A free slot goes to one of the other unblocked entries: by priority, then to the provider
 * that holds the fewest leases, then to the one whose turn is the longest ago, then by arrival.
 */
function createModel() {
  let members: { readonly entry: QueueEntry; running: boolean }[] = [];
  /** Forgotten when a provider holds nothing and waits for no slot. */
  let shares = new Map<ProviderId, Share>();
  let grants = 0;

  const blockersOf = (entry: QueueEntry): readonly CommandId[] => {
    const earlier = members.slice(
      0,
      members.findIndex((member) => member.entry === entry),
    );
    return earlier
      .filter((other) => claimsConflict(other.entry.claims, entry.claims))
      .map((other) => other.entry.commandId);
  };

  const leasesOf = (provider?: ProviderId): number =>
    members.filter(({ entry, running }) => running && (provider ?? entry.provider) === entry.provider).length;

  const run = (member: (typeof members)[number]): void => {
    grants += 1;
    member.running = true;
    shares.set(member.entry.provider, { turn: grants });
  };

  const fillSlots = (): void => {
    const mayRun = (placeless: boolean) =>
      members.filter(
        ({ entry, running }) =>
          !running && (entry.placeless ?? false) === placeless && blockersOf(entry).length === 0,
      );
    for (const member of mayRun(true)) run(member);
    while (leasesOf() < MAX_CONCURRENT) {
      const [next] = mayRun(false).toSorted(
        ({ entry: a }, { entry: b }) =>
          a.priority - b.priority ||
          leasesOf(a.provider) - leasesOf(b.provider) ||
          (shares.get(a.provider)?.turn ?? 0) - (shares.get(b.provider)?.turn ?? 0),
      );
      if (next === undefined) return;
      run(next);
    }
  };

  const forgetShares = (): void => {
    const known = members.filter(({ entry, running }) => running || entry.placeless !== true);
    const kept = new Set(known.map(({ entry }) => entry.provider));
    shares = new Map([...shares].filter(([provider]) => kept.has(provider)));
  };

  const enqueue = (entry: QueueEntry): 'granted' | 'waiting' | 'refused' => {
    const member = { entry, running: false };
    members.push(member);
    fillSlots();
    if (member.running) return 'granted';
    const waiting = members.filter(
      (other) => !other.running && !other.entry.placeless && other.entry.provider === entry.provider,
    );
    if (entry.placeless === true) return 'waiting';
    if (waiting.length > MAX_QUEUE) {
      members.pop();
      return 'refused';
    }
    if (!shares.has(entry.provider)) shares.set(entry.provider, { turn: grants });
    return 'waiting';
  };

  return {
    take(step: Step): string | boolean {
      if (step.kind === 'enqueue') return enqueue(step.entry);
      members = members.filter(({ entry }) => entry.commandId !== step.commandId);
      forgetShares();
      fillSlots();
      return true;
    },
    state(): State {
      return {
        running: members
          .filter(({ running }) => running)
          .map(({ entry }) => entry.commandId)
          .toSorted(),
        waiting: members
          .filter(({ running }) => !running)
          .map(({ entry }) => ({
            commandId: entry.commandId,
            blockers: blockersOf(entry).slice(0, MAX_BLOCKERS),
          })),
      };
    },
  };
}

const someResource = fc.constantFrom<Resource[]>(
  WORKSPACE,
  treeResource('src'),
  treeResource('src/deep'),
  pathResource('src/a.ts'),
  pathResource('src/deep/b.ts'),
  pathResource('docs/c.md'),
  Resource.parse('git:index'),
  Resource.parse('net'),
);

const someClaim: fc.Arbitrary<Claim> = fc.record({
  resource: someResource,
  access: fc.constantFrom('read', 'write'),
});

const someWish: fc.Arbitrary<Wish> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('enqueue' as const),
      entry: fc.record({
        provider: fc.constantFrom('anthropic', 'openai', 'local').map((name) => aProviderId(name)),
        claims: fc.oneof(fc.constant([]), fc.array(someClaim, { minLength: 1, maxLength: 3 })),
        priority: fc.integer({ min: 0, max: 2 }),
        placeless: fc.nat(4).map((number) => number === 0),
      }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('finish' as const), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(20) }) },
);
