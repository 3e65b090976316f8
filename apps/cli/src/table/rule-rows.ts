import type { SubcommandRow } from './subcommand-row.ts';

export const ruleRows: readonly SubcommandRow[] = [
  {
    name: 'policy',
    group: 'Rules',
    summary: 'Explain, test and check the policy, and try a draft on what was recorded',
    brief: 'Explain, test, check, replay, import',
    args: [
      { name: 'ACTION', kind: 'required', choices: ['explain', 'test', 'check', 'replay', 'import'] },
      { name: 'WHAT', kind: 'optional' },
    ],
    takesLine: true,
    flags: [
      { name: 'trace', text: 'explain: every rule, hit or not' },
      { name: 'provider', value: 'ID', text: 'explain: as if this provider asked (default: you)' },
      { name: 'mode', value: 'MODE', text: 'explain: as if this mode were set' },
      { name: 'cwd', value: 'DIR', text: 'explain: as if it ran in this directory' },
      { name: 'rule', value: 'ID', text: 'test: only this rule' },
      { name: 'strict', text: 'check: exit code 1 for every warning' },
      { name: 'since', value: 'TIME', text: 'replay: commands of this time, such as 7d (default: 7d)' },
      {
        name: 'with',
        value: 'FILE',
        text: 'replay: the draft of signalbox.yaml, where WHAT does not name it',
      },
      {
        name: 'only',
        value: 'KIND',
        choices: ['changed', 'flips', 'looser', 'stricter', 'allow', 'ask', 'deny'],
        text: 'replay: only flips of that kind are listed and fail (default: changed, all of them)',
      },
      { name: 'watch', text: 'test: again whenever a file of settings changes, until Ctrl-C' },
      { name: 'from-file', value: 'FILE', text: 'import: its file, where it is not in its usual place' },
      { name: 'print', text: 'import: print the rules and change nothing (it never changes a file)' },
    ],
    about: [
      'explain ID or -- LINE says which rule decides, where it stands, and what would change it. `test` runs the examples of every rule. `check [FILE]` finds rules that never decide, have expired, contradict each other or name an unknown tool. replay FILE judges recorded commands by a draft, each in the mode that it was judged in, and lists every ruling that flips. import claude-code|codex|gemini prints the rules of another program as rules of Signalbox.',
    ],
    examples: [
      'signalbox policy explain @last',
      "signalbox policy explain --trace -- 'git push -f'",
      'signalbox policy replay --since 7d signalbox.new.yaml',
      'signalbox policy import claude-code',
    ],
    exitCodes: [
      [0, 'ok'],
      [1, 'an example fails, a ruling flips, or a warning with --strict'],
      [2, 'unknown id, or a file that cannot be read'],
    ],
    json: 'explain {title, verdict, ruling, rules[], changes[], proposal, mode}; test {passed, failed[]}; check {problems[]}; replay {same, flips, changed[{command, was, now, turn}]}; import {rules[], skipped[{rule, why}]}',
    seeAlso: ['check', 'rules'],
  },
  {
    name: 'rules',
    group: 'Rules',
    summary: 'List, add and remove your rules, and trust those of the repository',
    brief: 'List, add, remove, trust',
    args: [
      { name: 'ACTION', kind: 'optional', choices: ['list', 'add', 'remove', 'trust'] },
      { name: 'ID', kind: 'optional' },
    ],
    takesLine: true,
    flags: [
      {
        name: 'ruling',
        value: 'RULING',
        choices: ['allow', 'ask', 'deny'],
        text: 'add: what it says (default: allow)',
      },
      { name: 'because', value: 'TEXT', text: 'add: why; people and providers read it' },
      { name: 'expires', value: 'TIME', text: 'add: it ends after this time, such as 1d' },
      {
        name: 'file',
        value: 'WHOSE',
        choices: ['user', 'local', 'workspace'],
        text: 'add, remove: yours for all workspaces, yours here, or shared (default: local)',
      },
      { name: 'unused', value: 'TIME', text: 'list: only rules that decided nothing for so long' },
      { name: 'yes', text: 'trust: without asking' },
    ],
    about: [
      'add -- LINE makes a rule of the program and the words of a shell line, as narrow as the line, shows it and writes it. `trust` shows the allow rules in the repository. They take effect after you confirm, until one of them changes.',
    ],
    examples: [
      'signalbox rules',
      "signalbox rules add --expires 30d -- 'npm install'",
      "signalbox rules add --ruling deny -- 'npm publish'",
      'signalbox rules trust',
    ],
    exitCodes: [
      [0, 'ok'],
      [2, 'unknown rule, or no rule can be made of it'],
      [3, 'from inside a command'],
      [4, 'trust: nobody to ask, and no --yes'],
    ],
    json: '{rules[{id, ruling, approvers, source, list, layer, trusted, ends, hits, lastHitAt}]}; add {file, rule}; remove {file, removed}; trust {trusted[]}',
    seeAlso: ['policy', 'check'],
  },
  {
    name: 'network',
    group: 'Rules',
    summary: 'Show which hosts this project needs, and agree to them once',
    brief: 'List, allow, forget',
    args: [
      { name: 'ACTION', kind: 'optional', choices: ['list', 'allow', 'forget'] },
      { name: 'WHAT', kind: 'any-number' },
    ],
    flags: [{ name: 'yes', text: 'allow: without asking' }],
    about: [
      'WHAT is packages (the registries that the project’s own files name, and the usual ones of its ecosystems), remotes (its git remotes, to fetch) or localhost:PORT (a server of this machine). A shell line that reaches only hosts you agreed to, and changes only the workspace in a transaction, runs without a question; the sandbox’s gate lets it out to no other host. Publishing, pushing, uploading and every other host ask as before.',
      'The list is written into .signalbox/local.yaml, which no provider can write. A registry that the repository adds later is a new host: it asks.',
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
      [4, 'allow: nobody to ask and no --yes, or not agreed to'],
    ],
    json: '{agreed, profiles[{profile, hosts[{source, host, pattern, from, isAgreed}], others[]}]}; allow, forget {agreed, changed, file}',
    seeAlso: ['rules', 'check', 'stats'],
  },
];
