import type { CommandView } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { overlaps, resourceText } from '../workspace/resource-nodes.ts';
import type { CommandSummary } from '@signalbox/api';
import { lineOf } from '../workspace/command-text.ts';
import { Icon } from '../parts/icon.tsx';
import { Code } from '../parts/with-code.tsx';
import styles from './approval-card.module.css';

/** What other commands are doing right now with this call's resources; renders nothing if that is nothing. */
export function Meanwhile({ command }: Readonly<{ command: CommandView }>) {
  const summaries = useWorkspace((panel) => panel.commands);
  const found = meetingOf(command, [...summaries.values()]);
  if (found === null) return null;
  const { summary, resource } = found;
  return (
    <section className={styles['meanwhile']} aria-label="Meanwhile in this workspace">
      <Icon name="triangle" />
      <div>
        <b>{summary.provider} works on it right now</b>
        <Code text={lineOf(summary)} /> holds <Code text={resourceText(resource)} />. If you approve, this
        waits for it.
      </div>
      <a href={linkTo('history', summary.id)}>See the run</a>
    </section>
  );
}

function meetingOf(
  command: CommandView,
  summaries: readonly CommandSummary[],
): Readonly<{ summary: CommandSummary; resource: string }> | null {
  for (const summary of summaries) {
    if (summary.state !== 'running' || summary.id === command.id) continue;
    for (const theirs of summary.claims) {
      const mine = command.claims.find(
        (claim) =>
          (claim.access === 'write' || theirs.access === 'write') &&
          overlaps(claim.resource, theirs.resource),
      );
      if (mine !== undefined) return { summary, resource: theirs.resource };
    }
  }
  return null;
}
