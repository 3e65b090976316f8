import {
  blockersOf,
  checkNote,
  commandsIn,
  type CommandSummary,
  longestWaiting,
  openCommands,
  sinceOf,
} from '@signalbox/api';
import { describeClaim } from '@signalbox/core';
import { cutMiddle, fit, gap, wrap } from '../../../terminal/cells.ts';
import { idLabels } from '../../../terminal/id-labels.ts';
import { as, type Line, line, muted, printed } from '../../../terminal/line.ts';
import { type RenderContext, timer } from '../../../terminal/render-context.ts';
import type { WaitTree } from '../../../views/wait-tree.ts';
import { atEdges, paneRule } from './panes.ts';
import type { OutputTail } from './output-tail.ts';
import type { WatchState } from './watch-state.ts';

type Printed = Readonly<{
  tail: OutputTail | undefined;
  command: CommandSummary | null;
  /** The last words of the lane's model; empty if they are shown elsewhere. */
  modelText: string;
}>;

const INSTEAD: Readonly<Partial<Record<CommandSummary['state'], string>>> = {
  running: 'no output yet',
  done: 'finished; o shows its output',
};

const LONG_WAIT_MS = 60_000;
const NARROW = 60;
/** Cells of a provider's name. */
const NAME = 14;

/** Waiting commands below a title, in at most that many rows; empty if there are none. */
export function waitingPane(state: WatchState, max: number, render: RenderContext): readonly Line[] {
  const waiting = longestWaiting(state);
  const [longest] = waiting;
  if (longest === undefined) return [];
  return [
    paneRule(
      `Waiting ${waiting.length + state.unlisted}`,
      `longest ${timer(render.now - sinceOf(longest))}`,
      { width: render.width },
    ),
    ...waitingRows(state, max, render),
  ];
}

/** Who waits for what, and behind whom, in at most that many rows. */
function waitingRows(state: WatchState, max: number, render: RenderContext): readonly Line[] {
  const waiting = longestWaiting(state);
  const label = idLabels(
    openCommands(state).map(({ id }) => id),
    render,
  );
  const shown = waiting.length <= max ? waiting : waiting.slice(0, Math.max(0, max - 1));
  const rows = shown.map((command) => {
    const waited = render.now - sinceOf(command);
    return atEdges(
      line(
        '  ',
        label(command.id),
        ' ',
        muted(cutMiddle(command.provider, NAME)),
        // In little space the blocker says more; the lane shows the resource.
        render.width < NARROW ? '' : wanted(command, render),
        muted(forWhom(command, state, { label, render })),
      ),
      line(as(waited > LONG_WAIT_MS ? 'warn' : 'muted', timer(waited))),
      { width: render.width },
    );
  });
  const hidden = waiting.length - shown.length + state.unlisted;
  return hidden === 0 ? rows : [...rows, line(muted(`  and ${hidden} more waiting`))];
}

function wanted({ claims }: CommandSummary, render: RenderContext): string {
  return claims.length === 0 ? '' : `  ${cutMiddle(claims.map(describeClaim).join(', '), render.width / 3)}`;
}

/** Wide enough to show the holder of a file too. */
const ROOMY = 100;

/** `  behind m2qd anthropic (test run, 0:12) and 2 more` */
function forWhom(
  command: CommandSummary,
  state: WatchState,
  { label, render }: Readonly<{ label: (id: string) => string; render: RenderContext }>,
): string {
  const [first, ...others] = blockersOf(command, state);
  if (first === undefined) return '  waiting for a free slot';
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const check = render.width < ROOMY ? '' : checkNote(first.title, render.now - sinceOf(first));
  return `  behind ${label(first.id)} ${cutMiddle(first.provider, NAME)}${check}${more}`;
}

/** As the wait tree draws it. */
export function waitGraphIn(state: WatchState): WaitTree {
  const one = (command: CommandSummary) => ({ ...command, since: sinceOf(command) });
  return { holders: commandsIn(state, 'running').map(one), waiting: longestWaiting(state).map(one) };
}

/** Leases below a title. */
export function leasesPane(state: WatchState, render: RenderContext): readonly Line[] {
  const holds = leaseRows(state, render);
  const title = `Leases ${holds.length}`;
  return [paneRule(title, holds.length === 0 ? '' : 'fencing token', { width: render.width }), ...holds];
}

function leaseRows(state: WatchState, render: RenderContext): readonly Line[] {
  const label = idLabels(
    openCommands(state).map(({ id }) => id),
    render,
  );
  return commandsIn(state, 'running').map(({ id, provider, claims: held, fencingToken: fencing }) => {
    const claims = held.map(describeClaim).join(', ');
    return atEdges(
      line(
        ' ',
        label(id),
        ' ',
        muted(cutMiddle(provider, NAME)),
        ' ',
        claims === '' ? muted('a slot only') : claims,
      ),
      line(muted(fencing === null ? '' : String(fencing))),
      { width: render.width },
    );
  });
}

/**
 * The end of a command's output, in that many rows; if this screen has received none, its model's last words, and how
 * to see the rest.
 */
export function outputRows(
  { tail, command, modelText }: Printed,
  max: number,
  render: RenderContext,
): readonly Line[] {
  if (tail === undefined) {
    const textRows =
      modelText.trim() === ''
        ? []
        : wrap(modelText.trim().replaceAll(/\s+/g, ' '), Math.max(10, render.width - 2));
    return [
      line(muted(command === null ? '' : `  (${INSTEAD[command.state] ?? 'not run yet'})`)),
      ...textRows.slice(0, Math.max(0, max - 1)).map((row) => line(gap(2), row)),
    ];
  }
  return tail.rows
    .slice(Math.max(0, tail.rows.length - max))
    .map(({ text, stream }) =>
      fit(
        stream === 'stdout' ? line(gap(2), printed(text)) : line(muted('│'), ' ', printed(text, 'muted')),
        render.width,
      ),
    );
}
