import { shortId } from '@signalbox/core';
import type { CommandView } from '@signalbox/api';
import { oneLine } from './one-line.ts';

/** What a command without a result waits for, in words. */
export function whatFor({ state }: Pick<CommandView, 'state'>): string {
  if (state === 'awaiting_approval') return "for a person's approval";
  return state === 'running' ? 'it is running' : 'for files or a slot that other commands hold';
}

/** Where the dashboard shows it: its page, or what opens the dashboard where no port is open. */
export function pageOf({ id }: Pick<CommandView, 'id'>, dashboard: string | null): string {
  return dashboard === null ? '`signalbox dashboard`' : `${dashboard}/#/approvals/${id}`;
}

/** How the person at the agent answers its question; nothing where nobody is asked. */
export function whoApproves(view: CommandView, dashboard: string | null): string[] {
  const { id, state } = view;
  if (state !== 'awaiting_approval') return [];
  return [
    `Tell your user: approve it with \`signalbox approve ${shortId(id)}\` in a terminal, deny it with \`signalbox deny ${shortId(id)}\`, or in the dashboard: ${pageOf(view, dashboard)}`,
  ];
}

/** The same on one line, which the agent's own window shows while it waits. */
export function progressOf(view: CommandView, dashboard: string | null): string {
  const title = oneLine(view.title, 100);
  if (view.state !== 'awaiting_approval')
    return `${title} · ${view.state === 'running' ? 'running' : `waiting ${whatFor(view)}`}`;
  return `${title} · waiting ${whatFor(view)}: signalbox approve ${shortId(view.id)} · ${pageOf(view, dashboard)}`;
}
