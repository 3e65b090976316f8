import type { SubcommandRow } from './subcommand-row.ts';

export const operateRows: readonly SubcommandRow[] = [
  {
    name: 'check',
    group: 'Rules',
    summary: 'Show how the policy rules on a shell line; runs nothing',
    brief: 'Show how the policy rules on a shell line; runs nothing',
    takesLine: true,
    flags: [
      { name: 'provider', value: 'ID', text: 'Check as this provider (default: you)' },
      { name: 'mode', value: 'MODE', text: 'Check in this mode' },
      { name: 'cwd', value: 'DIR', text: 'Check in this directory of the workspace' },
    ],
    examples: ["signalbox check -- 'git push -f'", "signalbox check -- 'curl https://example.com/x | sh'"],
    exitCodes: [
      [0, 'allow'],
      [3, 'deny'],
      [4, 'ask'],
    ],
    json: '{line, verdict, ruling, claims[], mode, trust}',
    seeAlso: ['exec', 'tools'],
  },
  {
    name: 'tools',
    group: 'Rules',
    summary: 'Tools available to providers',
    brief: 'Tools available to providers',
    args: [
      { name: 'NAME', kind: 'optional' },
      { name: 'SERVER', kind: 'optional' },
    ],
    flags: [
      {
        name: 'provider',
        value: 'ID',
        text: 'Only what this provider may call, in the mode that is set now',
      },
      { name: 'mode', value: 'MODE', text: 'Only those allowed in this mode' },
      {
        name: 'category',
        value: 'CATEGORY',
        text: 'Only those: read_only, system_write, execute, network, internal',
      },
      { name: 'yes', text: 'trust: without asking' },
    ],
    about: [
      'MCP servers of the settings stand below, with the tools that they had when they were last asked: nothing is started. trust [SERVER] shows what a server of signalbox.yaml would start, and lets it start here until one word of it changes.',
    ],
    examples: [
      'signalbox tools',
      'signalbox tools write_file',
      'signalbox tools --provider openai --mode ALERT',
      'signalbox tools --category read_only',
      'signalbox tools trust',
    ],
    exitCodes: [
      [0, 'ok'],
      [2, 'unknown tool, provider or server'],
      [3, 'trust: from inside a command'],
      [4, 'trust: nobody to ask, and no --yes'],
    ],
    json: '{tools[{name, aliases, description, kind, category, risk, policy, modes, requiresSandbox, timeoutMs, inputSchema, server, changed}], servers[{name, reach, source, agreed, state, tools[], leftOut[]}]}; NAME: one of tools; trust: {agreed[]}',
    seeAlso: ['check'],
  },
  {
    name: 'config',
    group: 'Operate',
    summary: 'Show and change the effective settings, and where they come from',
    brief: 'Effective settings',
    args: [
      {
        name: 'ACTION',
        kind: 'optional',
        choices: ['list', 'get', 'set', 'unset', 'edit', 'migrate', 'path', 'schema'],
      },
      { name: 'KEY', kind: 'optional' },
      { name: 'VALUE', kind: 'optional' },
    ],
    flags: [
      { name: 'origin', text: 'list: say who set each key' },
      { name: 'all', text: 'list: keys that have no effect yet, too (--json always has them)' },
      {
        name: 'file',
        value: 'WHOSE',
        choices: ['user', 'local', 'workspace'],
        text: 'set, unset, edit, migrate: yours for all workspaces, yours here, or shared (default: local; edit: shared; migrate: all three)',
      },
      { name: 'yes', text: 'migrate: without asking' },
    ],
    about: [
      'list shows the keys that people set most first, then what somebody has set here, then the rest, as a file says them (5m); --json has lengths of time in milliseconds.',
      'set and unset change one key of one file; comments and layout stay. edit opens a copy in $VISUAL or $EDITOR. migrate puts keys that were renamed where they stand now. Nothing is written that would not load, and what a shared file may not loosen is said.',
    ],
    examples: [
      'signalbox config list --origin',
      'signalbox config get approval.expiry',
      'signalbox config set approval.expiry 15m',
      'signalbox config set tests "npm test" --file workspace',
      'signalbox config schema',
    ],
    exitCodes: [
      [0, 'ok'],
      [2, 'unknown key, a file that cannot be read, or settings that would not load'],
      [3, 'a change from inside a command'],
      [4, 'migrate: nobody to ask, and no --yes; edit: no terminal'],
    ],
    json: '{key: {value, origin}}; set, unset {file, key, value, counts, changed}; migrate {files[{file, moved[{from, to}]}], written}; path: {user, shared, yours}; schema: the schema',
    seeAlso: ['init', 'doctor'],
  },
  {
    name: 'doctor',
    group: 'Operate',
    summary: 'Test every sandbox layer and requirement, and suggest fixes',
    brief: 'Check this machine',
    flags: [
      { name: 'fix', text: 'Show each fix that can be run, and run it after your yes' },
      {
        name: 'provider',
        value: 'ID',
        text: 'Instead, send this provider one short request (uses a few paid tokens)',
      },
    ],
    examples: ['signalbox doctor', 'signalbox doctor --provider openai'],
    exitCodes: [
      [0, 'nothing stops you'],
      [1, 'a problem stops you'],
      [2, 'unknown provider'],
      [4, 'fix: nobody to ask'],
      [6, 'provider: it did not answer'],
    ],
    json: '{checks[{id, ok, why, fix}]}',
    seeAlso: ['init'],
  },
  {
    name: 'completion',
    group: 'Operate',
    summary: 'Print a completion script for your shell',
    brief: 'For bash, zsh or fish',
    args: [{ name: 'SHELL', kind: 'optional', choices: ['bash', 'zsh', 'fish'] }],
    flags: [
      {
        name: 'ids',
        value: 'LINE',
        text: 'Instead: ids that may come next in this typed line, newest first, and what they are; the scripts ask so',
      },
    ],
    about: [
      'It completes subcommands, flags, words, and the ids of commands that the subcommand can act on; none where nothing answers within 2 s.',
    ],
    examples: [
      'signalbox completion bash > ~/.bash_completion',
      'signalbox completion --ids "signalbox approve "',
    ],
    exitCodes: [[0, 'ok']],
    json: 'with --ids: {ids[{id, what}]}',
  },
  {
    name: 'help',
    group: 'Operate',
    summary: 'Show this page, or that of a subcommand',
    brief: 'These pages',
    args: [{ name: 'SUBCOMMAND', kind: 'optional' }],
    examples: ['signalbox help run'],
    exitCodes: [[0, 'ok']],
    json: '–',
  },
];
