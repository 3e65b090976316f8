import { duration } from '@signalbox/api';
import type { CommandStore, Event } from '@signalbox/core';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { type CommandSeen, commandsSeen } from './commands-seen.ts';
import { answersAfterMs } from './scripted-person.ts';
import { TESTS } from './shop.ts';

/** The demo's first lines. */
export function openingLines(workspace: string, unconfined: boolean): readonly Line[] {
  const isolation: readonly Line[] = unconfined
    ? [line(as('warn', 'No sandbox works here'), ': commands run without one, in that folder only.')]
    : [];
  return [
    line(as('bold', 'Three scripted providers: no model calls, no keys, no network.')),
    line(muted('A real workspace, real commands, the real queue and sandbox:')),
    line(muted(`  ${workspace}`)),
    ...isolation,
  ];
}

/** Captions: one for each scene, once it has just happened. */
export type Captions = (event: Event) => Promise<readonly Line[]>;

/** @param store Provides the diff of the stale write, which no event carries. */
export function createCaptions(store: Pick<CommandStore, 'get'>, fast: boolean): Captions {
  const events: Event[] = [];
  const shown = new Set<string>();
  return async (event) => {
    events.push(event);
    if (event.type === 'command_output' || !('commandId' in event)) return [];
    const commands = commandsSeen(events);
    const captions = SCENES.filter(({ name, isSeen }) => !shown.has(name) && isSeen(commands));
    const lines: Line[] = [];
    for (const { name, tell } of captions) {
      shown.add(name);
      lines.push(...tell(commands, fast));
      if (name !== 'stale write') continue;
      const failure = (await store.get(event.commandId))?.result?.failure;
      lines.push(...changedLines(failure?.why ?? []));
    }
    return lines;
  };
}

type Seen = readonly CommandSeen[];
type Caption = {
  readonly name: string;
  readonly isSeen: (commands: Seen) => boolean;
  readonly tell: (commands: Seen, fast: boolean) => readonly Line[];
};

const CART = 'write_file src/cart.ts';

const note = (text: string): Line => line(as('accent', '  » '), text);
/** `» ✓✓✓✗✗✗✗✗✗  3 of 9 tests pass` */
const testsLine = (passed: number): Line =>
  line(
    as('accent', '  » '),
    as('ok', '✓'.repeat(passed)),
    as('danger', '✗'.repeat(TESTS - passed)),
    `  ${passed} of ${TESTS} tests pass`,
  );
const done = (commands: Seen, tool: string): Seen =>
  commands.filter((command) => command.tool === tool && command.outcome === 'completed');
const reusedTests = (commands: Seen): CommandSeen | undefined =>
  commands.find(({ tool, reusedFrom }) => tool === 'run_tests' && reusedFrom !== null);
const asked = (commands: Seen): CommandSeen | undefined =>
  commands.find(({ tool, types }) => tool === 'bash' && types.has('approval_requested'));

const SCENES: readonly Caption[] = [
  {
    name: 'reads run together',
    isSeen: (commands) => done(commands, 'read_file').length >= 6,
    tell: (commands) => {
      const running = commands.some(({ tool, endedAt }) => tool === 'run_tests' && endedAt === null);
      return running ? [note('6 reads and a test run at once, nothing waits')] : [];
    },
  },
  {
    name: 'red',
    isSeen: (commands) =>
      commands.some(
        ({ tool, tests, endedAt }) =>
          tool === 'run_tests' && endedAt !== null && tests !== null && tests.failed > 0,
      ),
    tell: ([first]) => [testsLine(TESTS - (first?.tests?.failed ?? TESTS))],
  },
  {
    name: 'tests run once',
    isSeen: (commands) => reusedTests(commands) !== undefined,
    tell(commands) {
      const { provider, reusedFrom, endedAt } = reusedTests(commands) ?? {};
      if (reusedFrom == null) return [];
      const age = duration(Math.max(0, (endedAt ?? reusedFrom.endedAt) - reusedFrom.endedAt));
      return [
        note(`${provider} asks for the same tests: not run again, this tree was tested ${age} ago,`),
        line('    ', `run by ${reusedFrom.provider} in ${duration(reusedFrom.durationMs)}`),
      ];
    },
  },
  {
    name: 'two files',
    isSeen: (commands) => done(commands, 'write_file').length >= 2,
    tell: () => [note('two writers, two files: neither waits for the other')],
  },
  {
    name: 'blocked',
    isSeen: (commands) => commands.some(({ outcome }) => outcome === 'blocked'),
    tell: () => [note('blocked: no approval possible, nothing ran, the provider gets the reason')],
  },
  {
    name: 'one waits for another',
    isSeen: (commands) =>
      commands.filter(({ title, blockers }) => title === CART && blockers.length > 0).length >= 2,
    tell(commands) {
      const [first, second] = commands.filter(({ title }) => title === CART);
      const holder = commands.find(({ id }) => first?.blockers.includes(id));
      return [
        note(`${holder?.provider} ${holder?.title} holds the workspace to read`),
        line(muted('    └ '), `${first?.provider} ${first?.title} waits for it`),
        line(muted('      └ '), `${second?.provider} ${second?.title} waits behind both`),
      ];
    },
  },
  {
    name: 'stale write',
    isSeen: (commands) => commands.some(({ rule }) => rule === 'stale-write'),
    tell: () => [note('stale write rejected: openai had read the cart before anthropic wrote it')],
  },
  {
    name: 'redone',
    isSeen(commands) {
      const stale = commands.findIndex(({ rule }) => rule === 'stale-write');
      return stale >= 0 && done(commands.slice(stale), 'write_file').some(({ title }) => title === CART);
    },
    tell: () => [note("redone on anthropic's version: both changes are in")],
  },
  {
    name: 'an approval',
    isSeen: (commands) => asked(commands) !== undefined,
    tell: (_commands, fast) => [
      note(`You can answer; after ${answersAfterMs(fast) / 1000} s the demo's scripted person does`),
      line(muted('    (a real approval stays open for 30 minutes, and longer while you are away)')),
    ],
  },
  {
    name: 'green',
    isSeen: (commands) => commands.some(({ tests }) => tests?.passed === TESTS && tests.failed === 0),
    tell: () => [testsLine(TESTS)],
  },
];

/** The removed and added lines, without context. */
function changedLines(why: readonly string[]): readonly Line[] {
  return why
    .filter((text) => /^[+-]/.test(text))
    .slice(0, 4)
    .map((text) => line('    ', as(text.startsWith('+') ? 'ok' : 'danger', text)));
}
