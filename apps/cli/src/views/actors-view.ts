import type { ActorTree } from '@signalbox/api';
import { gap, padded, wrap } from '../terminal/cells.ts';
import { idLabels } from '../terminal/id-labels.ts';
import { as, type Line, line } from '../terminal/line.ts';
import { dateAndTime, type RenderContext, plural, timer } from '../terminal/render-context.ts';

/** Depth, name, state, and further facts. */
type Row = readonly [depth: number, name: string, state: string, fact?: string];

const GAP = 2;
/** Minimum width in which a row's text continues below. */
const NARROWEST = 20;

/** The coordinator's actors as a tree: each with its state. */
export function actorsView(tree: ActorTree, render: RenderContext): readonly Line[] {
  const { coordinator, mode, approvals, settings, faults } = tree;
  const rows: readonly Row[] = [
    [0, 'coordinator', coordinator.state, `since ${dateAndTime(coordinator.since, render)}`],
    [1, 'mode', mode.mode, `since ${dateAndTime(mode.since, render)}, by ${mode.by}`],
    [1, 'approvals', `${approvals.waiting} pending`],
    ...commandRows(tree, render),
    ...sessionRows(tree, render),
    ...nodeRows(tree),
    [1, 'settings', ''],
    [2, 'files', settings.files?.state ?? 'read', sourceText(settings.files, render)],
    [2, 'mcp_servers', settings.mcp_servers?.state ?? 'read', sourceText(settings.mcp_servers, render)],
    ...faults.map(({ actor, why, at }): Row => [0, 'failed', actor, `at ${dateAndTime(at, render)}: ${why}`]),
  ];
  const named = rows.map(([depth, name, ...rest]) => [`${'  '.repeat(depth)}${name}`, ...rest] as const);
  const names = widest(named.map(([name]) => name)) + GAP;
  const states = widest(named.map(([, state, fact]) => (fact === undefined ? '' : state))) + GAP;
  return named.flatMap(([name, state, fact]) => {
    const before = fact === undefined ? names : names + states;
    const texts = wrap(fact ?? state, Math.max(NARROWEST, render.width - before));
    const own =
      fact === undefined ? [] : padded(state, states, { role: name === 'failed' ? 'danger' : 'bold' });
    const role = fact === undefined ? 'bold' : 'muted';
    return texts.map((text, row) =>
      line(row === 0 ? line(padded(name, names), own) : gap(before), as(role, text)),
    );
  });
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length));
}

function commandRows({ commands }: ActorTree, render: RenderContext): readonly Row[] {
  const states = Object.entries(commands.states);
  const count = states.reduce((sum, [, some]) => sum + some, 0);
  const label = idLabels(
    commands.first.map(({ id }) => id),
    render,
  );
  const reported = states.map(([state, some]) => `${some} ${state}`).join(', ');
  return [
    [1, 'commands', count === 0 ? 'none' : reported],
    ...commands.first.map(({ id, state, since }): Row => [
      2,
      label(id),
      state,
      `for ${timer(render.now - since)}`,
    ]),
    ...moreRows(count - commands.first.length, 'signalbox commands'),
  ];
}

function sessionRows({ sessions: { count, first } }: ActorTree, render: RenderContext): readonly Row[] {
  const label = idLabels(
    first.map(({ id }) => id),
    render,
  );
  return [
    [1, 'sessions', count === 0 ? 'none' : String(count)],
    ...first.map(({ id, provider, state, since }): Row => [
      2,
      label(id),
      state,
      `${provider}, for ${timer(render.now - since)}`,
    ]),
    ...moreRows(count - first.length, 'signalbox status'),
  ];
}

function nodeRows({ nodes }: ActorTree): readonly Row[] {
  if (nodes === null) return [[1, 'nodes', 'only this one']];
  return [
    [1, 'nodes', String(nodes.length)],
    ...nodes.map(({ kind, host, pid, concurrency }): Row => {
      const slots = kind === 'worker' ? `, ${plural(concurrency, 'slot')}` : '';
      return [2, host, kind, `process ${pid}${slots}`];
    }),
  ];
}

function moreRows(more: number, where: string): readonly Row[] {
  return more > 0 ? [[2, `and ${more} more`, '', where]] : [];
}

function sourceText(source: ActorTree['settings']['files'], render: RenderContext): string {
  if (source === null) return 'at the start';
  return `at ${dateAndTime(source.at, render)}${source.why === undefined ? '' : `: ${source.why}`}`;
}
