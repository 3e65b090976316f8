import { filterFlags, pageFlags } from './list-flags.ts';
import { serverFlags } from './server-flags.ts';
import type { SubcommandRow } from './subcommand-row.ts';

/** Past activity. */
export const pastRows: readonly SubcommandRow[] = [
  {
    name: 'diff',
    group: 'See',
    summary: 'Changes of one command, or of all, as a unified diff',
    brief: 'File changes by command',
    args: [{ name: 'ID', kind: 'optional', commands: 'changing' }],
    flags: [
      { name: 'stat', text: 'Only the number of added and removed lines, by file' },
      {
        name: 'by',
        value: 'WORD',
        choices: ['command', 'provider'],
        text: 'Group by this (default: command)',
      },
      { name: 'provider', value: 'ID', text: 'Only commands of this provider' },
      { name: 'since', value: '10m', text: 'Only commands that finished in the last 1d, 2h, …' },
      ...serverFlags,
    ],
    about: [
      'Shows the changes stored for undo: those of file tools, and of shell lines that ran as transactions. Changes below .git are listed by name.',
    ],
    examples: ['signalbox diff c9us', 'signalbox diff --by provider --stat'],
    exitCodes: [
      [0, 'ok'],
      [2, 'unknown or ambiguous id, or its changes are not stored'],
    ],
    json: '{files[{path, provider, command, current, byHand, deleted?, added, removed, patch}], git[{command, text}]}',
    seeAlso: ['undo', 'output'],
  },
  {
    name: 'sessions',
    group: 'See',
    summary: 'List, show, stop and export sessions',
    brief: 'List, stop and export sessions',
    args: [
      { name: 'ACTION', kind: 'optional', choices: ['list', 'show', 'stop', 'export'] },
      { name: 'SESSION', kind: 'optional' },
    ],
    flags: [
      {
        name: 'format',
        value: 'FORMAT',
        choices: ['jsonl', 'markdown'],
        text: 'Of an export (default: markdown if the file ends in .md, otherwise jsonl)',
      },
      {
        name: 'output',
        short: 'o',
        value: 'FILE',
        text: 'Write an export to this file, readable only by you (default: standard output)',
      },
      ...serverFlags,
    ],
    about: [
      'Without ACTION it lists sessions, running ones first: turns, tokens, cost and task. stop takes a provider, the beginning of an id, or @all: commands that run complete, and no further turn begins.',
      'An export has turns with what the model said, calls with their results as the model read them, approvals, questions and messages of people, tokens and cost, in the order in which they happened; secrets are redacted. It goes as far back as the event log; the result of a command that the history has dropped is left out.',
      'show and export take any unique prefix of an id, or @last. In Markdown no text of a model or a program becomes a link, an image or HTML.',
    ],
    examples: [
      'signalbox sessions',
      'signalbox sessions stop openai',
      'signalbox sessions export @last -o conversation.md',
      'signalbox sessions export q3mx --format jsonl',
    ],
    exitCodes: [
      [0, 'listed, shown, stopped or exported'],
      [2, 'unknown or ambiguous id'],
    ],
    json: '{sessions[]} as GET /api/sessions; stop {sessions[id]}; show {session, compressions[]}; of export the JSON Lines themselves: {kind: session | turn | call | approval | result | message | …}',
    seeAlso: ['say', 'history', 'status'],
  },
  {
    name: 'history',
    group: 'See',
    summary: 'All finished commands',
    brief: 'All finished commands',
    flags: [
      ...filterFlags,
      ...pageFlags,
      { name: 'follow', text: 'List oldest first, then print each command as it finishes, until Ctrl-C' },
      { name: 'export', value: 'FILE', text: 'Write them to a .jsonl or .csv file; - for standard output' },
      ...serverFlags,
    ],
    examples: [
      'signalbox history --since 1d',
      'signalbox history -f "provider:openai level:>=warning"',
      'signalbox history --export past.csv',
      'signalbox history --follow --outcome failed',
    ],
    exitCodes: [
      [0, 'ok'],
      [2, 'usage: no such outcome or cursor'],
      [130, '--follow: Ctrl-C'],
    ],
    json: 'commands, one a line',
    seeAlso: ['commands', 'stats', 'audit'],
  },
  {
    name: 'stats',
    group: 'See',
    summary: 'Totals by provider, tool, file or filter',
    brief: 'Totals by provider',
    flags: [
      { name: 'since', value: '1h', text: 'Only the last 1d, 2h, …' },
      {
        name: 'by',
        value: 'WORD',
        choices: ['provider', 'tool', 'file', 'filter'],
        text: 'Count by this (default: provider)',
      },
      { name: 'slowest', value: 'N', text: 'Also list the N commands that ran longest' },
      ...serverFlags,
    ],
    about: [
      'Counts the commands in the history. `--by filter` shows the tokens that filters saved of the outputs that models read. MEDIAN and P95 cover commands that ran. Below are the reasons for approvals, and the one host list or rule that would have avoided most of them; on a terminal you can add it at once.',
    ],
    examples: ['signalbox stats --since 1h', 'signalbox stats --by file', 'signalbox stats --slowest 10'],
    exitCodes: [[0, 'ok']],
    json: '{providers[{provider, commands, failed, medianMs, waitedMs, reused, savedMs, savedTokens, …}], approvals:{granted, refused, expired, medianAnswerMs}, questions[{rule, reason, asked, approved, denied, expired}], remedy:{kind, saves, asked, …}, busiestFile, toolFilter:{turns, tokensSaved}, modelRequests[{purpose, asked, requests, …}], compressions:{triggered, manual, …}}; --by tool: {tools[{tool, commands, …, usedBy[]}]}; --by file: {files[{path, reads, changes, conflicts, lastChangedAt, touchedBy[]}]}; --by filter: {filters[{filter, outputs, fallbacks, keptTokens, savedTokens}]}; --slowest: {…, slowest[{command, durationMs, waitedMs, …}]}',
    seeAlso: ['history'],
  },
  {
    name: 'audit',
    group: 'See',
    summary: 'The audit log',
    brief: 'The audit log',
    args: [{ name: 'ACTION', kind: 'optional', choices: ['list', 'verify'] }],
    flags: [
      {
        name: 'filter',
        short: 'f',
        value: 'FILTER',
        text: 'Filter: provider:openai tool:bash outcome:failed level:>=warning path:src or free text; prefix - to exclude',
      },
      { name: 'limit', value: 'N', text: 'The last N lines (default 20)' },
      { name: 'follow', text: 'Then follow new lines until Ctrl-C' },
      { name: 'head', value: 'HASH', text: 'verify: the last hash printed by an earlier verify' },
    ],
    about: [
      '`verify` checks the whole log and its archives for changed, missing and duplicate lines, that every finished command has one, and that it agrees with the records.',
      'Anyone who can write the log can also rewrite it with new hashes. Keep the last hash elsewhere: `--head HASH` fails when the log no longer contains it.',
      'The log is a file on the machine of the coordinator; for a remote server, history shows the same commands.',
    ],
    examples: [
      'signalbox audit',
      'signalbox audit -f "outcome:denied" --limit 100',
      'signalbox audit --follow',
      'signalbox audit verify',
    ],
    exitCodes: [
      [0, 'ok'],
      [1, 'verify: the log was changed, has a gap, or lacks the hash'],
      [2, 'usage: no such filter, or no hash'],
      [130, '--follow: Ctrl-C'],
    ],
    json: 'lines as stored, {tool, provider, result, …}; verify: {files[], lines, commands, torn[], problems[{file, line, kind, message}], head}',
    seeAlso: ['history'],
  },
];
