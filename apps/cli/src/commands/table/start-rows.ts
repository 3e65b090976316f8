import { serverFlags } from './server-flags.ts';
import type { SubcommandRow } from './subcommand-row.ts';

export const startRows: readonly SubcommandRow[] = [
  {
    name: 'init',
    group: 'Start',
    summary: 'Set up this workspace',
    brief: 'Set up this workspace',
    args: [{ name: 'DIR', kind: 'optional' }],
    flags: [
      { name: 'print', text: 'Show what would be written; write nothing' },
      { name: 'force', text: 'Overwrite an existing signalbox.yaml' },
      { name: 'try-tests', text: 'Run the test line once in the sandbox, without asking' },
      {
        name: 'from',
        value: 'AGENT',
        choices: ['claude-code', 'codex', 'gemini'],
        text: "Import that agent's rules into .signalbox/local.yaml",
      },
      {
        name: 'preset',
        value: 'NAME',
        choices: ['spec-003'],
        text: 'Follow a specification to the letter: its settings go into signalbox.yaml',
      },
    ],
    about: [
      'Without DIR it sets up the root of the current git repository, or the current folder outside of one. Detects API keys in the environment, your test command and a working sandbox. Writes signalbox.yaml (shared), .signalbox/local.yaml (only yours) and a line in .gitignore.',
      'On a terminal it offers to run the test line once in the sandbox, and reports how long it took, how much memory it used and whether it lacked the network. If the memory limit is too small it proposes another one.',
      '`--preset spec-003` writes the settings of specification 003 where the defaults deviate from it: warnings need approval, a shell line is one command, and paths, memory and the commands that run at once are limited. docs/configuration.md lists what no setting gives.',
    ],
    examples: [
      'signalbox init',
      'signalbox init --print',
      'signalbox init --try-tests',
      'signalbox init --from claude-code',
      'signalbox init --preset spec-003',
    ],
    exitCodes: [
      [0, 'written'],
      [
        2,
        'signalbox.yaml already exists, the folder is inside another workspace, or the rules cannot be imported',
      ],
      [3, 'from inside a command'],
    ],
    json: '{workspace, providers[], tests, preset, isolation, trial{line, outcome, exitCode, message, durationMs, peakMemoryMb, needsNetwork, memory{allowedMb, proposedMb, isRaised}}, written[], imported{from, name, rules[], skipped[]}}; with --print: {workspace, providers[], tests, preset, written[], settings, local}',
    seeAlso: ['doctor', 'config'],
  },
  {
    name: 'demo',
    group: 'Start',
    summary: 'Watch a 30-second demo, no API keys needed',
    brief: 'Watch a 30-second demo, no API keys needed',
    flags: [
      { name: 'fast', text: 'No pauses' },
      { name: 'keep', text: 'Keep its folder (default)' },
      { name: 'no-keep', text: 'Remove its folder at the end' },
      {
        name: 'backend',
        value: 'WHERE',
        choices: ['embedded', 'redis'],
        text: 'Where it stores its state (default: embedded, in its own folder)',
      },
      { name: 'redis', value: 'URL', text: 'On that Redis (or --backend redis and SIGNALBOX_REDIS_URL)' },
      { name: 'volatile', text: 'Accept a Redis that loses its data when it stops' },
    ],
    about: [
      'Three scripted providers repair a small sample project in a temporary folder: a real workspace, real commands, the real sandbox. No model is called. The folder is kept and its path is printed. While the demo runs, status, watch, attach and stop work on it with -C PATH.',
    ],
    examples: ['signalbox demo', 'signalbox demo --fast', 'signalbox demo --redis redis://127.0.0.1:6379'],
    exitCodes: [
      [0, 'every scene happened'],
      [1, 'a scene did not happen'],
      [2, 'on Redis, but no address is given'],
      [6, 'Redis is unreachable, or git is missing'],
    ],
    json: 'events, one a line; last {"event":"run.ended", summary}',
    seeAlso: ['run'],
  },
  {
    name: 'run',
    group: 'Start',
    summary: 'Give a task to one or more providers',
    brief: 'Give a task to one or more providers',
    args: [{ name: 'TASK', kind: 'optional' }],
    flags: [
      {
        name: 'provider',
        short: 'p',
        value: 'ID[=TASK]',
        many: true,
        text: 'A provider to work on it, with its own task after = (default: every provider with a key)',
      },
      {
        name: 'until',
        value: 'LINE',
        text: 'Done when this shell line exits with 0 (default: tests of signalbox.yaml)',
      },
      {
        name: 'rounds',
        value: 'N',
        text: 'Run that line at most N times: after a failure all providers read it and continue (default: 3)',
      },
      {
        name: 'turns',
        value: 'N',
        text: 'Turns for each provider (default: 100); then a terminal offers 10 more',
      },
      { name: 'budget', value: 'USD', text: 'Limit in US dollars for all providers together' },
      {
        name: 'priority',
        value: 'N',
        text: 'Priority of its calls in the queue: 0 to 1000, 0 is served first (default: 100)',
      },
      {
        name: 'unconfined',
        text: 'Run commands without a sandbox if none works here; each of them then needs approval',
      },
    ],
    about: [
      'TASK may be - to read it from standard input; without one, it is asked for on a terminal. Every call of every provider is checked, queued, run in the sandbox and recorded. The run belongs to the coordinator of the workspace, started if none is running: it continues if you close the terminal or press d, and signalbox attach returns to it. i says something to its sessions. Ctrl-C asks whether to stop it; again: no new calls, running commands get 10 s; once more: stop them now. API keys are read from your environment, for this run only.',
    ],
    examples: [
      'signalbox run "Make the tests pass" -p openai -p anthropic --until "npm test"',
      'signalbox run "Repair the cart" -p openai -p deepseek="Review what it does"',
    ],
    exitCodes: [
      [0, 'the line of --until passed; without one, every session finished'],
      [1, 'it did not pass'],
      [3, 'denied'],
      [4, 'an approval was left pending'],
      [6, 'a provider could not be reached'],
      [7, "a command's outcome is unknown"],
      [8, 'budget used up'],
      [130, 'Ctrl-C'],
    ],
    json: 'first {"event":"run.started", run}; events, one a line; last {"event":"run.ended", summary}',
    seeAlso: ['attach', 'status', 'approve', 'output'],
  },
  {
    name: 'exec',
    group: 'Start',
    summary: 'Run one shell line yourself, under the same rules',
    brief: 'Run one shell line yourself, under the same rules',
    takesLine: true,
    flags: [
      { name: 'timeout', value: '60s', text: 'Stop after this time' },
      {
        name: 'priority',
        value: 'N',
        text: 'Priority in the queue: 0 to 1000, 0 is served first (default: 100)',
      },
      { name: 'no-wait', text: 'Exit without running if the line would have to queue or needs approval' },
      {
        name: 'stdin',
        short: 'i',
        text: 'Pass standard input to the line as a here-document; it is checked and recorded too',
      },
      {
        name: 'unconfined',
        text: 'Run it without a sandbox if none works here; it then needs approval. Only if no coordinator is running',
      },
      ...serverFlags,
    ],
    about: [
      'Run a shell line as provider "you": checked, queued, sandboxed and recorded like any other. The coordinator of the workspace runs it; one is started in the background if none is running.',
      'There is no flag to run as someone else: the audit log would then name the wrong author. To see the ruling for a provider: signalbox check --provider ID -- LINE.',
    ],
    examples: [
      'signalbox exec -- npm install',
      "signalbox exec --timeout 5m -- 'npm run build && npm test'",
      'git diff | signalbox exec -i -- wc -l',
    ],
    exitCodes: [
      ['0–255', "the line's own exit code, when it ran"],
      [5, 'ran, but its files were changed meanwhile: no changes kept'],
      [7, 'outcome unknown'],
      [124, 'timed out'],
      [125, 'did not run; the reason is on standard error'],
    ],
    json: '{command, outcome, exitCode, stdout, stderr, truncated}',
    seeAlso: ['check', 'output'],
  },
];
