import { filterFlags, pageFlags } from './list-flags.ts';
import { serverFlags } from './server-flags.ts';
import type { SubcommandRow } from './subcommand-row.ts';

/** Current activity. */
export const seeRows: readonly SubcommandRow[] = [
  {
    name: 'watch',
    group: 'See',
    summary: 'Live view: lanes, queue, approvals, output',
    brief: 'Live view: lanes, queue, approvals, output',
    flags: [
      {
        name: 'filter',
        short: 'f',
        value: 'FILTER',
        text: 'Only matching lanes and events: provider:openai state:waiting tool:bash path:src/ level:>=warning or free text; prefix - to exclude',
      },
      { name: 'once', text: 'Print the current state and exit' },
      { name: 'no-bell', text: 'No bell' },
      ...serverFlags,
    ],
    about: [
      "Shows this workspace's coordinator, whatever started it, and reconnects to the next one if it stops. Press ? for keys. q quits; work continues.",
      'Without a terminal: one line per event.',
    ],
    examples: [
      'signalbox watch',
      'signalbox watch -f "provider:openai -state:idle"',
      'signalbox watch --once',
    ],
    exitCodes: [
      [0, 'left'],
      [2, 'usage: no such filter'],
      [6, 'nothing runs in this workspace'],
    ],
    json: 'events, one a line; with --once, as GET /api/snapshot: {workspace, version, now, you, mode, isolation, limits, commands[], queue, sessions[], providers[], tests, lastEventId}',
    seeAlso: ['status', 'approve', 'queue', 'dashboard'],
  },
  {
    name: 'status',
    group: 'See',
    summary: 'Current activity at a glance',
    brief: 'Current activity at a glance',
    args: [{ name: 'ID', kind: 'optional', commands: 'any' }],
    flags: [
      { name: 'watch', text: 'Update as it changes, until Ctrl-C; keeps waiting while nothing answers' },
      { name: 'exit-code', text: 'Exit 4 if an approval is pending' },
      {
        name: 'machine',
        text: "The coordinator's actors and their states; with an ID: the path of that command through its state machine",
      },
      ...serverFlags,
    ],
    about: [
      'With an ID: all details of that command, or of a session (ses_…): turns, cost, and how its conversation was compressed. Aliases work wherever an id does: @last (newest), @mine (your newest), @approval (the only pending one).',
    ],
    examples: [
      'signalbox status',
      'signalbox status --watch',
      'signalbox status m2qd',
      'signalbox status --machine',
      'signalbox status m2qd --machine',
    ],
    exitCodes: [
      [0, 'ok'],
      [2, 'unknown or ambiguous id'],
      [4, 'an approval is pending (--exit-code)'],
      [6, '--machine: nothing runs in this workspace'],
      [130, '--watch: Ctrl-C'],
    ],
    json: '{workspace, server, mode, coordinator, runningSince, members[], isAway, counts, maxConcurrent, approvals[], budget, toolFilter, judge, process?, runs[]?}, with --watch one a line; with an ID: {command}, or {session, compressions[]}; with --machine alone: {actors}, as GET /api/coordinator/actors',
    seeAlso: ['commands', 'queue'],
  },
  {
    name: 'commands',
    group: 'See',
    summary: 'Current and recent commands',
    brief: 'Current and recent commands',
    flags: [
      ...filterFlags,
      { name: 'all', text: 'Also commands that finished long ago' },
      ...pageFlags,
      { name: 'follow', text: 'List oldest first, then print every state change until Ctrl-C' },
      ...serverFlags,
    ],
    examples: [
      'signalbox commands',
      'signalbox commands --outcome failed --provider openai',
      'signalbox commands --follow',
    ],
    exitCodes: [
      [0, 'ok'],
      [2, 'usage: no such outcome or cursor'],
      [130, '--follow: Ctrl-C'],
    ],
    json: '{commands[], next}; with --follow: commands, one a line',
    seeAlso: ['status', 'output', 'history'],
  },
  {
    name: 'queue',
    group: 'See',
    summary: 'What is waiting, and why; raise what should run first',
    brief: 'Waiting commands',
    args: [
      { name: 'ACTION', kind: 'optional', choices: ['list', 'raise'] },
      { name: 'ID', kind: 'any-number', commands: 'unfinished' },
    ],
    flags: [
      { name: 'priority', value: 'N', text: 'raise: 0 to 1000; 0 (default) is served first, 100 is normal' },
      { name: 'provider', value: 'ID', text: 'Only commands of this provider' },
      { name: 'follow', text: 'Update as it changes, until Ctrl-C' },
      ...serverFlags,
    ],
    about: [
      'Priority decides which command gets the next free slot. It never overtakes an earlier command that wants the same file.',
    ],
    examples: [
      'signalbox queue',
      'signalbox queue --provider openai',
      'signalbox queue --follow',
      'signalbox queue raise k7f3',
    ],
    exitCodes: [
      [0, 'ok'],
      [5, 'raise: it is not in the queue'],
      [6, 'raise: nothing runs in this workspace'],
      [130, '--follow: Ctrl-C'],
    ],
    json: '{running[], stuck[], waiting[{command, claims[], blockers[], …}], more, counts:{running, waiting, oldestMs, byProvider}}, with --follow one a line; raise: {raised[], notWaiting[], priority}',
    seeAlso: ['leases', 'commands', 'cancel'],
  },
  {
    name: 'leases',
    group: 'See',
    summary: 'Held resources: holder, since when, and what waits for them',
    brief: 'Held resources',
    args: [
      { name: 'ACTION', kind: 'optional', choices: ['list', 'revoke'] },
      { name: 'ID', kind: 'any-number', commands: 'holding' },
    ],
    flags: [
      { name: 'tree', text: 'Draw what waits for what' },
      {
        name: 'message',
        short: 'm',
        value: 'REASON',
        text: 'revoke: the reason, for the provider and the audit log',
      },
      ...serverFlags,
    ],
    about: [
      "A lease holds a command's resources for a limited time; it ends with the command.",
      '`revoke` takes a lease, by its command or its own id: the command is cancelled, and the next in line gets the resources once its process has exited.',
    ],
    examples: ['signalbox leases', 'signalbox leases --tree', 'signalbox leases revoke m2qd -m "it hangs"'],
    exitCodes: [
      [0, 'ok; revoke: ended, or being stopped'],
      [2, 'unknown or ambiguous id'],
      [3, 'revoke: from inside a command'],
      [5, 'revoke: it was already released'],
      [6, 'revoke: server not running'],
    ],
    json: '{leases[{leaseId, commandId, command, claims[], fencingToken, expiresAt, waiting[]}], waiting[]}; revoke: {revoked[{leaseId, commandId, kind}]}',
    seeAlso: ['queue', 'cancel'],
  },
  {
    name: 'output',
    group: 'See',
    summary: "Show a command's output",
    brief: "Show a command's output",
    args: [{ name: 'ID', kind: 'required', commands: 'any' }],
    flags: [
      { name: 'stderr', text: 'Only standard error' },
      { name: 'tail', value: 'N', text: 'The last N lines' },
      { name: 'follow', text: "Stream a running command's output from the start until it exits" },
      ...serverFlags,
    ],
    examples: ['signalbox output e7pa', 'signalbox output e7pa --follow', 'signalbox output e7pa | less'],
    exitCodes: [
      [0, 'ok'],
      [2, 'unknown or ambiguous id'],
    ],
    json: '{stdout, stderr, truncated, bytes}; with --follow: {stream, text}, one a line',
    seeAlso: ['status'],
  },
];
