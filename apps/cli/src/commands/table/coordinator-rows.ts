import type { SubcommandRow } from './subcommand-row.ts';

/** The coordinator in the background, as a process. */
export const coordinatorRows: readonly SubcommandRow[] = [
  {
    name: 'stop',
    group: 'Operate',
    summary: 'End the coordinator of this workspace when those at work have finished',
    brief: 'End the coordinator',
    flags: [{ name: 'now', text: 'End everything that runs at once' }],
    about: [
      'With runs or commands at work it drains: nothing new begins, and it ends with the last of them. Ctrl-C leaves it at that; a script waits until then, however long, so give it --now where it must not. What waits for an approval counts as at work, and is named; with `--now` it is asked again by the next coordinator. The next subcommand that needs a coordinator starts another.',
    ],
    examples: ['signalbox stop', 'signalbox stop --now'],
    exitCodes: [
      [0, 'stopped, draining, or nothing ran'],
      [1, 'it was asked to and still holds the workspace'],
      [3, 'from inside a command'],
      [6, 'it does not answer'],
    ],
    json: '{stopped, pid|null}',
    seeAlso: ['logs', 'status'],
  },
  {
    name: 'logs',
    group: 'Operate',
    summary: 'Show what the coordinator in the background has said',
    brief: 'Show its log',
    flags: [{ name: 'follow', short: 'f', text: 'Go on as it says more, until Ctrl-C' }],
    about: [
      'Warnings, changes of settings and errors of .signalbox/run/coordinator.log, at most 1 MiB and one older part. What commands did is in signalbox audit.',
    ],
    examples: ['signalbox logs', 'signalbox logs -f'],
    exitCodes: [
      [0, 'ok'],
      [6, 'none has run in the background here'],
    ],
    json: 'one {line} each',
    seeAlso: ['stop', 'audit'],
  },
];
