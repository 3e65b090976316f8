import type { CommandRecord, NetworkUse } from '@signalbox/core';
import { as, type Line, line, muted } from '../screen/line.ts';
import { plural } from '../screen/look.ts';

const MOST_SHOWN = 5;

/**
 * Whom the gate of its network kept a command from, and why: its own error says only that a connection failed.
 *
 *   ⊘ network refused: registry.internal:443 …
 */
export function refusedConnections(
  result: Pick<NonNullable<CommandRecord['result']>, 'network'> | null,
): readonly Line[] {
  const refused = refusedIn(result);
  const more = refused.length - MOST_SHOWN;
  return [
    ...refused
      .slice(0, MOST_SHOWN)
      .map((use) => line(as('danger', '⊘'), ` network refused: ${refusalText(use)}`)),
    ...(more > 0 ? [line(muted(`  and ${plural(more, 'host')} more`))] : []),
  ];
}

/** The same in a row of facts; empty where nothing was refused. */
export function refusedText(result: CommandRecord['result']): string {
  return refusedIn(result)
    .slice(0, MOST_SHOWN)
    .map((use) => `refused ${refusalText(use)}`)
    .join('; ');
}

function refusedIn(
  result: Pick<NonNullable<CommandRecord['result']>, 'network'> | null,
): readonly NetworkUse[] {
  return (result?.network ?? []).filter(({ outcome }) => outcome === 'refused');
}

/** The reason names the host in most cases. */
function refusalText({ target, why, connections }: NetworkUse): string {
  const host = target.replace(/:\d+$/, '');
  const times = connections > 1 ? ` (${connections} times)` : '';
  return `${why === null ? target : why.includes(host) ? why : `${target}: ${why}`}${times}`;
}
