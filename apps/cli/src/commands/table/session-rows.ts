import { serverFlags } from './server-flags.ts';
import type { SubcommandRow } from './subcommand-row.ts';

/** Subcommands for runs and sessions that work. */
export const sessionRows: readonly SubcommandRow[] = [
  {
    name: 'attach',
    group: 'Start',
    summary: 'Return to a run, or watch one of another terminal',
    brief: 'Return to a run',
    args: [{ name: 'RUN', kind: 'optional' }],
    about: [
      'Shows what has happened since the run began, then follows it; approvals can be answered here. Without RUN it takes the active run, else the last one. Press d to detach, as in a run.',
      'If the coordinator has died, this starts another, which continues its runs. A session whose API key was in the memory of the dead one waits; attach brings the key if your environment has it.',
    ],
    examples: ['signalbox attach', 'signalbox attach q3mx'],
    exitCodes: [
      [0, 'as of the run; or you detached with d'],
      [2, 'no such run, or several'],
      [6, 'nothing runs in this workspace, and no run is left'],
      [7, "a command's outcome is unknown"],
    ],
    json: 'events, one a line; last {"event":"run.ended", summary}',
    seeAlso: ['run', 'status', 'watch'],
  },
  {
    name: 'say',
    group: 'Start',
    summary: 'Say something to a session that works',
    brief: 'Say something to a session that works',
    args: [
      { name: 'SESSION', kind: 'required' },
      { name: 'MESSAGE', kind: 'required' },
    ],
    flags: [
      { name: 'now', text: 'Stop its turn and its running commands, so that its model reads this at once' },
      ...serverFlags,
    ],
    about: [
      'The model reads it at its next turn, after the results of the calls that it has made. A session that has given its answer and waits for the check of its run continues with it.',
      'SESSION is a provider with one running session, any unique beginning of an id, or @all for every running session. MESSAGE may be - to read it from standard input.',
    ],
    examples: [
      'signalbox say openai "Leave the tests alone: the cart is wrong"',
      'signalbox say @all "The API of src/db.ts has changed" --now',
    ],
    exitCodes: [
      [0, 'said'],
      [2, 'no such running session, or several'],
      [6, 'nothing runs in this workspace'],
    ],
    json: '{sessions[], interrupts}',
    seeAlso: ['run', 'watch', 'attach'],
  },
  {
    name: 'compress',
    group: 'Start',
    summary: 'Compress the conversation of a session before its next turn',
    brief: 'Shorten what a session’s model reads',
    args: [{ name: 'SESSION', kind: 'required' }],
    flags: [...serverFlags],
    about: [
      'Earlier turns of the session become a summary; its task, what people said, and the last three turns stay. Signalbox does the same by itself when the conversation nearly fills the context of the model (agent.compress_at). The transcript, the history and the audit log keep everything.',
      'SESSION is any unique prefix of its id, or @last.',
    ],
    examples: ['signalbox compress q3mx', 'signalbox compress @last'],
    exitCodes: [
      [0, 'requested'],
      [2, 'unknown or ambiguous id'],
      [6, 'no coordinator leads that session'],
    ],
    json: '{session, requested}',
    seeAlso: ['run', 'status'],
  },
];
