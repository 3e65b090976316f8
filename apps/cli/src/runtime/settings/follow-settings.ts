import type { Clock, Settings } from '@signalbox/core';
import { errorReport } from '../contract/error-report.ts';
import type { Runtime } from '../contract/runtime.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { noteLine } from './note-line.ts';
import { keysOfNextSession, keysOfNextStart } from './next-start.ts';
import { type SettingsOnDisk, watchSettings } from './watch-settings.ts';

/**
 * Keeps a coordinator's policy in step with the settings files while it is open; returns how to stop.
 *
 * @param from `before`: the settings last read.
 */
export function followSettings(
  runtime: Pick<Runtime, 'applyPolicy' | 'policyVersion' | 'refuseSettings'>,
  from: SettingsOnDisk & { readonly before: Settings; readonly clock: Pick<Clock, 'timer'> },
  tell: (lines: readonly Line[]) => void,
): () => void {
  let before = from.before;
  let known: readonly string[] = [];
  // A run that started meanwhile may have applied the same files.
  let version = runtime.policyVersion();
  return watchSettings(
    from,
    {
      changed({ settings, fileNotes }) {
        const fresh = fileNotes.filter(({ message }) => !known.includes(message));
        known = fileNotes.map(({ message }) => message);
        if (fresh.length > 0) tell(fresh.map(noteLine));
        runtime.applyPolicy(settings);
        const isOther = runtime.policyVersion() !== version;
        version = runtime.policyVersion();
        const waiting = keysOfNextStart(before, settings);
        const forSessions = keysOfNextSession(before, settings);
        before = settings;
        if (isOther) tell([POLICY_CHANGED]);
        if (forSessions.length > 0) tell([forNextSession(forSessions)]);
        if (waiting.length > 0) tell([forNextStart(waiting)]);
      },
      refused(error) {
        const { message, picture } = errorReport(error);
        const at = picture === undefined ? '' : ` (${picture.file}:${picture.line}:${picture.column})`;
        runtime.refuseSettings(`${message}${at}`);
        tell([
          line(
            as('danger', 'settings not used'),
            `: ${message}${at}`,
            muted(' · the previous policy stays active'),
          ),
        ]);
      },
    },
    { clock: from.clock },
  );
}

const POLICY_CHANGED: Line = line(
  as('accent', 'policy changed'),
  muted(': calls are judged by the settings as they are now'),
);

function forNextSession(keys: readonly string[]): Line {
  return line(as('accent', 'takes effect in the next session'), `: ${firstOf(keys)}`);
}

function forNextStart(keys: readonly string[]): Line {
  return line(
    as('warn', 'takes effect when the coordinator restarts'),
    `: ${firstOf(keys)}`,
    muted(' · signalbox stop ends it when its work is done'),
  );
}

function firstOf(keys: readonly string[]): string {
  return `${keys.slice(0, 3).join(', ')}${keys.length > 3 ? ` and ${keys.length - 3} more` : ''}`;
}
