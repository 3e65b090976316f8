import { NETWORK_REMEDY, refusalText, refusedIn } from '@signalbox/api';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { plural } from '../../terminal/render-context.ts';

const MAX_SHOWN = 5;

type Result = Parameters<typeof refusedIn>[0];

/**
 * Hosts that the network gate refused a command, why, and what to do.
 *
 *   ⊘ network refused: "registry.internal:443" is not among the hosts of this command: none
 *     To change which hosts lines reach: …
 */
export function refusedConnections(result: Result): readonly Line[] {
  const refused = refusedIn(result);
  const more = refused.length - MAX_SHOWN;
  return [
    ...refused
      .slice(0, MAX_SHOWN)
      .map((use) => line(as('danger', '⊘'), ` network refused: ${refusalText(use)}`)),
    ...(more > 0 ? [line(' ', muted(` and ${plural(more, 'host')} more`))] : []),
    ...(refused.length > 0 ? [line(' ', muted(` ${NETWORK_REMEDY}`))] : []),
  ];
}

/** The same in a row of facts; empty if nothing was refused. */
export function refusedText(result: Result): string {
  return refusedIn(result)
    .slice(0, MAX_SHOWN)
    .map((use) => `refused ${refusalText(use)}`)
    .join('; ');
}
