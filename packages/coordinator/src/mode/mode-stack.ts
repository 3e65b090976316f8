import { NodeId, Mode, UsageError } from '@signalbox/core';
import * as z from 'zod';
import type { ModeState } from '../coordinator-api.ts';
import { nextMode } from './mode.machine.ts';
import { HealthProblem, TROUBLE_OVER } from './health-problem.ts';

const set = { mode: Mode, since: z.number(), by: z.string(), reason: z.string() };

/** One mode setting; timed if it has an end. Times are epoch milliseconds. */
const ModeSetting = z
  .strictObject({
    ...set,
    endsAt: z.number().optional(),
    /** DEGRADED for trouble that ends by itself: which, where it was seen, and what comes back when it is over. */
    during: z
      .strictObject({
        troubles: z.array(HealthProblem).min(1),
        /** The coordinator that sees it, if the workspace has several. */
        seenBy: NodeId.optional(),
        before: z.strictObject(set),
      })
      .optional(),
  })
  .readonly();
export type ModeSetting = z.infer<typeof ModeSetting>;

/**
 * The current mode, and below it what comes back when it ends. Each entry lasts longer than the one above it, and the
 * last one until a person acts. So a mode that comes back was set by a person before, or is stricter.
 */
export type ModeStack = readonly [ModeSetting, ...ModeSetting[]];

/** Stored form; a mode without an end is stored as it was before timed modes existed. */
const StoredStack = ModeSetting.unwrap().extend({ before: z.array(ModeSetting).optional() });

/** People can't keep track of more. */
const MAX_SETTINGS = 5;

/** Undefined for data of another version, or damaged data. */
export function readStack(stored: unknown): ModeStack | undefined {
  const parsed = StoredStack.safeParse(stored);
  if (!parsed.success) return undefined;
  const { before = [], ...top } = parsed.data;
  const stack: ModeStack = [top, ...before];
  return stack.every((mode, position) => isAbove(mode, stack[position + 1])) ? stack : undefined;
}

/** Whether it ends before the one below it; the last one has no end. */
function isAbove({ endsAt }: ModeSetting, below: ModeSetting | undefined): boolean {
  if (below === undefined) return endsAt === undefined;
  return endsAt !== undefined && endsAt < (below.endsAt ?? Infinity);
}

export function storedStack([top, ...before]: ModeStack): z.input<typeof StoredStack> {
  return before.length === 0 ? top : { ...top, before };
}

/** The stack without the modes that are over by then. */
export function stackAt(stack: ModeStack, now: number): ModeStack {
  const [top, below, ...rest] = stack;
  if (below === undefined || top.endsAt === undefined || top.endsAt > now) return stack;
  return stackAt([{ ...below, since: top.endsAt }, ...rest], now);
}

/** Applies a person's setting. A permanent one replaces everything; a timed one goes above longer ones. */
export function setOn(stack: ModeStack, setting: ModeSetting): ModeStack {
  const { endsAt } = setting;
  if (endsAt === undefined) return [setting];
  const longer = stack.filter((other) => other.endsAt === undefined || other.endsAt > endsAt);
  if (longer.length < MAX_SETTINGS) return [setting, ...longer];
  throw new UsageError(
    'too-many-modes',
    `Cannot set mode ${setting.mode} for a limited time: too many timed modes end after it`,
    {
      why: longer.map(({ mode, by, reason }) => `${mode}, by ${by}: “${reason}”`),
      next: [`signalbox mode ${setting.mode} -m "why"   sets it without an end`],
    },
  );
}

/** The problem: with its kind if it ends by itself, and with the coordinator that sees it if there are several. */
export type CountingMode = {
  readonly reason: string;
  readonly trouble?: HealthProblem | undefined;
  readonly seenBy?: NodeId | undefined;
};

/**
 * Applies trouble: DEGRADED replaces every looser mode, including those that would come back. Returns the same stack if
 * nothing changes.
 */
export function degradedStack(stack: ModeStack, now: number, found: CountingMode): ModeStack {
  const degraded = stack.map((setting) => degradedSetting(setting, now, found));
  if (degraded.every((setting, position) => setting === stack[position])) return stack;
  // For trouble that stays until a person acts, an entry with the mode of the one below it is redundant.
  const [first, ...rest] = degraded.filter(
    ({ mode }, position) => found.trouble !== undefined || mode !== degraded[position + 1]?.mode,
  );
  return first === undefined ? stack : [first, ...rest];
}

function degradedSetting(
  setting: ModeSetting,
  now: number,
  { reason, trouble, seenBy }: CountingMode,
): ModeSetting {
  const { during, ...own } = setting;
  if (during !== undefined) {
    // Trouble whose end can't be detected must be ended by a person.
    if (trouble === undefined) return { ...own, reason };
    if (during.troubles.includes(trouble)) return setting;
    return { ...own, during: { ...during, troubles: [...during.troubles, trouble] } };
  }
  const mode = nextMode(setting.mode, { type: 'trouble.found' });
  if (mode === setting.mode) return setting;
  const degraded = { ...setting, mode, since: now, by: 'signalbox', reason };
  if (trouble === undefined) return degraded;
  const { mode: was, since, by, reason: why } = setting;
  const before = { mode: was, since, by, reason: why };
  return {
    ...degraded,
    reason: `${reason}; it ends by itself when ${TROUBLE_OVER[trouble]}`,
    during: { troubles: [trouble], ...(seenBy === undefined ? {} : { seenBy }), before },
  };
}

/**
 * That trouble is over: the previous mode applies again, unless other trouble lasts. Returns the same stack if nothing
 * changes.
 */
export function recoveredStack(
  stack: ModeStack,
  trouble: HealthProblem,
  mayEnd: (seenBy: NodeId | undefined) => boolean,
): ModeStack {
  const [first, ...rest] = stack.map((setting): ModeSetting => {
    const { during, ...own } = setting;
    if (during?.troubles.includes(trouble) !== true || !mayEnd(during.seenBy)) return setting;
    const troubles = during.troubles.filter((other) => other !== trouble);
    return troubles.length === 0 ? { ...own, ...during.before } : { ...own, during: { ...during, troubles } };
  });
  const isSame = first === stack[0] && rest.every((setting, position) => setting === stack[position + 1]);
  return first === undefined || isSame ? stack : [first, ...rest];
}

export function stateOf([top, below]: ModeStack): ModeState {
  const { mode, since, by, reason, endsAt } = top;
  const back = endsAt === undefined || below === undefined ? {} : { back: { at: endsAt, to: below.mode } };
  return { mode, since, by, reason, ...back };
}
