import { benchRow } from './bench-row.ts';
import { coordinatorRows } from './coordinator-rows.ts';
import { decideRows } from './decide-rows.ts';
import { operateRows } from './operate-rows.ts';
import { pastRows } from './past-rows.ts';
import { ruleRows } from './rule-rows.ts';
import { seeRows } from './see-rows.ts';
import { serveRows } from './serve-rows.ts';
import { sessionRows } from './session-rows.ts';
import { startRows } from './start-rows.ts';
import type { Flag, SubcommandRow } from './subcommand-row.ts';

/** Every subcommand. Help, completion, docs/cli.md and the parser are generated from it. */
export const subcommandTable: readonly SubcommandRow[] = [
  ...startRows,
  ...sessionRows,
  ...seeRows,
  ...pastRows,
  ...decideRows,
  ...ruleRows,
  ...operateRows,
  ...serveRows,
  ...coordinatorRows,
  benchRow,
];

/** Started by the program itself: in no help and no completion. */
export const hiddenRows: readonly SubcommandRow[] = [
  {
    name: 'coordinator',
    group: 'Operate',
    summary: 'Lead this workspace in the background, for clients on its socket',
    brief: 'Lead this workspace in the background',
    examples: [],
    exitCodes: [],
    json: 'nothing',
  },
];

/** Flags that every subcommand takes, before or after its name. */
export const globalFlags: readonly Flag[] = [
  { name: 'directory', short: 'C', value: 'DIR', text: 'Work as if started in this directory' },
  { name: 'json', text: 'Print the answer as JSON' },
  { name: 'quiet', short: 'q', text: 'Only the answer, errors and prompts' },
  {
    name: 'verbose',
    short: 'v',
    text: 'Also show data sources, times and causes of errors; -vv: every event, and stacks of errors',
  },
  { name: 'color', value: 'WHEN', choices: ['auto', 'always', 'never'], text: 'When to use colour' },
  { name: 'ascii', text: 'Print only ASCII' },
  { name: 'no-input', text: 'No prompts; where one is needed, exit with 4' },
  { name: 'help', short: 'h', text: 'Show help' },
  { name: 'version', text: 'Show the version' },
];

export function findRow(name: string): SubcommandRow | undefined {
  return subcommandTable.find((row) => row.name === name);
}

/** The groups of the help; names in one entry share a line. */
export const helpGroups: readonly (readonly [group: string, lines: readonly (readonly string[])[]])[] = [
  ['Start', [['init'], ['demo'], ['run'], ['attach'], ['say'], ['compress'], ['exec'], ['connect']]],
  [
    'See',
    [
      ['watch'],
      ['status'],
      ['commands', 'queue'],
      ['output', 'leases'],
      ['diff', 'stats'],
      ['history', 'audit'],
      ['sessions'],
    ],
  ],
  ['Decide', [['approve', 'deny'], ['answer'], ['cancel', 'undo'], ['review'], ['mode']]],
  ['Rules', [['check'], ['policy'], ['rules'], ['network'], ['tools'], ['filter']]],
  [
    'Operate',
    [
      ['serve'],
      ['stop', 'logs'],
      ['worker'],
      ['mcp'],
      ['dashboard', 'token'],
      ['config', 'doctor'],
      ['bench', 'cache'],
      ['forget'],
      ['completion', 'help'],
    ],
  ],
];
