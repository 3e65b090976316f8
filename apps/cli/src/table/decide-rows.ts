import { serverFlags } from './server-flags.ts';
import type { SubcommandRow } from './subcommand-row.ts';

const expect = {
  name: 'expect',
  value: 'HASH',
  text: 'Answer only this call (needed without a terminal; `signalbox status --json` has HASH)',
} as const;

export const decideRows: readonly SubcommandRow[] = [
  {
    name: 'approve',
    group: 'Decide',
    summary: 'Say yes to a command that waits for a person',
    brief: 'Yes to a waiting command',
    args: [{ name: 'ID', kind: 'any-number', commands: 'asking' }],
    flags: [
      expect,
      {
        name: 'edit',
        short: 'e',
        text: 'Change the shell line first, in $VISUAL or $EDITOR; it is judged again and shown',
      },
      { name: 'modify', value: 'LINE', text: 'Approve this shell line in its place; it is judged again' },
      { name: 'always', text: 'Also make a rule of it, as narrow as the call; shown before it is stored' },
      { name: 'remember', short: 'r', text: 'The same as --always' },
      {
        name: 'for',
        value: 'WHOM',
        text: 'Of --always: session (default), local, workspace or user',
        choices: ['session', 'local', 'workspace', 'user'],
      },
      { name: 'expires', value: 'TIME', text: 'Of --always, in a file: after 7d (default 30d)' },
      ...serverFlags,
    ],
    about: [
      'Without an ID it shows the waiting commands one by one. You approve exactly what is shown: if the call or a file that it would touch changes meanwhile, the answer no longer counts and it is asked again.',
      'Where a rule wants two people, the second yes lets it run.',
    ],
    examples: [
      'signalbox approve p9ze',
      'signalbox approve p9ze --expect 3fa9c1d0 --no-input',
      'signalbox approve p9ze --edit',
      'signalbox approve p9ze --modify "npm ci"',
      'signalbox approve p9ze --always --for local --expires 7d',
    ],
    exitCodes: [
      [0, 'granted'],
      [2, 'unknown id'],
      [3, 'not you, or expired'],
      [4, 'no terminal and no --expect'],
      [5, 'decided or changed'],
      [6, 'no coordinator runs here'],
    ],
    json: '{command, answer, approval:{status, by, answeredAt, callHash, …}, rule}',
    seeAlso: ['deny', 'status'],
  },
  {
    name: 'deny',
    group: 'Decide',
    summary: 'Say no to a command that waits for a person',
    brief: 'No, with a reason',
    args: [{ name: 'ID', kind: 'any-number', commands: 'asking' }],
    flags: [
      { name: 'message', short: 'm', value: 'REASON', text: 'Why; the provider reads it' },
      { name: 'stop-session', text: 'End its session too: no new turns and calls, and what runs is stopped' },
      expect,
      ...serverFlags,
    ],
    examples: [
      'signalbox deny p9ze -m "use the zod we have"',
      'signalbox deny p9ze --stop-session -m "this leads nowhere"',
    ],
    exitCodes: [
      [0, 'refused'],
      [1, 'refused, but --stop-session found no session that is led here'],
      [2, 'unknown id'],
      [3, 'not you, or expired'],
      [5, 'decided already'],
      [6, 'no coordinator runs here'],
    ],
    json: '{command, answer, approval:{status, by, answeredAt, callHash, …}, rule, sessionStopped}',
    seeAlso: ['approve'],
  },
  {
    name: 'undo',
    group: 'Decide',
    summary: 'Take back what commands changed, where nobody has changed it since',
    brief: 'Take its files back',
    args: [{ name: 'ID', kind: 'any-number', commands: 'undoable' }],
    flags: [
      { name: 'session', value: 'ID', text: 'All that a session changed, or with --last its newest' },
      { name: 'last', value: 'N', text: 'The newest N that changed files and were not taken back' },
      { name: 'dry-run', text: 'Say what would be done, and do nothing' },
      { name: 'force', text: 'Overwrite what others wrote later, too' },
      ...serverFlags,
    ],
    about: [
      'It is a command of yours: judged, leased, recorded, and undone by undo itself. On a terminal you are asked first.',
      'Several are taken back the newest first, each whole, up to the first that can not be; it says how far it came.',
    ],
    examples: ['signalbox undo c9us', 'signalbox undo --dry-run c9us', 'signalbox undo --last 3'],
    exitCodes: [
      [0, 'undone'],
      [2, 'unknown or ambiguous id, or nothing is kept of it'],
      [3, 'denied by a rule or the mode'],
      [5, 'others have changed these files since'],
    ],
    json: '{undone[{command, by, files[]}], refused[{command, why}], left[]}',
    seeAlso: ['diff', 'cancel'],
  },
  {
    name: 'cancel',
    group: 'Decide',
    summary: 'End commands: those that wait leave the queue, those that run are stopped',
    brief: 'End a command',
    args: [{ name: 'ID', kind: 'any-number', commands: 'unfinished' }],
    flags: [
      {
        name: 'session',
        value: 'ID',
        text: 'Every command of this session that is not done; its model goes on',
      },
      { name: 'all', text: 'Every command that is not done' },
      { name: 'now', text: 'Kill what runs, without time to clean up; also what is being stopped already' },
      { name: 'message', short: 'm', value: 'REASON', text: 'Why; the provider reads it' },
      ...serverFlags,
    ],
    examples: ['signalbox cancel k7f3', 'signalbox cancel k7f3 --now', 'signalbox cancel --all'],
    exitCodes: [
      [0, 'ended, or being stopped'],
      [2, 'unknown or ambiguous id'],
      [5, 'done already'],
      [6, 'no coordinator runs here'],
    ],
    json: '{cancelled[], stopping[], done[]}',
    seeAlso: ['queue', 'commands'],
  },
  {
    name: 'mode',
    group: 'Decide',
    summary: 'Show or set the mode: NORMAL, ALERT, DEGRADED, LOCKDOWN, RECOVERY',
    brief: 'NORMAL, ALERT, DEGRADED, LOCKDOWN, RECOVERY',
    args: [
      { name: 'MODE', kind: 'optional', choices: ['NORMAL', 'ALERT', 'DEGRADED', 'LOCKDOWN', 'RECOVERY'] },
    ],
    flags: [
      {
        name: 'message',
        short: 'm',
        value: 'REASON',
        text: 'Why (required to set it); kept with the mode and told to everybody',
      },
      { name: 'for', value: 'TIME', text: 'Only so long, such as 30m; what was set before comes back then' },
      ...serverFlags,
    ],
    about: [
      'Where nothing runs, it is kept, and counts from the next start on. What is set for a time ends at its time, also where everything was restarted meanwhile; trouble that came in between (DEGRADED) stays until you act.',
    ],
    examples: [
      'signalbox mode',
      'signalbox mode LOCKDOWN -m "strange pushes"',
      'signalbox mode NORMAL --for 10m -m "one release"',
    ],
    exitCodes: [
      [0, 'ok'],
      [2, 'no such mode or time, or no reason given'],
      [3, 'from inside a command'],
    ],
    json: '{mode, since, by, reason, back:{at, to}}',
    seeAlso: ['status'],
  },
];
