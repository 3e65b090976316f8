import { guessOf, mixOrigins, type Origin, PLAIN, textsOf, type Value } from './word.ts';

/** The known value of a variable. */
export type Variable = Readonly<{
  value: Value;
  origin: Origin;
  /** By `declare -A`: its subscripts are text, and are not evaluated. */
  isMap?: boolean;
}>;

/** `12`, `-3`, `0x1f`, `16#ff`, or empty: arithmetic evaluates no name in it. */
const NUMBER = /^\s*(?:[-+]?(?:0[xX][\da-fA-F]+|\d+(?:#[\w@]+)?)\s*)?$/;

/** The standard input of a command. */
export type Flow = Readonly<{
  kind: 'none' | 'stream' | 'file';
  /** All of it, when it is in the line. */
  text?: string | undefined;
  origin: Origin;
}>;

export const NO_INPUT: Flow = { kind: 'none', origin: PLAIN };

/** State of the shell between two commands. Commands change it; a subshell gets a copy. */
export type ShellState = {
  /** Absolute; undefined once it is unknown. */
  cwd: string | undefined;
  /** Target of `cd -`; undefined when it is unknown. */
  previous?: string | undefined;
  variables: Map<string, Variable>;
  /** A missing name may have any value: in a function, or after code that was not analysed. */
  isOpen: boolean;
  /** Made integers by `declare -i`: bash evaluates their values. */
  integers: ReadonlySet<string>;
  /** Given elements, or declared as an array. */
  arrays: ReadonlySet<string>;
  functions: Set<string>;
  /** Texts of `alias` by name: bash expands them only when enabled, other shells always. */
  aliases?: ReadonlyMap<string, string>;
  /** The stack of `pushd`, the last one last. */
  folders: readonly (string | undefined)[];
  stdin: Flow;
};

export function forkState(state: ShellState): ShellState {
  return { ...state, variables: new Map(state.variables), functions: new Set(state.functions) };
}

/** Variables that are tracked; further ones count as unknown. */
const MAX_VARIABLES = 128;

export function setVariable(state: ShellState, name: string, variable: Variable): void {
  if (state.variables.has(name) || state.variables.size < MAX_VARIABLES) state.variables.set(name, variable);
  else state.isOpen = true;
}

/** A command ran that may have changed anything: a sourced file, a function. */
export function forgetAll(state: ShellState): void {
  state.cwd = undefined;
  state.previous = undefined;
  state.folders = [];
  forgetVariables(state);
}

/** Any variable may have any value. */
export function forgetVariables(state: ShellState): void {
  for (const name of state.variables.keys()) state.variables.set(name, UNKNOWN_VARIABLE);
  state.isOpen = true;
}

export const UNKNOWN_VARIABLE: Variable = {
  value: { kind: 'dynamic', beginning: '', splits: true },
  origin: PLAIN,
};

export function addArrays(state: ShellState, names: Iterable<string>): void {
  state.arrays = new Set([...state.arrays, ...names]);
}

/** Two branches merge: only what both agree on is still known. Changes the first. */
export function joinStates(state: ShellState, other: ShellState): void {
  if (state.cwd !== other.cwd) state.cwd = undefined;
  if (state.previous !== other.previous) state.previous = undefined;
  if (state.folders !== other.folders) state.folders = [];
  for (const name of new Set([...state.variables.keys(), ...other.variables.keys()])) {
    const mine = state.variables.get(name);
    const theirs = other.variables.get(name);
    if (mine === theirs) continue;
    const origin = mixOrigins(mine?.origin ?? PLAIN, theirs?.origin ?? PLAIN);
    const isNumber = isHarmlessNumber(mine, state) && isHarmlessNumber(theirs, other);
    state.variables.set(name, { ...(isNumber ? NUMBER_VARIABLE : UNKNOWN_VARIABLE), origin });
  }
  state.isOpen ||= other.isOpen;
  if (state.integers !== other.integers) state.integers = new Set([...state.integers, ...other.integers]);
  if (state.arrays !== other.arrays) addArrays(state, other.arrays);
  for (const name of other.functions) state.functions.add(name);
}

/** Set by arithmetic: some number. */
export const NUMBER_VARIABLE: Variable = {
  value: { kind: 'dynamic', beginning: '', splits: false, isNumber: true },
  origin: PLAIN,
};

export function isNumberText(text: string): boolean {
  return NUMBER.test(text);
}

/** Whether arithmetic makes a number of it and evaluates no name. */
export function isNumberValue(value: Value): boolean {
  if (value.kind === 'dynamic') return value.isNumber === true && !/[A-Za-z_[$`]/.test(guessOf(value));
  return textsOf(value)?.every(isNumberText) === true;
}

/** The same for a variable; an unset one counts as zero. */
export function isHarmlessNumber(variable: Variable | undefined, { isOpen }: ShellState): boolean {
  return variable === undefined ? !isOpen : isNumberValue(variable.value);
}
