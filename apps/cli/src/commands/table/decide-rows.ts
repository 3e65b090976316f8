import { serverFlags } from './server-flags.ts';
import type { SubcommandRow } from './subcommand-row.ts';

const expect = {
  name: 'expect',
  value: 'HASH',
  text: 'Answer only if the call hash is still HASH (required without a terminal; `signalbox status ID` shows it)',
} as const;

export const decideRows: readonly SubcommandRow[] = [
  {
    name: 'approve',
    group: 'Decide',
    summary: 'Approve a pending command',
    brief: 'Approve a command',
    args: [{ name: 'ID', kind: 'any-number', commands: 'asking' }],
    flags: [
      expect,
      {
        name: 'edit',
        short: 'e',
        text: 'Edit the shell line in $VISUAL or $EDITOR first; it is re-checked and shown',
      },
      { name: 'modify', value: 'LINE', text: 'Approve LINE instead; it is re-checked' },
      { name: 'always', text: 'Also save an allow rule as narrow as this call; shown before it is saved' },
      { name: 'remember', short: 'r', text: 'The same as --always' },
      {
        name: 'for',
        value: 'WHOM',
        text: 'With --always: who the rule applies to (default: session; for your own lines: local)',
        choices: ['session', 'local', 'workspace', 'user'],
      },
      {
        name: 'expires',
        value: 'TIME',
        text: 'With --always, for rules saved to a file: lifetime (default: 30d)',
      },
      {
        name: 'extend',
        value: 'TIME',
        text: 'Decide later; keep the approval open for this much longer (5m)',
      },
      ...serverFlags,
    ],
    about: [
      'Without an ID, shows pending approvals one at a time. You approve exactly what is shown: if the call or a file covered by the approval changes first, your answer is discarded and you are asked again.',
      'If a rule needs two approvers, it runs after the second one.',
      'An approval that expires pauses its session and can still be answered. If the agent has already moved on, its next identical call uses your answer, once.',
    ],
    examples: [
      'signalbox approve p9ze',
      'signalbox approve p9ze --expect 3fa9c1d0 --no-input',
      'signalbox approve p9ze --edit',
      'signalbox approve p9ze --modify "npm ci"',
      'signalbox approve p9ze --always --for local --expires 7d',
      'signalbox approve p9ze --extend 5m',
    ],
    exitCodes: [
      [0, 'approved'],
      [2, 'unknown id'],
      [3, 'not allowed to approve, or expired'],
      [4, 'no terminal and no --expect'],
      [5, 'already decided, or changed'],
      [6, 'server not running'],
    ],
    json: '{command, answer, approval:{status, by, answeredAt, callHash, …}, rule}',
    seeAlso: ['deny', 'status'],
  },
  {
    name: 'deny',
    group: 'Decide',
    summary: 'Deny a pending command',
    brief: 'Deny it, with a reason',
    args: [{ name: 'ID', kind: 'any-number', commands: 'asking' }],
    flags: [
      { name: 'message', short: 'm', value: 'REASON', text: 'Reason, sent to the provider' },
      {
        name: 'stop-session',
        text: 'Stop its session as well: no new turns or calls, and running commands are stopped',
      },
      expect,
      ...serverFlags,
    ],
    examples: [
      'signalbox deny p9ze -m "use the zod we have"',
      'signalbox deny p9ze --stop-session -m "this leads nowhere"',
    ],
    exitCodes: [
      [0, 'denied'],
      [1, 'denied, but its session is not run by this server, so it was not stopped'],
      [2, 'unknown id'],
      [3, 'not allowed to deny, or expired'],
      [5, 'already decided'],
      [6, 'server not running'],
    ],
    json: '{command, answer, approval:{status, by, answeredAt, callHash, …}, rule, sessionStopped}',
    seeAlso: ['approve'],
  },
  {
    name: 'undo',
    group: 'Decide',
    summary: 'Undo file changes of commands, unless the files have changed since',
    brief: 'Undo its file changes',
    args: [{ name: 'ID', kind: 'any-number', commands: 'undoable' }],
    flags: [
      { name: 'session', value: 'ID', text: 'All changes of a session, or with --last its newest' },
      { name: 'last', value: 'N', text: 'The newest N that changed files and are not undone' },
      { name: 'dry-run', text: 'Show what would be undone and what would fail; change nothing' },
      { name: 'force', text: 'Overwrite later changes as well' },
      ...serverFlags,
    ],
    about: [
      'The undo is a command of yours: checked, leased, recorded, and undoable itself. On a terminal it asks for confirmation.',
      "Undoes the newest command first, each one completely. Stops at the first that can't be undone and says which.",
    ],
    examples: ['signalbox undo c9us', 'signalbox undo --dry-run c9us', 'signalbox undo --last 3'],
    exitCodes: [
      [0, 'undone'],
      [2, 'unknown or ambiguous id, or its changes are not stored'],
      [3, 'denied by a rule or the mode'],
      [5, 'these files have changed since; with --dry-run: the undo would fail for that reason'],
    ],
    json: '{undone[{command, by, files[]}], refused[{command, why}], left[]}',
    seeAlso: ['review', 'diff', 'cancel'],
  },
  {
    name: 'review',
    group: 'Decide',
    summary: 'Review changed files by provider: keep, undo and commit them',
    brief: 'Review changes by provider: keep, undo, commit',
    flags: [
      { name: 'session', value: 'ID', many: true, text: 'Only changes of this session' },
      ...serverFlags,
    ],
    about: [
      'Lists files changed by commands and not undone, with others that changed them. On a terminal it prompts: N shows the changes of a file and numbers its hunks; k keeps and u undoes (u 1 3 two files, u 1.2 one hunk, u PROVIDER all files of a provider); c commits the kept files, or all files if none is marked, with a message that you can edit; q changes nothing.',
      'Each undo is a command of yours that restores exactly these files or lines. It is denied if they changed since, and can be undone itself. The commit is a command of yours, too: it takes these files as they are now, and nothing else that is staged. Marks of kept files are the same in every terminal and on the dashboard.',
    ],
    examples: ['signalbox review', 'signalbox review --session 4k7q', 'signalbox review --json'],
    exitCodes: [
      [0, 'reviewed'],
      [4, 'an undo or the commit waits for a lease or another approver'],
      [5, 'a file has changed since and was not undone, or git made no commit'],
    ],
    json: '{providers[{provider, files[{path, added, removed, alsoChangedBy[], isCurrent, isByHand, isDeleted?, changes[]}]}], message}',
    seeAlso: ['undo', 'diff'],
  },
  {
    name: 'cancel',
    group: 'Decide',
    summary: 'Cancel commands: waiting ones leave the queue, running ones are stopped',
    brief: 'Cancel a command',
    args: [{ name: 'ID', kind: 'any-number', commands: 'unfinished' }],
    flags: [
      {
        name: 'session',
        value: 'ID',
        text: 'All unfinished commands of this session; the session itself continues',
      },
      { name: 'all', text: 'All unfinished commands' },
      { name: 'now', text: 'Kill running commands immediately, including ones already stopping' },
      { name: 'message', short: 'm', value: 'REASON', text: 'Reason, sent to the provider' },
      ...serverFlags,
    ],
    examples: ['signalbox cancel k7f3', 'signalbox cancel k7f3 --now', 'signalbox cancel --all'],
    exitCodes: [
      [0, 'ended, or being stopped'],
      [2, 'unknown or ambiguous id'],
      [5, 'done already'],
      [6, 'server not running'],
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
        text: 'Reason (required); shown to everyone',
      },
      {
        name: 'for',
        value: 'TIME',
        text: 'Set for a limited time, such as 30m, then restore the previous mode',
      },
      ...serverFlags,
    ],
    about: [
      'If nothing is running, the mode takes effect at the next start. A mode set with --for ends on time, even across restarts. If Signalbox entered DEGRADED in the meantime, it stays there until the cause is resolved or you change it.',
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
