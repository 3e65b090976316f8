import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A call of one of our tools, and what the model has to read of its answer. */
export type Scenario = Readonly<{
  /** What the model reads, in words. */
  name: string;
  tool: string;
  /** @param last id of the command that the previous answer names */
  args: (last: string) => object;
  reads: readonly (string | RegExp)[];
  /** Runs just before the model makes the call. */
  before?: () => void;
}>;

/** The scripted answer to an approval with that title; `undefined`: none for now. */
export type PersonAnswer = (title: string) => { readonly refuse?: string } | undefined;

export type ScriptPlayer = Readonly<{
  /** Files of the workspace before the agent starts. */
  files: Readonly<Record<string, string>>;
  scenarios: readonly Scenario[];
  answer: PersonAnswer;
}>;

/** For each kind of answer, a random word that occurs nowhere else has to reach the model. */
export function writePlay(workspaceOf: () => string): ScriptPlayer {
  const word = () => randomUUID().replaceAll('-', '');
  const [read, out, error, reason, before, since, head, middle, tail] = Array.from({ length: 9 }, word);
  const numbers = (from: number): string =>
    Array.from({ length: 5000 }, (_, at) => `line ${from + at}\n`).join('');
  let isWaitedFor = false;
  return {
    files: {
      'read.txt': `${read}\n`,
      'out.txt': `${out}\n`,
      'error.txt': `${error}\n`,
      'stale.txt': `${before}\n`,
      'long.txt': `${head}\n${numbers(1)}in the middle: ${middle}\n${numbers(6001)}${tail}\n`,
    },
    scenarios: [
      { name: 'a file', tool: 'read_file', args: () => ({ path: 'read.txt' }), reads: [`${read}`] },
      {
        name: 'that an approved call ran',
        tool: 'bash',
        args: () => ({ line: 'cat read.txt > ours.txt' }),
        reads: [/· completed · exit code 0 · changed: ours\.txt \(created\)/],
      },
      {
        name: 'both streams and the exit code of a failure',
        tool: 'bash',
        args: () => ({ line: 'cat out.txt; cat error.txt >&2; exit 3' }),
        reads: [`${out}`, `${error}`, 'exit code 3'],
      },
      {
        name: 'why a person refused',
        tool: 'bash',
        args: () => ({ line: 'touch refused.txt' }),
        reads: [`${reason}`, '· denied'],
      },
      { name: 'a second file', tool: 'read_file', args: () => ({ path: 'stale.txt' }), reads: [`${before}`] },
      {
        name: 'what changed under a stale write',
        tool: 'edit_file',
        args: () => ({ path: 'stale.txt', oldText: `${before}`, newText: 'mine' }),
        before: () => writeFileSync(join(workspaceOf(), 'stale.txt'), `${since}\n`),
        reads: [`${since}`, '· conflict'],
      },
      {
        name: 'head and tail of long output',
        tool: 'bash',
        args: () => ({ line: 'cat long.txt' }),
        reads: [`${head}`, `${tail}`, /left out here · read on: signalbox_read_output /],
      },
      {
        name: 'the rest of it',
        tool: 'read_output',
        args: (last) => ({ command: last, stream: 'stdout', search: 'in the middle' }),
        reads: [`${middle}`],
      },
      {
        name: 'what a call waits for',
        tool: 'bash',
        args: () => ({ line: 'touch waits.txt' }),
        reads: [
          /command cmd_\w+ · waiting · for a person/,
          'signalbox approve',
          'in the dashboard: `signalbox dashboard`',
        ],
      },
      {
        name: 'how it ended',
        tool: 'wait',
        args: (last) => ({ command: last }),
        before: () => {
          isWaitedFor = true;
        },
        reads: [/· completed · exit code 0 · changed: waits\.txt \(created\)/],
      },
    ],
    answer(title) {
      if (title.includes('refused.txt')) return { refuse: `${reason}` };
      if (title.includes('waits.txt') && !isWaitedFor) return undefined;
      return {};
    },
  };
}

/** The parts that the model did not read. */
export function unreadOf({ reads }: Scenario, request: string): readonly string[] {
  return reads
    .filter((wanted) => (typeof wanted === 'string' ? !request.includes(wanted) : !wanted.test(request)))
    .map(String);
}
