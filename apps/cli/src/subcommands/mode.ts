import { Mode, UsageError } from '@signalbox/core';
import { createModeDesk, type ModeState } from '@signalbox/coordinator';
import * as z from 'zod';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { nearest } from '../frame/nearest.ts';
import { withRecords } from '../frame/with-records.ts';
import { withSight } from '../frame/with-sight.ts';
import { refuseInsideCommand, withRemote } from '../frame/with-remote.ts';
import { as, line, muted } from '../screen/line.ts';
import { dateAndTime } from '../screen/look.ts';
import { MODE_ROLE } from '../views/status-view.ts';

/** `signalbox mode LOCKDOWN -m "strange pushes"`: sets the mode; without an argument shows it. */
export const mode = defineSubcommand({
  name: 'mode',
  args: z.object({ mode: z.string().optional(), message: z.string().optional() }),
  async run({ mode: wanted, message }, context) {
    if (wanted === undefined) {
      tell(await withSight(context, (sight) => sight.mode()), context);
      return EXIT.ok;
    }
    const next = toMode(wanted);
    if (message === undefined || message.trim() === '') {
      throw new UsageError('no-reason', `Cannot set mode ${next}: it needs a reason`, {
        why: ['whoever meets the mode later reads it'],
        next: [`signalbox mode ${next} -m "why"`],
      });
    }
    tell(await set(next, message, context), context);
    return EXIT.ok;
  },
});

/** By the coordinator that runs; where none does, in what the next one begins with. */
async function set(next: Mode, reason: string, context: Context): Promise<ModeState> {
  const what = `set mode ${next}`;
  refuseInsideCommand(context, what);
  const byWhoRuns = () => withRemote(context, what, (remote) => remote.setMode(next, context.user, reason));
  if (context.flags.server !== undefined) return byWhoRuns();
  const stored = await withRecords(context, async (records) => {
    if ((await records.holder()) !== null) return null;
    const desk = createModeDesk({ ...records, clock: context.clock, initial: 'NORMAL' });
    return desk.set(next, context.user, reason);
  });
  if (stored === null) return byWhoRuns();
  context.say([line(muted('Nothing runs here now: it counts from the next start on.'))]);
  return stored;
}

function toMode(word: string): Mode {
  const parsed = Mode.safeParse(word.toUpperCase());
  if (parsed.success) return parsed.data;
  const meant = nearest(word, Mode.options);
  throw new UsageError('usage', `Cannot set mode "${word}": there is none of that name`, {
    why: [`one of ${Mode.options.join(', ')}`],
    next: meant === undefined ? [] : [`did you mean: signalbox mode ${meant}`],
  });
}

function tell(state: ModeState, context: Context): void {
  context.answer({
    json: () => state,
    lines: (look) => [
      line(
        as(MODE_ROLE[state.mode], state.mode),
        muted(` since ${dateAndTime(state.since, look)}, by ${state.by}: `),
        state.reason,
      ),
    ],
  });
}
