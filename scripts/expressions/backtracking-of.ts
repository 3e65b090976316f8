import type { Guard, Node } from './fragments-of.ts';
import { fragmentsOf } from './fragments-of.ts';

export type Backtracking = 'none' | 'polynomial' | 'exponential';

/**
 * Computes how the time of a regular expression grows with a text that it does not match.
 *
 * Two ways round a loop over the same text are exponential. A loop that may be left for a second loop at each position
 * of a text that both accept is polynomial, and so is the search from position to position followed by a loop (A. Weber
 * and H. Seidl, On the degree of ambiguity of finite automata). Parts that can no longer fail are left out: there the
 * matcher stops at its first way. It may overestimate a loop after which nothing can fail.
 */
export function backtrackingOf(source: string, flags: string): Backtracking {
  const graph = graphOf(source, flags);
  const loops = loopsOf(graph);
  if (loops.some((loop) => loop.every((state) => !state.succeeds) && isExponential(loop)))
    return 'exponential';
  const polynomial = loops.some(
    (second) =>
      second.every((state) => !state.succeeds) &&
      loops.some((first) => first !== second && isPolynomial(first, second)),
  );
  return polynomial ? 'polynomial' : 'none';
}

/** A position in the expression after a character of one kind; it `succeeds` whatever follows. */
type State = {
  readonly node: Node;
  readonly kind: number;
  succeeds: boolean;
  endsAtEnd: boolean;
  /** How many ways lead to each next state, whether none of them can be refused, and whether all are after a match. */
  readonly next: Map<State, Readonly<{ times: number; sure: boolean; again: boolean }>>;
  /** The same states, by the kind of character that leads to them. */
  readonly byKind: Map<number, State[]>;
};

type Way = Readonly<{ to: Node; guards: readonly Guard[]; sure: boolean; again: boolean }>;

function graphOf(source: string, flags: string): readonly State[] {
  const { entry, classes, sample } = fragmentsOf(source, flags);
  const { kinds, kindsIn } = kindsOf(classes, sample);
  const ways = new Map<Node, readonly Way[]>();
  const states = new Map<Node, Map<number, State>>();
  const all: State[] = [];
  const pending = reached(entry, undefined, newState(entry, -1));
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    pending.push(...reached(state.node, kinds[state.kind], state));
  }
  settle(all, kinds.length);
  return all;

  function reached(node: Node, before: string | undefined, from: State): State[] {
    const found: State[] = [];
    let known = ways.get(node);
    if (known === undefined) ways.set(node, (known = waysFrom(node)));
    for (const { to, guards, sure, again } of known) {
      const allows = (after: string | undefined) => guards.every((guard) => guard(before, after));
      if (to.ends === true) {
        if (sure && allows(undefined)) from.endsAtEnd = true;
        if (sure && kinds.every(allows) && allows(undefined)) from.succeeds = true;
        continue;
      }
      for (const kind of kindsIn.get(to.consumes ?? '') ?? []) {
        if (!allows(kinds[kind])) continue;
        const [state, isNew] = stateOf(to, kind);
        if (isNew) found.push(state);
        const other = from.next.get(state) ?? { times: 0, sure: false, again: true };
        from.next.set(state, {
          times: other.times + 1,
          sure: sure || other.sure,
          again: again && other.again,
        });
      }
    }
    return found;
  }

  function stateOf(node: Node, kind: number): readonly [State, boolean] {
    const ofNode = states.get(node) ?? new Map<number, State>();
    states.set(node, ofNode);
    const known = ofNode.get(kind);
    if (known !== undefined) return [known, false];
    const state = newState(node, kind);
    ofNode.set(kind, state);
    all.push(state);
    return [state, true];
  }
}

function newState(node: Node, kind: number): State {
  return { node, kind, succeeds: node.found === true, endsAtEnd: false, next: new Map(), byKind: new Map() };
}

/**
 * Finds the states that succeed with every text, and cuts their ways from those that may not: the first one ends the
 * search. What such a state tries before it succeeds is kept.
 */
function settle(states: readonly State[], kinds: number): void {
  const sureOfAll = new Set(states.filter(({ succeeds, endsAtEnd }) => succeeds || endsAtEnd));
  for (let size = -1; size !== sureOfAll.size;) {
    size = sureOfAll.size;
    for (const state of sureOfAll) {
      if (state.succeeds) continue;
      const sure = [...state.next].filter(([next, way]) => way.sure && sureOfAll.has(next));
      if (new Set(sure.map(([next]) => next.kind)).size < kinds) sureOfAll.delete(state);
    }
  }
  for (const state of sureOfAll) state.succeeds = true;
  for (const state of states) {
    const won = new Set(state.succeeds ? [] : wonBy(state));
    for (const [next, { again, sure }] of state.next) {
      if (won.has(next.kind) || (again && !state.succeeds)) {
        state.next.delete(next);
        continue;
      }
      // Ways are in the matcher's order: none after one that succeeds is tried.
      if (sure && next.succeeds) won.add(next.kind);
      state.byKind.set(next.kind, [...(state.byKind.get(next.kind) ?? []), next]);
    }
  }
}

/** Kinds of characters that end the search. */
function wonBy(state: State): readonly number[] {
  return [...state.next].flatMap(([next, { sure }]) => (sure && next.succeeds ? [next.kind] : []));
}

/** All ways from after a node to the next one that consumes, or to an end. */
function waysFrom(node: Node): readonly Way[] {
  const found: Way[] = [];
  const trail = new Set<Node>();
  walk(node, { guards: [], sure: true, again: false });
  return found;

  function walk(from: Node, so: Omit<Way, 'to'>): void {
    // The matcher refuses a round that consumes nothing.
    if (trail.has(from)) return;
    trail.add(from);
    for (const { to, guard, unsure, again } of from.steps) {
      const way = {
        to,
        guards: guard === undefined ? so.guards : [...so.guards, guard],
        sure: so.sure && unsure !== true,
        again: so.again || again === true,
      };
      if (to.ends === true || to.consumes !== undefined) found.push(way);
      if (to.consumes === undefined) walk(to, way);
    }
    trail.delete(from);
    if (found.length > MAX_PATHS) throw new Error('too many of its ways consume nothing');
  }
}

const MAX_PATHS = 5_000;

/** One character for each set that all classes of the expression treat alike. */
function kindsOf(classes: ReadonlyMap<string, RegExp>, sample: readonly string[]) {
  const byClasses = new Map<string, string>();
  const named = [...classes.values(), /\w/, /[\n\r\u2028\u2029]/];
  for (const text of sample) {
    const key = named.map((pattern) => (pattern.test(text) ? 1 : 0)).join('');
    if (!byClasses.has(key)) byClasses.set(key, text);
  }
  const kinds = [...byClasses.values()];
  const kindsIn = new Map(
    [...classes].map(([raw, pattern]) => [
      raw,
      kinds.flatMap((text, kind) => (pattern.test(text) ? [kind] : [])),
    ]),
  );
  return { kinds, kindsIn };
}

/** States that lead back to themselves, with all states on the way (R. Tarjan). */
function loopsOf(states: readonly State[]): readonly (readonly State[])[] {
  const loops: State[][] = [];
  const order = new Map<State, number>();
  const lowest = new Map<State, number>();
  const stack: State[] = [];
  for (const state of states) if (!order.has(state)) visit(state);
  return loops;

  function visit(state: State): number {
    let low = order.size;
    order.set(state, low);
    const own = low;
    stack.push(state);
    for (const next of state.next.keys()) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, order.get(next) as number);
    }
    lowest.set(state, low);
    if (low === own) {
      const loop = stack.splice(stack.indexOf(state));
      if (loop.length > 1 || state.next.has(state)) loops.push(loop);
    }
    return low;
  }
}

/** Whether one text leads from a state of the loop back to it in two ways; if so, it does from every other. */
function isExponential(loop: readonly State[]): boolean {
  const [start] = loop;
  if (start === undefined) return false;
  const ids = new Map(loop.map((state, id) => [state, id]));
  // Pairs of states reached by one text; `parted` once the two ways differ.
  const seen = new Set<string>();
  const pending: (readonly [State, State, boolean])[] = [[start, start, false]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [left, right, parted] = pair;
    for (const [toLeft, { times }] of left.next) {
      if (!ids.has(toLeft)) continue;
      for (const toRight of right.byKind.get(toLeft.kind) ?? []) {
        if (!ids.has(toRight)) continue;
        const differ = parted || toLeft !== toRight || (left === right && times > 1);
        if (differ && toLeft === start && toRight === start) return true;
        const key = `${ids.get(toLeft)},${ids.get(toRight)},${differ}`;
        if (seen.has(key)) continue;
        seen.add(key);
        pending.push([toLeft, toRight, differ]);
      }
    }
  }
  return false;
}

/** Whether one text leads round the first loop, from it into the second, and round the second. */
function isPolynomial(first: readonly State[], second: readonly State[]): boolean {
  const between = reachableFrom(first);
  if (!second.some((state) => between.has(state))) return false;
  const inFirst = new Set(first);
  const inSecond = new Set(second);
  const leading = leadingTo(second, between);
  return second.some((goal) => first.some((start) => start.kind === goal.kind && leads(start, goal)));

  function leads(start: State, goal: State): boolean {
    const seen = new Map<State, Map<State, Set<State>>>();
    const pending: (readonly [State, State, State])[] = [[start, start, goal]];
    for (let triple = pending.pop(); triple !== undefined; triple = pending.pop()) {
      const [round, over, later] = triple;
      for (const toLater of later.next.keys()) {
        if (!inSecond.has(toLater)) continue;
        for (const toRound of round.byKind.get(toLater.kind) ?? []) {
          if (!inFirst.has(toRound)) continue;
          for (const toOver of over.byKind.get(toLater.kind) ?? []) {
            if (!leading.has(toOver)) continue;
            if (toRound === start && toOver === goal && toLater === goal) return true;
            if (isNew(toRound, toOver, toLater)) pending.push([toRound, toOver, toLater]);
          }
        }
      }
    }
    return false;

    function isNew(round: State, over: State, later: State): boolean {
      const ofRound = seen.get(round) ?? new Map<State, Set<State>>();
      seen.set(round, ofRound);
      const ofOver = ofRound.get(over) ?? new Set<State>();
      ofRound.set(over, ofOver);
      if (ofOver.has(later)) return false;
      ofOver.add(later);
      return true;
    }
  }
}

function reachableFrom(states: readonly State[]): Set<State> {
  const reached = new Set<State>();
  const pending = [...states];
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    for (const next of state.next.keys()) {
      if (reached.has(next)) continue;
      reached.add(next);
      pending.push(next);
    }
  }
  return reached;
}

/** Those of `states` from which one of `goals` is reachable. */
function leadingTo(goals: readonly State[], states: ReadonlySet<State>): Set<State> {
  const leading = new Set(goals);
  for (let size = -1; size !== leading.size;) {
    size = leading.size;
    for (const state of states) {
      if (!leading.has(state) && [...state.next.keys()].some((next) => leading.has(next))) leading.add(state);
    }
  }
  return leading;
}
