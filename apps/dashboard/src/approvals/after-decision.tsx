import { useCommand } from '../api/queries.ts';
import { changedOf } from '../changes/changed-files.tsx';
import { UndoButton } from '../changes/undo-button.tsx';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { OutcomeTag } from '../parts/tags.tsx';
import styles from './approvals-list.module.css';

/** What the user has just done. */
export type DecisionNotice = Readonly<{ text: string; commandId: string | null }>;

/** The last decision made here, its result, and how to undo it. */
export function AfterDecision({ notice: { text, commandId } }: Readonly<{ notice: DecisionNotice }>) {
  const summary = useWorkspace(({ commands }) =>
    commandId === null ? null : (commands.get(commandId) ?? null),
  );
  const isDone = summary?.state === 'done';
  const { data: command } = useCommand(isDone ? commandId : null, 'done');
  return (
    <div className={styles['decided']}>
      <p className="status" role="status">
        {text}
      </p>
      {summary !== null && (
        <>
          <OutcomeTag summary={summary} />
          <a className="btn sm quiet" href={linkTo('history', summary.id)}>
            Open
          </a>
        </>
      )}
      {isDone && command !== undefined && changedOf(command).length > 0 && <UndoButton command={command} />}
    </div>
  );
}
