import { errorReport } from '../frame/error-report.ts';
import type { Context } from '../frame/context.ts';
import type { House } from '../house.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { watchSettings } from './watch-settings.ts';

/** Lets a house judge by the settings as they are now, while it is open; answers how to stop. */
export function followSettings(
  house: Pick<House, 'adoptPolicy'>,
  context: Pick<Context, 'directory' | 'env' | 'clock'>,
  tell: (lines: readonly Line[]) => void,
): () => void {
  return watchSettings(context, {
    changed({ settings }) {
      if (house.adoptPolicy(settings))
        tell([
          line(as('accent', 'policy changed'), muted(': calls are judged by the settings as they are now')),
        ]);
    },
    refused(error) {
      const { message, picture } = errorReport(error);
      const at = picture === undefined ? '' : ` (${picture.file}:${picture.line}:${picture.column})`;
      tell([
        line(as('danger', 'settings not used'), `: ${message}${at}`, muted(' · the policy stays as it was')),
      ]);
    },
  });
}
