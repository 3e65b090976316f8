import type { CommandView } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { overlaps, resourceText } from '../workspace/resource-nodes.ts';
import type { CommandSummary } from '@signalbox/api';
import { lineOf } from '../workspace/train.ts';
import { Icon } from '../parts/icon.tsx';
import { Code } from '../parts/with-code.tsx';

/** What others do right now on what this call would touch; nothing when that is nothing. */
export function Meanwhile({ command }: Readonly<{ command: CommandView }>) {
  const trains = useWorkspace((panel) => panel.commands);
  const found = meetingOf(command, [...trains.values()]);
  if (found === null) return null;
  const { train, resource } = found;
  return (
    <section className="mean" aria-label="Meanwhile in this workspace">
      <Icon name="triangle" />
      <div>
        <b>{train.provider} works on it right now</b>
        <Code text={lineOf(train)} /> holds <Code text={resourceText(resource)} />. If you approve, this waits
        for it.
      </div>
      <a href={linkTo('history', train.id)}>See the run</a>
    </section>
  );
}

function meetingOf(
  command: CommandView,
  trains: readonly CommandSummary[],
): Readonly<{ train: CommandSummary; resource: string }> | null {
  for (const train of trains) {
    if (train.state !== 'running' || train.id === command.id) continue;
    for (const theirs of train.claims) {
      const mine = command.claims.find(
        (claim) =>
          (claim.access === 'write' || theirs.access === 'write') &&
          overlaps(claim.resource, theirs.resource),
      );
      if (mine !== undefined) return { train, resource: theirs.resource };
    }
  }
  return null;
}
