import type { CommandView } from '../api/views.ts';
import { resourceText } from '../house/resource-nodes.ts';
import { Icon } from '../parts/icon.tsx';
import { Code, Shown } from '../parts/with-code.tsx';
import { effectRows } from './effect-text.ts';

/** What the call would touch, and what an approval is worth. */
export function CallFacts({ command }: Readonly<{ command: CommandView }>) {
  const rows = effectRows(command.verdict?.effects ?? []);
  const { approval, claims } = command;
  const names = claims.map(({ resource }) => resourceText(resource));
  return (
    <section>
      <h2>What it would touch</h2>
      {rows.length === 0 && <p className="mid">Nothing that the rules know of</p>}
      <ul className="facts">
        {rows.map(({ icon, kind, text }) => (
          <li key={`${kind} ${text}`}>
            <Icon name={icon} />
            <span>{kind}</span>
            <Code text={text} />
          </li>
        ))}
      </ul>
      <h2 className="next-head">If you approve</h2>
      <p className="mid">
        It runs once, exactly this call
        {names.length > 0 && (
          <>
            , and claims <Code text={names.join(', ')} />
          </>
        )}
        . If the call, its files or the policy change before it runs, you are asked again.
      </p>
      {approval !== null && approval.base.unbound.length > 0 && (
        <p className="said">
          Not watched for changes: <Shown text={approval.base.unbound.join('; ')} />
        </p>
      )}
    </section>
  );
}
