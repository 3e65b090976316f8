import { claimSourceText, type CommandView, gatesText } from '@signalbox/api';
import { resourceText } from '../workspace/resource-nodes.ts';
import { Icon } from '../parts/icon.tsx';
import { Code, Shown } from '../parts/with-code.tsx';
import { effectRows } from './effect-text.ts';
import styles from './approval-card.module.css';

/** What the call would touch, and what an approval covers. */
export function CallFacts({ command }: Readonly<{ command: CommandView }>) {
  const rows = effectRows(command.verdict?.effects ?? []);
  const { approval, claims } = command;
  const names = claims.map(({ resource }) => resourceText(resource));
  return (
    <section>
      <h2>Effects</h2>
      {rows.length === 0 && <p className="mid">No known effects</p>}
      <ul className={styles['facts']}>
        {rows.map(({ icon, kind, text }) => (
          <li key={`${kind} ${text}`}>
            <Icon name={icon} />
            <span>{kind}</span>
            <Code text={text} />
          </li>
        ))}
      </ul>
      <Judged command={command} />
      <h2 className={styles['next']}>If you approve</h2>
      <p className="mid">
        Exactly this call runs once
        {names.length > 0 && (
          <>
            , and claims <Code text={names.join(', ')} />
          </>
        )}
        . If the call, a file covered by this approval or the policy changes first, you are asked again.
      </p>
      {approval !== null && approval.base.unbound.length > 0 && (
        <p className="status">
          Not checked for changes: <Shown text={approval.base.unbound.join('; ')} />
        </p>
      )}
    </section>
  );
}

/** What gates decided before you were asked, and where the call's content first appeared. */
function Judged({ command }: Readonly<{ command: CommandView }>) {
  const [judged, source] = [gatesText(command), claimSourceText(command)];
  if (judged === '') return null;
  return (
    <>
      <h2 className={styles['next']}>Judged</h2>
      <p className="mid">
        <Shown text={judged} />
      </p>
      {source !== '' && (
        <p className="mid">
          Content from <Shown text={source} />
        </p>
      )}
    </>
  );
}
