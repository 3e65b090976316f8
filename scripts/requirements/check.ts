import { type Requirements, rowsOf } from './data.ts';
import type { Mark } from './marks.ts';

/** Every contradiction between the rows, the list of demands and the marks of the tests, one sentence each. */
export function contradictions(requirements: Requirements, marks: readonly Mark[]): readonly string[] {
  const rows = rowsOf(requirements);
  const ids = new Set(rows.map(({ id }) => id));
  return [
    ...orderFaults(
      requirements.demands,
      rows.map(({ id }) => id),
    ),
    ...requirements.capabilities.flatMap(({ id, rows: covered }) =>
      covered.filter((one) => !ids.has(one)).map((one) => `${id}: covers ${one}, which has no row`),
    ),
    ...marks.flatMap((mark) =>
      mark.ids.filter((id) => !ids.has(id)).map((id) => `${nameOf(mark)}: ${id} has no row`),
    ),
    ...rows.flatMap(({ id, state }) => stateFaults({ id, state }, marksFor(marks, id))),
  ];
}

export function marksFor(marks: readonly Mark[], id: string): readonly Mark[] {
  return marks.filter((mark) => mark.ids.includes(id));
}

export function nameOf({ file, titles }: Pick<Mark, 'file' | 'titles'>): string {
  return [file, ...titles].join(' › ');
}

function orderFaults(demands: readonly string[], ids: readonly string[]): readonly string[] {
  const known = new Set(demands);
  const present = new Set(ids);
  const faults = [
    ...demands.filter((id) => !present.has(id)).map((id) => `${id} has no row`),
    ...ids.filter((id) => !known.has(id)).map((id) => `${id} is not in the list of demands`),
    ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `${id} has two rows`),
  ];
  const first = demands.findIndex((id, i) => ids[i] !== id);
  return faults.length > 0 || first === -1 ? faults : [`${ids[first]} stands before ${demands[first]}`];
}

function stateFaults(
  { id, state }: Readonly<{ id: string; state: string }>,
  marks: readonly Mark[],
): readonly string[] {
  const running = marks.filter((mark) => mark.state === 'runs');
  switch (state) {
    case 'done':
    case 'deviates':
      return running.length > 0
        ? []
        : [`${id}: no test that runs names it, and a row that is "${state}" needs one`];
    case 'open':
    case 'context':
      return marks.map((mark) => `${id} is ${state}, but a test names it: ${nameOf(mark)}`);
    default:
      return [];
  }
}
