import { type ReactNode, useState } from 'react';
import { refusalFrom } from '../api/client.ts';
import { linkTo, useRoute } from '../frame/route.ts';
import { useIsLive, useMayOperate } from '../workspace/panel-store.ts';
import { EmptyLane } from '../parts/empty-lane.tsx';
import { Loading } from '../parts/loading.tsx';
import { Plate } from '../parts/plate.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Code, Shown } from '../parts/with-code.tsx';
import { Checks } from './checks.tsx';
import { HiddenFiles } from './hidden-files.tsx';
import { CommitForm } from './commit-form.tsx';
import { ReviewedFile } from './reviewed-file.tsx';
import { type FileToReview, isKept, undosOf, type UndoToSend } from './review-files.ts';
import { useIsWide } from './split-diff.tsx';
import { useEndedSince, useKept, useReview, useUndo } from './use-review.ts';
import styles from './review-page.module.css';

/** Changes by provider and file, to keep, undo or commit; leaving the page changes nothing. */
export function ReviewPage() {
  const { query } = useRoute();
  const session = query.get('session');
  const { review, files } = useReview(session);
  const { kept, keep, refusal: notKept } = useKept();
  const [committed, setCommitted] = useState<ReactNode>(null);
  const [openKey, setOpenKey] = useState<string | null>(null);
  const [isSplitWanted, setSplitWanted] = useState(false);
  const isWide = useIsWide();
  const undoing = useUndo();
  const mayUndo = useMayOperate();
  const isOff = !useIsLive() || !mayUndo || undoing.isSending;
  const isOlder = useEndedSince(review.dataUpdatedAt);
  const open = files?.find(({ key }) => key === openKey) ?? files?.[0] ?? null;

  const whyOff = mayUndo ? undefined : 'Requires the operator role';

  function undo(calls: readonly UndoToSend[], what: string): void {
    setCommitted(null);
    void undoing.undo(calls, what);
  }

  return (
    <>
      <div className="page-head">
        <h1>Review</h1>
        {files !== null && files.length > 0 && <Counts files={files} kept={kept} />}
        <span className="spacer" />
        {session !== null && (
          <a className="btn quiet" href={linkTo('review')}>
            Show all sessions
          </a>
        )}
        {isWide && open !== null && (
          <button
            type="button"
            className="btn quiet"
            aria-pressed={isSplitWanted}
            onClick={() => setSplitWanted(!isSplitWanted)}
          >
            {isSplitWanted ? 'One column' : 'Side by side'}
          </button>
        )}
        {isOlder && (
          <button type="button" className="btn" onClick={() => void review.refetch()}>
            Show newer changes
          </button>
        )}
      </div>
      <p className={`status ${styles['message']}`} role="status">
        {committed ?? <Shown text={undoing.notice} />}
      </p>
      {open !== null && <Checks checks={review.data?.checks ?? []} />}
      {open !== null && <HiddenFiles hidden={review.data?.hidden ?? []} />}
      {notKept !== null && <RefusalNote refusal={notKept} />}
      {undoing.refusal !== null && <RefusalNote refusal={undoing.refusal} />}
      {review.isError ? (
        <RefusalNote refusal={refusalFrom(review.error)} onRetry={() => void review.refetch()} />
      ) : files === null ? (
        <Loading />
      ) : open === null ? (
        <section className="panel">
          <EmptyLane title="No changes to review">
            <p>
              Files that providers change appear here, to be kept or undone one by one. All commands stand in
              the <a href={linkTo('history')}>history</a>
            </p>
          </EmptyLane>
        </section>
      ) : (
        <div className="two-columns">
          <FileList
            files={files}
            kept={kept}
            openKey={open.key}
            isOff={isOff}
            onOpen={setOpenKey}
            onUndo={(of, what) => undo(undosOf(of), what)}
          />
          <ReviewedFile
            key={open.key}
            of={open}
            kept={kept}
            isOff={isOff}
            whyOff={whyOff}
            isSplit={isSplitWanted && isWide}
            onKeep={(keys) => void keep(keys)}
            onUndo={undo}
          />
        </div>
      )}
      {review.data !== undefined && files !== null && files.length > 0 && (
        <CommitForm
          files={files}
          kept={kept}
          review={review.data}
          isOff={isOff}
          whyOff={whyOff}
          // Equal parts of responses are the same object: TanStack Query shares their structure.
          isCurrent={async () => (await review.refetch()).data?.providers === review.data.providers}
          onCommitted={setCommitted}
        />
      )}
    </>
  );
}

function Counts({ files, kept }: Readonly<{ files: readonly FileToReview[]; kept: ReadonlySet<string> }>) {
  const providers = new Set(files.map(({ provider }) => provider)).size;
  const paths = new Set(files.map(({ file }) => file.path)).size;
  return (
    <div className="page-counts">
      <span>
        <b>{paths}</b> {paths === 1 ? 'file' : 'files'}
      </span>
      <span>
        <b>{providers}</b> {providers === 1 ? 'provider' : 'providers'}
      </span>
      <span>
        <b>{new Set(files.filter((one) => isKept(one, kept)).map(({ file }) => file.path)).size}</b> kept
      </span>
    </div>
  );
}

function FileList({
  files,
  kept,
  openKey,
  isOff,
  onOpen,
  onUndo,
}: Readonly<{
  files: readonly FileToReview[];
  kept: ReadonlySet<string>;
  openKey: string;
  isOff: boolean;
  onOpen: (key: string) => void;
  onUndo: (files: readonly FileToReview[], what: string) => void;
}>) {
  const [armed, setArmed] = useState<string | null>(null);
  return (
    <div className={styles['files']}>
      {[...Map.groupBy(files, ({ provider }) => provider)].map(([provider, own]) => (
        <section key={provider} aria-label={`Changed by ${provider}`}>
          <h2>
            <Plate provider={provider} />
            {provider}
            <button
              type="button"
              className={armed === provider ? 'btn sm stop' : 'btn sm quiet'}
              disabled={isOff}
              onBlur={() => setArmed(null)}
              onClick={() => {
                if (armed !== provider) return setArmed(provider);
                setArmed(null);
                onUndo(own, `All of ${provider}`);
              }}
            >
              {armed === provider ? `Press again to undo ${own.length}` : 'Undo all'}
            </button>
          </h2>
          <ul>
            {own.map((one) => (
              <li key={one.key}>
                <button
                  type="button"
                  className={styles['file']}
                  {...(one.key === openKey ? { 'aria-current': 'true' } : {})}
                  onClick={() => onOpen(one.key)}
                >
                  <Code text={one.file.path} />
                  <span className="num">
                    <ins>+{one.file.added}</ins> <del>−{one.file.removed}</del>
                  </span>
                  <Notes of={one} kept={kept} />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Notes({ of, kept }: Readonly<{ of: FileToReview; kept: ReadonlySet<string> }>) {
  const { alsoChangedBy, isCurrent, isByHand, isDeleted } = of.file;
  const byHand = isDeleted === true ? 'deleted by hand since' : 'edited by hand since';
  return (
    <>
      {alsoChangedBy.length > 0 && <small data-tone="wait">also changed by {alsoChangedBy.join(', ')}</small>}
      {!isCurrent && <small data-tone="wait">{isByHand ? byHand : 'changed since'}</small>}
      {isKept(of, kept) && <small data-tone="ok">✓ kept</small>}
    </>
  );
}
