import { memo, useState } from 'react';
import { useCommand } from '../api/queries.ts';
import type { CommandView } from '@signalbox/api';
import { Reasons } from '../approvals/approval-card.tsx';
import { useKeys } from '../frame/keys.ts';
import { linkTo } from '../frame/route.ts';
import { useWorkspace, useIsLive, useMayOperate } from '../workspace/panel-store.ts';
import { resourceText } from '../workspace/resource-nodes.ts';
import type { CommandSummary } from '@signalbox/api';
import { lineOf } from '../workspace/command-text.ts';
import { RefusedHosts } from '../parts/network-uses.tsx';
import { OutputView } from '../parts/output-view.tsx';
import { Plate } from '../parts/plate.tsx';
import { LevelTag, OutcomeTag } from '../parts/tags.tsx';
import { shortId } from '../parts/short-id.ts';
import { visible } from '@signalbox/core/visible-text';
import { Code, Shown } from '../parts/with-code.tsx';
import { answerText, printedText } from '../parts/result-text.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { useLiveOutput } from './use-live-output.ts';
import styles from './selected-command.module.css';

/** The selected command: its output, its claims, and buttons to end it. */
export const SelectedCommand = memo(function SelectedCommand({ id }: Readonly<{ id: string | null }>) {
  const summary = useWorkspace(({ commands }) => (id === null ? null : (commands.get(id) ?? null)));
  if (summary === null) {
    return (
      <section className="panel" aria-label="Selected command">
        <div className="panel-title">
          <h2>No command selected</h2>
        </div>
        <p className="padded dim">Select a command to see its output and files</p>
      </section>
    );
  }
  return <Known key={summary.id} summary={summary} />;
});

function Known({ summary }: Readonly<{ summary: CommandSummary }>) {
  const { data: view } = useCommand(summary.id, summary.state);
  const isRunning = summary.state === 'running';
  const live = useLiveOutput(isRunning ? summary.id : null, summary.startedAt);
  const text = isRunning ? live : printedText(view?.result) || answerText(view?.result);
  return (
    <section className="panel" aria-label="Selected command">
      <div className="panel-title">
        <Plate provider={summary.provider} />
        <h2 className="title">{lineOf(summary)}</h2>
        <OutcomeTag summary={summary} />
        <LevelTag level={summary.level} besides={summary.outcome} />
        <span className={`dim num ${styles['id']}`}>{shortId(summary.id)}</span>
        <span className="spacer" />
        <a className="btn sm quiet" href={linkTo('history', summary.id)}>
          Open
        </a>
        {summary.endedAt === null && <CancelButton summary={summary} hasKey />}
      </div>
      <div className={styles['split']}>
        {summary.state === 'awaiting_approval' && view !== undefined ? (
          <Pending view={view} />
        ) : (
          <OutputView
            text={text === '' ? emptyText(summary) : text}
            label={`Output of ${lineOf(summary)}`}
            follows={isRunning}
          />
        )}
        <Touched summary={summary} view={view ?? null} />
      </div>
    </section>
  );
}

/** Why it needs approval. It is decided on its own page, which shows everything an answer covers. */
function Pending({ view }: Readonly<{ view: CommandView }>) {
  const title = view.call.tool === 'bash' ? lineOf({ tool: 'bash', title: view.title }) : view.title;
  return (
    <div className={styles['pending']} tabIndex={0} role="region" aria-label="Why it needs approval">
      <p className="mono">
        <Shown text={title} />
      </p>
      <Reasons reasons={view.verdict?.reasons ?? []} />
      <a className="btn ask" href={linkTo('approvals', view.id)}>
        Review and decide
      </a>
    </div>
  );
}

function emptyText(summary: CommandSummary): string {
  if (summary.state === 'running') return 'No output yet';
  return summary.endedAt === null ? 'Not started yet' : 'No output';
}

function Touched({ summary, view }: Readonly<{ summary: CommandSummary; view: CommandView | null }>) {
  const files = view?.result?.files.filter(({ kind }) => kind !== 'read') ?? [];
  const underneath = view?.result?.changedUnderneath ?? [];
  return (
    <div className={styles['effects']} tabIndex={0} role="region" aria-label="Effects">
      {summary.endedAt === null ? (
        <>
          <h3>{summary.state === 'running' ? 'Holds' : 'Would hold'}</h3>
          <p>
            {summary.claims.length === 0
              ? 'Files not known yet. Its changes are staged; it claims those files when it exits'
              : 'Other Signalbox commands can’t write these until it finishes'}
          </p>
          <ul>
            {summary.claims.map(({ resource, access }) => (
              <li key={`${resource} ${access}`}>
                <em className={access === 'read' ? styles['reads'] : ''}>{access === 'read' ? 'R' : 'W'}</em>
                <span>
                  <bdi>{resourceText(resource)}</bdi>
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <>
          <h3>{files.length === 0 ? 'Wrote nothing' : 'Wrote'}</h3>
          <ul>
            {files.map(({ path, kind, linesAdded, linesRemoved }) => (
              <li key={path}>
                <em className={kind === 'created' ? styles['reads'] : ''}>
                  {kind.slice(0, 1).toUpperCase()}
                </em>
                <span>
                  <bdi>{visible(path)}</bdi>
                </span>
                <small>
                  {linesAdded === undefined ? '' : `+${linesAdded}`}{' '}
                  {linesRemoved === undefined || linesRemoved === 0 ? '' : `−${linesRemoved}`}
                </small>
              </li>
            ))}
          </ul>
        </>
      )}
      {summary.message !== null && (
        <>
          <hr />
          <h3>{summary.outcome === 'completed' ? 'Answer' : 'Why'}</h3>
          <p>
            <Shown text={summary.message} />
            {summary.rule !== null && (
              <>
                {' '}
                (<Code text={summary.rule} />)
              </>
            )}
          </p>
        </>
      )}
      <RefusedHosts result={view?.result} />
      {underneath.length > 0 && (
        <>
          <hr />
          <h3>Changed meanwhile</h3>
          <p>
            Others changed <Shown text={underneath.join(', ')} /> while it ran: it may have read the old
            content.
          </p>
        </>
      )}
    </div>
  );
}

/** @param hasKey whether `x` opens it too: for the one command that is open. */
export function CancelButton({
  summary,
  hasKey = false,
}: Readonly<{ summary: CommandSummary; hasKey?: boolean }>) {
  const isLive = useIsLive();
  const mayOperate = useMayOperate();
  const isOff = !isLive || !mayOperate;
  const [isAsking, setAsking] = useState(false);
  useKeys(hasKey && !isOff ? { x: () => setAsking(true) } : {});

  return (
    <>
      <button
        type="button"
        className="btn sm stop"
        disabled={isOff}
        title={mayOperate ? undefined : 'Requires the operator role'}
        onClick={() => setAsking(true)}
      >
        Cancel {hasKey && <kbd>X</kbd>}
      </button>
      <CancelDialog summary={summary} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}
