import { LONGEST_MODE_MS, Mode, nearestWord, UsageError } from '@signalbox/core';
import { createModeService, type ModeState } from '@signalbox/coordinator';
import * as z from 'zod';
import { DurationArgument } from '../table/argument-schemas.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { withRecords } from '../../client/readers/with-records.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import { findCoordinator } from '../../client/find-coordinator.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { withCoordinator } from '../../client/readers/with-coordinator.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { dateAndTime } from '../../terminal/render-context.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { MODE_ROLE } from '../../views/status-view.ts';

const TermArgument = DurationArgument.refine((ms) => ms > 0 && ms <= LONGEST_MODE_MS, {
  error: 'is at most 30d; without it the mode has no end',
});

/** `signalbox mode LOCKDOWN -m "strange pushes" --for 30m`: sets the mode; without an argument shows it. */
export const mode = defineSubcommand({
  name: 'mode',
  args: z.object({
    mode: z.string().optional(),
    message: z.string().optional(),
    for: TermArgument.optional(),
  }),
  async run({ mode: wanted, message, for: forMs }, context) {
    if (wanted === undefined) {
      if (message !== undefined || forMs !== undefined) throw noMode();
      tell(await withReader(context, (reader) => reader.mode()), context);
      return EXIT.ok;
    }
    const next = toMode(wanted);
    if (message === undefined || message.trim() === '') {
      throw new UsageError('no-reason', `Cannot set mode ${next}: it needs a reason`, {
        why: ['it is shown to everyone affected by the mode'],
        next: [`signalbox mode ${next} -m "why"`],
      });
    }
    tell(await set({ mode: next, reason: message, forMs }, context), context);
    return EXIT.ok;
  },
});

type ModeChange = Readonly<{ mode: Mode; reason: string; forMs: number | undefined }>;

/** By the running coordinator; without one, in the state that the next one starts from. */
async function set({ mode: next, reason, forMs }: ModeChange, context: Context): Promise<ModeState> {
  const what = `set mode ${next}`;
  refuseInsideCommand(context, what);
  const isLed = context.flags.server !== undefined || (await findCoordinator(context, what)) !== null;
  if (isLed)
    return withCoordinator(context, { what, start: false }, ({ setMode }) =>
      setMode({ mode: next, reason, forMs }),
    );
  const stored = await withRecords(context, async (records) => {
    const { settings } = await loadSettings(context);
    const service = createModeService({ ...records, clock: context.clock, initial: settings.mode });
    return service.set(next, { by: context.user, reason, forMs });
  });
  context.say([line(muted('Nothing is running here: the mode takes effect at the next start.'))]);
  return stored;
}

function toMode(word: string): Mode {
  const parsed = Mode.safeParse(word.toUpperCase());
  if (parsed.success) return parsed.data;
  const meant = nearestWord(word, Mode.options);
  throw new UsageError('usage', `Cannot set mode "${word}": there is no such mode`, {
    why: [`one of ${Mode.options.join(', ')}`],
    next: [...(meant === undefined ? [] : [`signalbox mode ${meant} -m "why"`]), 'signalbox mode --help'],
  });
}

function noMode(): UsageError {
  return new UsageError('usage', 'Cannot set the mode: name one', {
    why: [`one of ${Mode.options.join(', ')}`],
    next: ['signalbox mode ALERT -m "why"'],
  });
}

function tell(state: ModeState, context: Context): void {
  context.answer({
    json: () => state,
    lines: (render) => [
      line(
        as(MODE_ROLE[state.mode], state.mode),
        muted(` since ${dateAndTime(state.since, render)}, by ${state.by}: `),
        state.reason,
      ),
      ...(state.back === undefined
        ? []
        : [line(muted(`until ${dateAndTime(state.back.at, render)}, then ${state.back.to} again`))]),
    ],
  });
}
