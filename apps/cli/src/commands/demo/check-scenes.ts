import type { Event } from '@signalbox/core';
import { type CommandSeen, commandsSeen } from './commands-seen.ts';
import { TESTS } from './shop.ts';

export type Scene = {
  readonly scene:
    | 'reads run together'
    | 'tests run once'
    | 'a blocked line'
    | 'one waits for another'
    | 'stale write'
    | 'redone'
    | 'an approval'
    | 'green';
  readonly happened: boolean;
  /** What the log shows, for people: what happened, or what is missing. */
  readonly facts: readonly string[];
};

const CART = 'write_file src/cart.ts';

/** Whether every scene of the demo really happened, judged only by its event log. Pure. */
export function checkScenes(events: readonly Event[]): readonly Scene[] {
  const commands = commandsSeen(events);
  return [
    readsTogether(commands),
    testsOnce(commands),
    blockedLine(commands),
    oneWaits(commands),
    staleWrite(commands),
    redone(commands),
    anApproval(commands),
    green(commands),
  ];
}

/** Six reads by three providers ended before the first test run, and none of them waited. */
function readsTogether(commands: readonly CommandSeen[]): Scene {
  const tests = commands.find(({ tool }) => tool === 'run_tests');
  const reads = commands.filter(
    (command) =>
      command.tool === 'read_file' &&
      command.outcome === 'completed' &&
      tests?.endedAt != null &&
      command.endedAt !== null &&
      command.endedAt <= tests.endedAt,
  );
  const waited = [...reads, ...(tests === undefined ? [] : [tests])].filter(
    ({ blockers }) => blockers.length > 0,
  );
  const providers = new Set(reads.map(({ provider }) => provider));
  return {
    scene: 'reads run together',
    happened: reads.length >= 6 && providers.size === 3 && waited.length === 0,
    facts: [
      `${reads.length} reads of ${providers.size} providers ended before the first test run did`,
      waited.length === 0 ? 'no read waited' : `${waited.length} of them waited for others`,
    ],
  };
}

/** A second provider's tests on the same tree did not run again. */
function testsOnce(commands: readonly CommandSeen[]): Scene {
  const reused = commands.find(({ tool, reusedFrom }) => tool === 'run_tests' && reusedFrom !== null);
  return {
    scene: 'tests run once',
    happened: reused !== undefined && reused.reusedFrom?.provider !== reused.provider,
    facts: [
      reused === undefined
        ? 'every test run was executed'
        : `${reused.provider} got the result of ${reused.reusedFrom?.provider}`,
    ],
  };
}

/** The line was blocked without an approval, and it never ran. */
function blockedLine(commands: readonly CommandSeen[]): Scene {
  const line = commands.find(({ tool, outcome }) => tool === 'bash' && outcome === 'blocked');
  const ran = line !== undefined && line.types.has('command_started');
  const asked = line !== undefined && line.types.has('approval_requested');
  return {
    scene: 'a blocked line',
    happened: line !== undefined && !ran && !asked,
    facts: line === undefined ? ['no shell line was blocked'] : [`${line.provider}: ${line.message ?? ''}`],
  };
}

/** Two writers of one file waited for the test run, and were granted in order of arrival. */
function oneWaits(commands: readonly CommandSeen[]): Scene {
  const [first, second] = commands.filter(({ title }) => title === CART);
  const holder = commands.find(
    ({ id, tool }) => tool === 'run_tests' && first !== undefined && first.blockers.includes(id),
  );
  const secondWaited = first !== undefined && second !== undefined && second.blockers.includes(first.id);
  const inOrder =
    first?.fencingToken != null && second?.fencingToken != null && first.fencingToken < second.fencingToken;
  return {
    scene: 'one waits for another',
    happened: holder !== undefined && secondWaited && inOrder,
    facts: [
      holder === undefined
        ? 'the first write of src/cart.ts did not wait for a test run'
        : `${first?.provider} waited ${first?.waitedMs} ms for ${holder.provider}'s run_tests`,
      secondWaited
        ? `${second?.provider} waited ${second?.waitedMs} ms behind ${first?.provider}`
        : 'the second write of src/cart.ts did not wait for the first',
      inOrder ? 'granted in arrival order' : 'not granted in arrival order',
    ],
  };
}

function staleOf(commands: readonly CommandSeen[]): CommandSeen | undefined {
  return commands.find(
    ({ title, outcome, rule }) => title === CART && outcome === 'conflict' && rule === 'stale-write',
  );
}

function staleWrite(commands: readonly CommandSeen[]): Scene {
  const stale = staleOf(commands);
  return {
    scene: 'stale write',
    happened: stale !== undefined,
    facts: [stale === undefined ? 'no stale write was rejected' : `${stale.provider}'s write of src/cart.ts`],
  };
}

/** The same provider read the file again and then wrote it. */
function redone(commands: readonly CommandSeen[]): Scene {
  const stale = staleOf(commands);
  const after = stale === undefined ? [] : commands.slice(commands.indexOf(stale) + 1);
  const own = after.filter(
    ({ provider, outcome }) => provider === stale?.provider && outcome === 'completed',
  );
  const read = own.findIndex(({ title }) => title === 'read_file src/cart.ts');
  const written = own.findIndex(({ title }) => title === CART);
  const happened = read >= 0 && written > read;
  return {
    scene: 'redone',
    happened,
    facts: [
      happened ? `${stale?.provider} read src/cart.ts again and wrote it` : 'no stale write was redone',
    ],
  };
}

/** A person, not a rule, approved it and it ran, or denied it and it did not. */
function anApproval(commands: readonly CommandSeen[]): Scene {
  const asked = commands.find(
    ({ tool, types, outcome }) => tool === 'bash' && types.has('approval_requested') && outcome !== 'blocked',
  );
  if (asked === undefined)
    return { scene: 'an approval', happened: false, facts: ['no approval was requested'] };
  const { approvedBy, outcome, title, types } = asked;
  const granted = approvedBy !== null && approvedBy !== 'auto' && outcome === 'completed';
  const refused = outcome === 'denied' && !types.has('command_started');
  const answer = granted
    ? `approved by ${approvedBy.name} and run`
    : refused
      ? 'denied, not run'
      : 'not answered';
  return { scene: 'an approval', happened: granted || refused, facts: [`${title}: ${answer}`] };
}

function green(commands: readonly CommandSeen[]): Scene {
  const last = commands.findLast(({ tool, tests }) => tool === 'run_tests' && tests !== null);
  const passed = last?.tests?.passed ?? 0;
  return {
    scene: 'green',
    happened: last?.outcome === 'completed' && passed === TESTS && last.tests?.failed === 0,
    facts: [`${passed} of ${TESTS} tests pass`],
  };
}
