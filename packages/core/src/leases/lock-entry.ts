import type { Claim } from './claim.ts';
import { nodesOf } from './resource.ts';

/**
 * The lock of a claim on a node of the resource tree (multi-granularity locking; Gray et al., 1976).
 *
 * `S` and `X`: the node and all below it are read, or written. `IS` and `IX`: something below it is.
 */
export type LockMode = 'IS' | 'IX' | 'S' | 'X';

export const LOCK_MODES: readonly LockMode[] = ['IS', 'IX', 'S', 'X'];

/** The modes that another command can't hold on the same node together with this one. Symmetric. */
export const CONFLICTING_MODES: Readonly<Record<LockMode, readonly LockMode[]>> = {
  IS: ['X'],
  IX: ['S', 'X'],
  S: ['IX', 'X'],
  X: ['IS', 'IX', 'S', 'X'],
};

/** One mode on one node; a node that is read while something below it is written has two. */
export type LockEntry = {
  /** The names from the root to the node, joined by NUL, which no resource contains. */
  readonly node: string;
  readonly mode: LockMode;
};

const IS = 1;
const IX = 2;
const S = 4;
const X = 8;
const MODES_BY_BITS: readonly (readonly LockMode[])[] = Array.from({ length: 16 }, (_, bits) =>
  modesOf(bits),
);

/**
 * The entries for these claims: two sets of claims conflict exactly when their entries meet on a node in conflicting
 * modes. Each (node, mode) occurs once, a node before those below it.
 */
export function lockEntries(claims: readonly Claim[]): readonly LockEntry[] {
  const [only, second] = claims;
  if (only !== undefined && second === undefined) return entriesOfOne(only);
  const placed = claims.map((claim) => ({ nodes: namesDownTo(claim), write: claim.access === 'write' }));
  const held = new Map<string, number>();
  for (const { nodes, write } of placed) addBits(held, nodes.at(-1) ?? '', { bits: write ? X : S });
  const bitsOf = new Map<string, number>();
  for (const { nodes, write } of placed) {
    const last = nodes.length - 1;
    const covered = nodes.some((node, depth) => depth < last && covers(held.get(node) ?? 0, write));
    if (covered) continue;
    nodes.forEach((node, depth) => addBits(bitsOf, node, { bits: bitOf(write, depth === last) }));
  }
  return [...bitsOf].flatMap(([node, bits]) => (MODES_BY_BITS[bits] ?? []).map((mode) => ({ node, mode })));
}

/** The common case: one claim, so nothing covers or absorbs another. */
function entriesOfOne(claim: Claim): readonly LockEntry[] {
  const names = namesDownTo(claim);
  const write = claim.access === 'write';
  const [above, itself]: [LockMode, LockMode] = write ? ['IX', 'X'] : ['IS', 'S'];
  return names.map((node, depth) => ({ node, mode: depth === names.length - 1 ? itself : above }));
}

/** `workspace`, `workspace\0src`, `workspace\0src\0a.ts`. */
function namesDownTo(claim: Claim): readonly string[] {
  let name = '';
  return nodesOf(claim.resource).map((node, depth) => (name = depth === 0 ? node : `${name}\0${node}`));
}

/** Whether these bits on a node cover everything below it. */
function covers(bits: number, write: boolean): boolean {
  return (bits & X) !== 0 || (!write && (bits & S) !== 0);
}

function bitOf(write: boolean, isLast: boolean): number {
  if (isLast) return write ? X : S;
  return write ? IX : IS;
}

function addBits(map: Map<string, number>, node: string, { bits }: Readonly<{ bits: number }>): void {
  map.set(node, (map.get(node) ?? 0) | bits);
}

/** X covers all others; S and IX each cover IS. */
function modesOf(bits: number): readonly LockMode[] {
  if ((bits & X) !== 0) return ['X'];
  const modes: LockMode[] = [];
  if (bits === IS) modes.push('IS');
  if ((bits & IX) !== 0) modes.push('IX');
  if ((bits & S) !== 0) modes.push('S');
  return modes;
}
