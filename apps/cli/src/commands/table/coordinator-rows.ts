import type { SubcommandRow } from './subcommand-row.ts';

/** The coordinator in the background, as a process. */
export const coordinatorRows: readonly SubcommandRow[] = [
  {
    name: 'stop',
    group: 'Operate',
    summary: 'Stop the coordinator of this workspace when its work has finished',
    brief: 'Stop the coordinator',
    flags: [{ name: 'now', text: 'End runs and running commands immediately' }],
    about: [
      'While runs or commands are active it drains: it starts no new work and stops after the last of them. Ctrl-C stops waiting. A script waits without a time limit; use --now if it must not. Pending approvals count as active and are listed; with `--now` they stay pending for the next coordinator, but runs end. `kill PID`, as at a reboot, stops it too, and leaves runs to the next coordinator, which continues them. The next subcommand that needs a coordinator starts another.',
    ],
    examples: ['signalbox stop', 'signalbox stop --now'],
    exitCodes: [
      [0, 'stopped, draining, or nothing was running'],
      [1, 'it was asked to stop and still holds the workspace'],
      [3, 'from inside a command'],
      [6, 'it does not answer'],
    ],
    json: '{stopped, pid|null}',
    seeAlso: ['logs', 'status'],
  },
  {
    name: 'logs',
    group: 'Operate',
    summary: 'Show the log of the coordinator in the background',
    brief: 'Show its log',
    flags: [{ name: 'follow', short: 'f', text: 'Follow new lines until Ctrl-C' }],
    about: [
      'Prints warnings, errors and changed settings from .signalbox/run/coordinator.log (at most 1 MiB and one older part). For what commands did, see signalbox audit.',
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
