import type { AST } from '@eslint-community/regexpp';
import { RegExpParser } from '@eslint-community/regexpp';

/** A step from a node that does not consume; `unsure` if a longer lookaround may refuse it, `again` after a match. */
export type Step = Readonly<{ to: Node; guard?: Guard; unsure?: boolean; again?: boolean }>;

/** A condition where nothing is consumed: on the character before, the one after, or both. */
export type Guard = (before: string | undefined, after: string | undefined) => boolean;

/**
 * A position in the expression. `consumes` is the class of the one character before its steps, if any. `ends` is the
 * end of the expression or of a lookahead, `found` the search for the next match.
 */
export type Node = {
  readonly consumes?: string;
  readonly steps: Step[];
  readonly ends?: boolean;
  readonly found?: boolean;
};

export type Fragments = Readonly<{
  entry: Node;
  classes: ReadonlyMap<string, RegExp>;
  sample: readonly string[];
}>;

/** More repetitions than this count as endless: their factor is no small constant. */
const FEW_REPETITIONS = 500;

const ANY = '[^]';

/**
 * Up to this many, repetitions are expanded one by one; of more that are few, and of those before a loop, this many
 * stand for all.
 */
const COPIES = 8;
const FEW_COPIES = 3;

/**
 * Decomposes a regular expression, as its matcher walks it.
 *
 * Lookarounds of one character are guards. A longer lookahead is an additional branch of the matcher; a longer
 * lookbehind counts as fulfilled. Both err towards more ways.
 *
 * @throws on a back reference, or a lookbehind that may be endless: their cost is unknown
 */
export function fragmentsOf(source: string, flags: string): Fragments {
  const modes = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, modes);
  const classFlags = flags.replaceAll(/[^isuv]/g, '');
  const classes = new Map<string, RegExp>();
  const end: Node = { steps: [], ends: true };
  const started = alternatives(pattern.alternatives, end);
  const entry: Node = { steps: [{ to: started }] };
  // The matcher tries every position of the text, and continues after a match when it looks for all of them.
  if (!flags.includes('y')) entry.steps.push({ to: consuming(ANY, entry) });
  if (flags.includes('g')) {
    const search: Node = { consumes: ANY, steps: [{ to: started }], found: true };
    search.steps.push({ to: search });
    end.steps.push({ to: started, again: true }, { to: search, again: true });
  }
  return { entry, classes, sample: sampleOf(source, flags) };

  function alternatives(of: readonly AST.Alternative[], next: Node): Node {
    return { steps: of.map(({ elements }) => ({ to: sequence(elements, next) })) };
  }

  function sequence(elements: readonly AST.Element[], next: Node): Node {
    return elements.reduceRight((behind, element) => elementNode(element, behind), next);
  }

  function elementNode(element: AST.Element, next: Node): Node {
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return consuming(element.raw, next);
      case 'Group':
      case 'CapturingGroup':
        return alternatives(element.alternatives, next);
      case 'Quantifier':
        return quantified(element, next);
      case 'Assertion':
        return asserted(element, next);
      case 'Backreference':
        throw new Error('it has a back reference');
    }
  }

  function consuming(raw: string, next: Node): Node {
    if (!classes.has(raw)) classes.set(raw, new RegExp(`^(?:${raw})$`, classFlags));
    return { consumes: raw, steps: [{ to: next }] };
  }

  function quantified({ element, greedy, min, max }: AST.Quantifier, next: Node): Node {
    const one = (behind: Node): Node => elementNode(element, behind);
    const inOrder = (body: Node, behind: Node): Step[] =>
      (greedy ? [body, behind] : [behind, body]).map((to) => ({ to }));
    const needed = Math.min(min, max > COPIES ? FEW_COPIES : COPIES);
    const endless = max > FEW_REPETITIONS || (max > COPIES && !isOneCharacter(element));
    let node = next;
    if (max > 1 && max < Infinity && mayBeEmpty(element)) throw new Error('it counts what may be empty');
    if (endless) {
      const loop: Node = { steps: [] };
      const body = one(loop);
      loop.steps.push(...inOrder(body, next));
      // Not the loop itself: an outer loop may pass it twice without consuming.
      node = needed > 0 ? body : { steps: [...loop.steps] };
      for (let copy = 1; copy < needed; copy++) node = one(node);
      return node;
    }
    for (let copy = 0; copy < Math.min(max - min, max > COPIES ? FEW_COPIES : COPIES); copy++) {
      node = { steps: inOrder(one(node), next) };
    }
    for (let copy = 0; copy < needed; copy++) node = one(node);
    return node;
  }

  function asserted(assertion: AST.Assertion, next: Node): Node {
    switch (assertion.kind) {
      case 'start':
        return guarded(next, (before) => before === undefined || (flags.includes('m') && isLineEnd(before)));
      case 'end':
        return guarded(next, (_, after) => after === undefined || (flags.includes('m') && isLineEnd(after)));
      case 'word':
        return guarded(next, (before, after) => (isWord(before) === isWord(after)) === assertion.negate);
      case 'lookahead':
      case 'lookbehind':
        return around(assertion, next);
    }
  }

  function around({ kind, negate, alternatives: inner }: AST.LookaroundAssertion, next: Node): Node {
    const one = oneCharacter(inner);
    if (one !== undefined) {
      const holds = (text: string | undefined) =>
        (text === undefined ? one.orEdge : one.raws.some((raw) => classOf(raw).test(text))) !== negate;
      return guarded(next, kind === 'lookahead' ? (_, after) => holds(after) : (before) => holds(before));
    }
    if (kind === 'lookahead') {
      const branch = alternatives(inner, { steps: [], ends: true });
      return { steps: [{ to: branch }, { to: next, unsure: true }] };
    }
    if (/[*+]|,\}/.test(inner.map(({ raw }) => raw).join('|'))) throw new Error('it looks back without end');
    return { steps: [{ to: next, unsure: true }] };
  }

  function classOf(raw: string): RegExp {
    consuming(raw, end);
    return classes.get(raw) as RegExp;
  }
}

/** The classes of a lookaround of one character, or of the edge of the text. */
function oneCharacter(inner: readonly AST.Alternative[]): { raws: string[]; orEdge: boolean } | undefined {
  const raws: string[] = [];
  let orEdge = false;
  for (const { elements } of inner) {
    const [element] = elements;
    if (element === undefined || elements.length > 1) return undefined;
    if (element.type === 'Assertion' && ['start', 'end'].includes(element.kind)) orEdge = true;
    else if (isOneCharacter(element)) raws.push(element.raw);
    else return undefined;
  }
  return { raws, orEdge };
}

function guarded(to: Node, guard: Guard): Node {
  return { steps: [{ to, guard }] };
}

function isOneCharacter(element: AST.Element): boolean {
  return ['Character', 'CharacterSet', 'CharacterClass', 'ExpressionCharacterClass'].includes(element.type);
}

function mayBeEmpty(element: AST.Element): boolean {
  if (element.type === 'Group' || element.type === 'CapturingGroup') {
    return element.alternatives.some(({ elements }) => elements.every(mayBeEmpty));
  }
  if (element.type === 'Quantifier') return element.min === 0 || mayBeEmpty(element.element);
  return element.type === 'Assertion';
}

function isLineEnd(text: string): boolean {
  return /[\n\r\u2028\u2029]/.test(text);
}

function isWord(text: string | undefined): boolean {
  return text !== undefined && /\w/.test(text);
}

/** Representative characters: those that the expression names, their neighbours, and some of each kind. */
function sampleOf(source: string, flags: string): readonly string[] {
  const some = Array.from({ length: 0x250 }, (_, code) => code);
  const kinds = [
    '\u0640',
    '\u200d',
    '\u2028',
    '\u202e',
    '\u2800',
    '\u3000',
    '\u4e00',
    '\ufe0f',
    '\uff21',
    '😀',
    '🏽',
  ];
  const named = Array.from(source).concat(
    [...source.matchAll(/\\(?:u\{?|x)([0-9a-f]{2,6})/gi)].map(([, hex = '']) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    ),
  );
  const codes = [...kinds, ...named].flatMap((text) => {
    const code = text.codePointAt(0) ?? 0;
    return [code - 1, code, code + 1];
  });
  const max = /[uv]/.test(flags) ? 0x10ffff : 0xffff;
  return [...new Set([...some, ...codes])]
    .filter((code) => code >= 0 && code <= max)
    .map((code) => String.fromCodePoint(code));
}
