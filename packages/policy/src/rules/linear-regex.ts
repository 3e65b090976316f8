import { needleOf } from './needle-of.ts';
import {
  IGNORES_CASE,
  isWordUnit,
  parseRegex,
  type Place,
  type RegexNode,
  RegexSyntaxError,
  type UnitTest,
} from './regex-syntax.ts';

/** Tells whether a text holds a match anywhere. */
export type LinearRegex = (text: string) => boolean;

/** Steps of a compiled pattern; `{100}` in `{100}` would be ten thousand. */
const MAX_STEPS = 2000;

type Step =
  | { readonly kind: 'unit'; readonly test: UnitTest }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'fork'; readonly to: readonly number[] }
  | { readonly kind: 'found' };

/**
 * A regular expression that takes at most length of text × length of pattern steps, whatever both are: the engine
 * of JavaScript can be made to take for ever, and patterns come from files that came with a repository.
 *
 * All ways through the pattern are gone at once (Ken Thompson, Communications of the ACM 11, 1968).
 *
 * @throws {RegexSyntaxError} for what is not regular, or too large
 */
export function compileRegex(pattern: string): LinearRegex {
  const steps: Step[] = [];
  const node = parseRegex(pattern);
  const mayHold = holdsNeedle(needleOf(node), pattern.startsWith(IGNORES_CASE));
  emit(node, steps);
  steps.push({ kind: 'found' });

  /** When each step was last reached: places of all searches are counted on, so that nothing is ever cleared. */
  const reachedAt = new Float64Array(steps.length);
  let clock = 0;

  return (text) => {
    if (!mayHold(text)) return false;
    let now: number[] = [];
    clock += 1;
    for (let at = 0; at <= text.length; at++) {
      if (reach(0, at, text, now)) return true;
      const unit = text.charCodeAt(at);
      const next: number[] = [];
      clock += 1;
      for (const step of now) {
        const one = steps[step];
        if (one?.kind === 'unit' && at < text.length && one.test(unit) && reach(step + 1, at + 1, text, next))
          return true;
      }
      now = next;
    }
    return false;
  };

  /** Adds the steps that read something and can be reached without reading; true when the end can. */
  function reach(first: number, at: number, text: string, into: number[]): boolean {
    const one = steps[first];
    if (one === undefined || reachedAt[first] === clock) return false;
    reachedAt[first] = clock;
    switch (one.kind) {
      case 'found':
        return true;
      case 'unit':
        into.push(first);
        return false;
      case 'place':
        return holds(one.place, at, text) && reach(first + 1, at, text, into);
      case 'fork':
        return one.to.some((step) => reach(step, at, text, into));
    }
  }
}

/** Most patterns speak of a word; a text without it is not looked at any closer. */
function holdsNeedle(needle: string, ignoresCase: boolean): LinearRegex {
  if (!ignoresCase) return (text) => text.includes(needle);
  const lower = needle.toLowerCase();
  return (text) => text.toLowerCase().includes(lower);
}

function holds(place: Place, at: number, text: string): boolean {
  if (place === 'start') return at === 0;
  if (place === 'end') return at === text.length;
  const isEdge = isWordAt(text, at - 1) !== isWordAt(text, at);
  return isEdge === (place === 'edge');
}

function isWordAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && isWordUnit(text.charCodeAt(at));
}

function emit(node: RegexNode, steps: Step[]): void {
  if (steps.length > MAX_STEPS) throw new RegexSyntaxError('is too large');
  switch (node.kind) {
    case 'unit':
    case 'place':
      steps.push(node);
      return;
    case 'all':
      for (const inner of node.nodes) emit(inner, steps);
      return;
    case 'either':
      return emitEither(node.nodes, steps);
    case 'repeat':
      for (let count = 0; count < node.least; count++) emit(node.node, steps);
      if (node.most === null) return emitLoop(node.node, steps);
      for (let count = node.least; count < node.most; count++) emitEither([node.node, NOTHING], steps);
      return;
  }
}

const NOTHING: RegexNode = { kind: 'all', nodes: [] };

function emitEither(nodes: readonly RegexNode[], steps: Step[]): void {
  const fork = steps.length;
  steps.push({ kind: 'found' });
  const starts: number[] = [];
  const ends: number[] = [];
  for (const node of nodes) {
    starts.push(steps.length);
    emit(node, steps);
    ends.push(steps.length);
    steps.push({ kind: 'found' });
  }
  steps[fork] = { kind: 'fork', to: starts };
  for (const end of ends) steps[end] = { kind: 'fork', to: [steps.length] };
}

function emitLoop(node: RegexNode, steps: Step[]): void {
  const fork = steps.length;
  steps.push({ kind: 'found' });
  emit(node, steps);
  steps.push({ kind: 'fork', to: [fork] });
  steps[fork] = { kind: 'fork', to: [fork + 1, steps.length] };
}
