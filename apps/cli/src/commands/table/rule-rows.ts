import type { SubcommandRow } from './subcommand-row.ts';

export const ruleRows: readonly SubcommandRow[] = [
  {
    name: 'policy',
    group: 'Rules',
    summary: 'Explain, test and check the policy, and replay recorded commands against a draft',
    brief: 'Explain, test, check, replay, judge, import',
    args: [
      {
        name: 'ACTION',
        kind: 'required',
        choices: ['explain', 'test', 'check', 'replay', 'judge', 'import'],
      },
      { name: 'WHAT', kind: 'optional' },
    ],
    takesLine: true,
    flags: [
      { name: 'trace', text: 'explain: show every rule, matching or not' },
      { name: 'provider', value: 'ID', text: 'explain: for a call of this provider (default: you)' },
      { name: 'mode', value: 'MODE', text: 'explain: in this mode' },
      { name: 'cwd', value: 'DIR', text: 'explain: in this directory' },
      { name: 'rule', value: 'ID', text: 'test: only this rule' },
      { name: 'strict', text: 'check: exit with 1 on any warning' },
      { name: 'since', value: 'TIME', text: 'replay: commands of this time, such as 7d (default: 7d)' },
      {
        name: 'with',
        value: 'FILE',
        text: 'replay: the draft of signalbox.yaml, if WHAT does not name it',
      },
      {
        name: 'only',
        value: 'KIND',
        choices: ['changed', 'flips', 'looser', 'stricter', 'allow', 'ask', 'deny'],
        text: 'replay: list and fail on changes of this kind only (default: changed, all of them)',
      },
      { name: 'replay', value: 'N', text: 'judge: the last N recorded calls (default: 20)' },
      {
        name: 'attacks',
        text: 'judge: how many of 48 recorded attacks it allows, and how many of 12 harmless calls it refuses',
      },
      { name: 'watch', text: 'test: run again whenever a settings file changes, until Ctrl-C' },
      { name: 'from-file', value: 'FILE', text: 'import: the file to read, if not in its usual place' },
      { name: 'print', text: 'import: print the rules only (import never changes a file)' },
    ],
    about: [
      '`explain` ID or -- LINE shows which rule decides, in which file, and what would change the ruling. `test` runs the examples of every rule. `check [FILE]` finds rules that never decide, have expired, contradict each other or name an unknown tool. `replay FILE` checks recorded commands against a draft, each in its original mode, and lists every ruling that changes. `judge` asks the provider of `tools.adversarial_policy` about the latest recorded calls and lists those that it would have refused, with the cost; with `--attacks` it measures how often that provider is talked into allowing a call, and how often it refuses a harmless one. It runs nothing. `import claude-code|codex|gemini` prints the rules of another agent as Signalbox rules.',
    ],
    examples: [
      'signalbox policy explain @last',
      "signalbox policy explain --trace -- 'git push -f'",
      'signalbox policy replay --since 7d signalbox.new.yaml',
      'signalbox policy judge --replay 50',
      'signalbox policy judge --attacks',
      'signalbox policy import claude-code',
    ],
    exitCodes: [
      [0, 'ok'],
      [
        1,
        'an example fails, a ruling changes, a call would be refused, an attack passes, or a warning with --strict',
      ],
      [2, 'unknown id, or a file that cannot be read'],
    ],
    json: 'explain {title, verdict, ruling, rules[], changes[], proposal, mode, failure|null}; test {passed, failed[]}; check {problems[]}; replay {same, flips, changed[{command, was, now, turn}]}; judge {judged, requests, costUsd, refused[{command, decision}]}; judge --attacks {provider, attacks, passed[{line, technique, reason}], techniques[{technique, allowed, of}], harmless, refused[{line, reason}], requests, costUsd}; import {rules[], skipped[{rule, why}]}',
    seeAlso: ['check', 'rules'],
  },
  {
    name: 'rules',
    group: 'Rules',
    summary: 'List, add and remove your rules, trust those of the repository, switch presets',
    brief: 'List, add, remove, trust, reads',
    args: [
      { name: 'ACTION', kind: 'optional', choices: ['list', 'add', 'remove', 'trust', 'reads'] },
      { name: 'ID', kind: 'optional' },
    ],
    takesLine: true,
    flags: [
      {
        name: 'ruling',
        value: 'RULING',
        choices: ['allow', 'ask', 'deny'],
        text: 'add: ruling of the rule (default: allow)',
      },
      { name: 'because', value: 'TEXT', text: 'add: reason, shown to people and providers' },
      { name: 'expires', value: 'TIME', text: 'add: lifetime, such as 1d' },
      {
        name: 'file',
        value: 'WHOSE',
        choices: ['user', 'local', 'workspace'],
        text: 'add, remove: yours for all workspaces, yours here, or shared (default: local)',
      },
      { name: 'unused', value: 'TIME', text: 'list: only rules that decided nothing in this time' },
      { name: 'yes', text: 'trust, reads: skip the confirmation' },
    ],
    about: [
      '`add -- LINE` makes a rule for the program and arguments of a shell line, as narrow as the line, shows it and writes it. `trust` shows the allow rules in the repository. They take effect after you confirm, until one of them changes.',
      '`reads` shows the preset for read-only shell lines of tools you are logged in to: `gh pr view`, `kubectl get pods`, `docker ps`. It is off by default. `reads on` shows what that allows, asks, and writes it into .signalbox/local.yaml; `reads off` turns it off.',
    ],
    examples: [
      'signalbox rules',
      "signalbox rules add --expires 30d -- 'npm install'",
      "signalbox rules add --ruling deny -- 'npm publish'",
      'signalbox rules trust',
      'signalbox rules reads on',
    ],
    exitCodes: [
      [0, 'ok'],
      [2, 'unknown rule, or no rule can be made for this line'],
      [3, 'from inside a command'],
      [4, 'trust, reads on: no terminal to confirm on and no --yes, or not confirmed'],
    ],
    json: '{rules[{id, ruling, approvers, source, list, layer, trusted, ends, hits, lastHitAt}]}; add {file, rule}; remove {file, removed}; trust {trusted[]}; reads {reads, logins[{tool, opens, hosts[], examples}]}; reads on, off {reads, changed, file}',
    seeAlso: ['policy', 'check'],
  },
  {
    name: 'network',
    group: 'Rules',
    summary: 'Show which hosts this project needs, and allow them once',
    brief: 'List, allow, forget',
    args: [
      { name: 'ACTION', kind: 'optional', choices: ['list', 'allow', 'forget'] },
      { name: 'WHAT', kind: 'any-number' },
    ],
    flags: [{ name: 'yes', text: 'allow: skip the confirmation' }],
    about: [
      'WHAT is packages (the registries that the project’s own files name, and the usual ones of its ecosystems), remotes (its git remotes, to fetch) or localhost:PORT (a server of this machine). A shell line that reaches only allowed hosts, and changes only the workspace in a transaction, runs without approval; the sandbox’s gate blocks all other hosts. Publishing, pushing, uploading and all other hosts still need approval.',
      'The list is written into .signalbox/local.yaml, which no provider can write. A registry that the repository adds later is a new host and needs approval.',
    ],
    examples: [
      'signalbox network',
      'signalbox network allow packages remotes',
      'signalbox network allow localhost:3000',
      'signalbox network forget packages',
    ],
    exitCodes: [
      [0, 'ok'],
      [2, 'a word that is none of these, or a file that cannot be changed'],
      [3, 'from inside a command'],
      [4, 'allow: no terminal to confirm on and no --yes, or not confirmed'],
    ],
    json: '{agreed, profiles[{profile, hosts[{source, host, pattern, from, isAgreed}], others[]}]}; allow, forget {agreed, changed, file}',
    seeAlso: ['rules', 'check', 'stats'],
  },
  {
    name: 'filter',
    group: 'Rules',
    summary: 'Show what a model would read of an output',
    brief: 'Try the filters of outputs',
    args: [
      { name: 'ACTION', kind: 'required', choices: ['test'] },
      { name: 'FILE', kind: 'required' },
    ],
    flags: [
      {
        name: 'line',
        value: 'LINE',
        text: 'The shell line that printed it (default: unknown; filters that recognise the output apply)',
      },
    ],
    about: [
      'Prints the output as a model would read it, by the filters of the settings and the built-in ones; what was left out is on standard error. FILE - reads standard input.',
    ],
    examples: [
      "signalbox filter test build.log --line 'make release'",
      "signalbox filter test - --line 'npm test'",
    ],
    exitCodes: [
      [0, 'ok'],
      [2, 'a file that cannot be read'],
    ],
    json: '{filtered: {filter, confidence, keptLines, lines, keptTokens, savedTokens} or null, text}',
    seeAlso: ['output', 'stats'],
  },
];
