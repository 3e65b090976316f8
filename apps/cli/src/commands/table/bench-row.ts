import { SCENARIOS } from '@signalbox/bench/scenario-names';
import type { SubcommandRow } from './subcommand-row.ts';

export const benchRow: SubcommandRow = {
  name: 'bench',
  group: 'Operate',
  summary: 'Load-test the coordination on this machine, and check that nothing is lost',
  brief: 'Load-test coordination',
  args: [
    {
      name: 'SCENARIO',
      kind: 'optional',
      choices: [...SCENARIOS, 'compare'],
    },
    { name: 'FILE', kind: 'any-number' },
  ],
  flags: [
    { name: 'agents', value: 'N', text: 'Simulated agents at work at once (default: 8)' },
    { name: 'files', value: 'M', text: 'Files they work on' },
    { name: 'hot', value: '10%', text: 'Share of commands that use one hot file' },
    { name: 'mix', value: 'R:W:S:G', text: 'Ratio of reads, writes, shell lines and commits' },
    { name: 'work', value: '20ms', text: 'How long a command works while it holds its leases' },
    { name: 'places', value: 'N', text: 'Commands that run at once (default: 8)' },
    { name: 'duration', value: '10s', text: 'Send no new commands after this time (default: 10s)' },
    { name: 'commands', value: 'N', text: 'Number of commands of all agents together' },
    { name: 'rate', value: 'N', text: 'Commands a second, whether or not earlier ones have finished' },
    {
      name: 'seed',
      value: 'N',
      text: 'Same seed, same commands (default: random, and printed)',
    },
    { name: 'door', value: 'DOOR', choices: ['in-process', 'http', 'mcp'], text: 'How agents connect' },
    { name: 'redis', value: 'URL', text: 'Keep the state in this Redis, under separate keys' },
    { name: 'volatile', text: 'Accept a Redis that loses its data when it stops' },
    {
      name: 'workers',
      value: 'K',
      text: 'With --redis: number of processes that lead the workspace (default: 1)',
    },
    {
      name: 'kill-rate',
      value: 'N',
      text: 'Number of these processes to kill a second; without --redis the only one, which is started again',
    },
    { name: 'member', value: 'FILE', text: 'Internal: run as one of these processes' },
    { name: 'bare', text: 'Write files without journal and fsync, to measure coordination alone' },
    {
      name: 'monitored',
      text: 'Also follow the run as watch and the dashboard do, and check what they show',
    },
    { name: 'no-baselines', text: 'Skip the comparison runs without Signalbox' },
    {
      name: 'report',
      value: 'FILE',
      text: 'Write a page with charts, lanes and a map of who waited for what',
    },
    { name: 'save', value: 'FILE', text: 'Write the report as JSON, for compare' },
  ],
  about: [
    'Works in a new temporary folder and touches nothing else. Simulated agents (deterministic per seed) drive a real server: policy, sandbox, files, audit log. Results are read from what the commands left behind: an append-only log, file contents, git history.',
    'A violated invariant is shown with its seed and the shortest schedule that still shows it. `bench compare` shows the ratios of two saved reports.',
  ],
  examples: [
    'signalbox bench',
    'signalbox bench hot-file --agents 50 --bare --duration 30s',
    'signalbox bench mixed --seed 1 --report bench.html --save a.json',
    'signalbox bench compare a.json b.json',
  ],
  exitCodes: [
    [0, 'all invariants hold'],
    [1, 'one does not'],
    [2, 'a flag that cannot be used, or no report'],
  ],
  json: 'the report: {options, numbers, outcomes, samples[], invariants[], baselines[], …}',
  seeAlso: ['doctor', 'stats'],
};
