import { MemberId, Mode, UsageError } from '@signalbox/core';
import * as z from 'zod';
import type { ModeState } from '../coordinator-api.ts';
import { nextMode } from './mode.machine.ts';
import { HealthProblem, TROUBLE_OVER } from './health-problem.ts';

const set = { mode: Mode, since: z.number(), by: z.string(), reason: z.string() };

/** A mode as somebody set it; with an end, for a time. Times are epoch milliseconds. */
const ModeSetting = z
  .strictObject({
    ...set,
    endsAt: z.number().optional(),
    /** DEGRADED for trouble that ends by itself: which, where it was seen, and what comes back when it is over. */
    during: z
      .strictObject({
        troubles: z.array(HealthProblem).min(1),
        /** The coordinator that sees it, where a workspace has several. */
        seenBy: MemberId.optional(),
        before: z.strictObject(set),
      })
      .optional(),
  })
  .readonly();
export type ModeSetting = z.infer<typeof ModeSetting>;

/**
 * What counts, and below it what comes back when that is over: each lasts longer than the one above it, and the last one
 * until a person acts. So what comes back by itself is always what a person had set before, or stricter.
 */
export type ModeStack = readonly [ModeSetting, ...ModeSetting[]];

/** As it is stored; a mode without an end looks as it did before there were ends. */
const StoredStack = ModeSetting.unwrap().extend({ before: z.array(ModeSetting).optional() });

/** Nobody can keep more of them apart. */
const MOST_SETTINGS = 5;

/** Undefined for what is no stack: of another version, or damaged. */
export function readStack(stored: unknown): ModeStack | undefined {
  const parsed = StoredStack.safeParse(stored);
  if (!parsed.success) return undefined;
  const { before = [], ...top } = parsed.data;
  const stack: ModeStack = [top, ...before];
  return stack.every(isAbove) ? stack : undefined;
}

/** Whether it ends before the one below it; the last one has no end. */
function isAbove({ endsAt }: ModeSetting, position: number, stack: readonly ModeSetting[]): boolean {
  const below = stack[position + 1];
  if (below === undefined) return endsAt === undefined;
  return endsAt !== undefined && endsAt < (below.endsAt ?? Infinity);
}

export function storedStack([top, ...before]: ModeStack): z.input<typeof StoredStack> {
  return before.length === 0 ? top : { ...top, before };
}

/** Without what is over by then. */
export function stackAt(stack: ModeStack, now: number): ModeStack {
  const [top, below, ...rest] = stack;
  if (below === undefined || top.endsAt === undefined || top.endsAt > now) return stack;
  return stackAt([{ ...below, since: top.endsAt }, ...rest], now);
}

/** A person's word. For good it is all there is; for a time it lies above what lasts longer. */
export function setOn(stack: ModeStack, setting: ModeSetting): ModeStack {
  const { endsAt } = setting;
  if (endsAt === undefined) return [setting];
  const longer = stack.filter((other) => other.endsAt === undefined || other.endsAt > endsAt);
  if (longer.length < MOST_SETTINGS) return [setting, ...longer];
  throw new UsageError(
    'too-many-modes',
    `Cannot set mode ${setting.mode} for a time: too many end after it`,
    {
      why: longer.map(({ mode, by, reason }) => `${mode}, by ${by}: “${reason}”`),
      next: [`signalbox mode ${setting.mode} -m "why"   sets it for good`],
    },
  );
}

/** What is wrong: with its kind where it ends by itself, and the coordinator that sees it where there are several. */
export type CountingMode = {
  readonly reason: string;
  readonly trouble?: HealthProblem | undefined;
  readonly seenBy?: MemberId | undefined;
};

/** Trouble: DEGRADED wherever that is stricter, also in what would come back. The same stack where nothing changes. */
export function degradedStack(stack: ModeStack, found: CountingMode, now: number): ModeStack {
  const degraded = stack.map((setting) => degradedSetting(setting, found, now));
  if (degraded.every((setting, position) => setting === stack[position])) return stack;
  // Of trouble that stays above itself the one that stays is enough; what comes back is kept as it is.
  const [first, ...rest] = degraded.filter(
    ({ mode }, position) => found.trouble !== undefined || mode !== degraded[position + 1]?.mode,
  );
  return first === undefined ? stack : [first, ...rest];
}

function degradedSetting(
  setting: ModeSetting,
  { reason, trouble, seenBy }: CountingMode,
  now: number,
): ModeSetting {
  const { during, ...own } = setting;
  if (during !== undefined) {
    // Trouble of which nobody sees the end is for a person to end.
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

/** That trouble is over: what was set before counts again, where no other one lasts. The same stack where nothing changes. */
export function recoveredStack(
  stack: ModeStack,
  trouble: HealthProblem,
  mayEnd: (seenBy: MemberId | undefined) => boolean,
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
