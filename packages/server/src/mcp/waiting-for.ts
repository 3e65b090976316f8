import { checkWord, clockTime, type CommandView, WHY_CHECKS_HOLD } from '@signalbox/api';
import { claimsConflict, type CommandId, shortId } from '@signalbox/core';
import { oneLine } from './one-line.ts';

/** The command that holds what another waits for. */
export type BlockingHolder = Readonly<{
  id: CommandId;
  provider: string;
  title: string;
  ranMs: number;
}>;

/** The first running command that holds what a command claims. */
export function holderAmong(
  running: readonly Pick<CommandView, 'id' | 'title' | 'claims' | 'context' | 'startedAt' | 'submittedAt'>[],
  now: number,
  { claims }: Pick<CommandView, 'claims'>,
): BlockingHolder | null {
  const found = running.find((one) => claimsConflict(one.claims, claims));
  if (found === undefined) return null;
  const { id, title, context, startedAt, submittedAt } = found;
  return { id, title, provider: context.provider, ranMs: now - (startedAt ?? submittedAt) };
}

/**
 * What a command without a result waits for, in words.
 *
 * @param holder null: none, or unknown
 */
export function describeWait(
  { state, approval }: Pick<CommandView, 'state' | 'approval'>,
  holder: BlockingHolder | null,
): string {
  if (state === 'awaiting_approval')
    return approval?.question === undefined ? "for a person's approval" : "for a person's answer";
  if (state === 'running') return 'it is running';
  if (holder === null) return 'for files or a slot that other commands hold';
  const { id, provider, title, ranMs } = holder;
  // The line is text of another provider, which the waiting agent does not need.
  const check = checkWord(title);
  const what = check === null ? 'running' : `a ${check}, running`;
  return `for files that ${provider} holds (${shortId(id)}, ${what} for ${clockTime(ranMs)})`;
}

/** The reason when a test run holds them. */
export function whyHeld({ state }: Pick<CommandView, 'state'>, holder: BlockingHolder | null): string[] {
  return state === 'queued' && holder !== null && checkWord(holder.title) !== null ? [WHY_CHECKS_HOLD] : [];
}

/** Its page in the dashboard, or how to open the dashboard where no port is open. */
export function pageOf({ id }: Pick<CommandView, 'id'>, dashboard: string | null): string {
  return dashboard === null ? '`signalbox dashboard`' : `${dashboard}/#/approvals/${id}`;
}

/** How the person at the agent answers its approval; empty when none is pending. */
export function whoApproves(view: CommandView, dashboard: string | null): string[] {
  const { id, state, approval } = view;
  if (state !== 'awaiting_approval') return [];
  if (approval?.question !== undefined) {
    return [
      `Tell your user: answer it with \`signalbox answer ${shortId(id)}\` in a terminal, or in the dashboard: ${pageOf(view, dashboard)}`,
    ];
  }
  return [
    `Tell your user: approve it with \`signalbox approve ${shortId(id)}\` in a terminal, deny it with \`signalbox deny ${shortId(id)}\`, or in the dashboard: ${pageOf(view, dashboard)}`,
  ];
}

/** The same on one line, shown in the agent's own window while it waits. */
export function progressOf(
  view: CommandView,
  { dashboard, holder }: Readonly<{ dashboard: string | null; holder: BlockingHolder | null }>,
): string {
  const title = oneLine(view.title, 100);
  if (view.state !== 'awaiting_approval')
    return `${title} · ${view.state === 'running' ? 'running' : `waiting ${describeWait(view, holder)}`}`;
  const verb = view.approval?.question === undefined ? 'approve' : 'answer';
  return `${title} · waiting ${describeWait(view, holder)}: signalbox ${verb} ${shortId(view.id)} · ${pageOf(view, dashboard)}`;
}
