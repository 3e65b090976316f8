import { useMemo } from 'react';
import { patchRows } from '../changes/patch-rows.ts';
import { linkTo } from '../frame/route.ts';
import { DiffRows } from '../parts/diff-view.tsx';
import { shortId } from '../parts/short-id.ts';
import { Code, Shown } from '../parts/with-code.tsx';
import type { FileToReview, HunkToReview, UndoToSend } from './review-files.ts';
import { isKept, undosOf } from './review-files.ts';
import { SplitDiff } from './split-diff.tsx';
import { visible } from '@signalbox/core/visible-text';
import styles from './reviewed-file.module.css';
import patchStyles from '../changes/file-patch.module.css';

type Props = Readonly<{
  of: FileToReview;
  kept: ReadonlySet<string>;
  isOff: boolean;
  whyOff: string | undefined;
  /** Old and new side by side. */
  isSplit: boolean;
  onKeep: (keys: readonly string[]) => void;
  onUndo: (calls: readonly UndoToSend[], what: string) => void;
}>;

/** One file: each of its changes, each hunk with its own two buttons. */
export function ReviewedFile(props: Props) {
  const { of, kept, isOff, whyOff, onKeep, onUndo } = props;
  const { file, provider, hunks } = of;
  const name = visible(file.path);
  return (
    <article className={`panel ${styles['reviewed']}`} aria-label={name}>
      <header>
        <h2>
          <Code text={file.path} />
        </h2>
        <div className="actions">
          <button
            type="button"
            className="btn"
            disabled={isKept(of, kept)}
            onClick={() => onKeep([of.key, ...hunks.map(({ key }) => key)])}
          >
            {isKept(of, kept) ? 'Kept' : 'Keep'}
          </button>
          <button
            type="button"
            className="btn stop"
            disabled={isOff}
            title={whyOff}
            onClick={() => onUndo(undosOf([of]), name)}
          >
            Undo
          </button>
        </div>
      </header>
      {!file.isCurrent && (
        <p data-tone="wait">
          {file.isByHand
            ? `${file.isDeleted === true ? 'Deleted' : 'Edited'} by hand since`
            : `${provider} is not the last one to change this file`}
          : it can’t be undone as a whole. Single hunks can be undone where their lines are still the same
        </p>
      )}
      <div className="scroll" tabIndex={0} role="region" aria-label={`Changes of ${name}`}>
        {file.changes.map((change) => {
          const own = hunks.filter(({ command }) => command === change.command);
          return (
            <section key={change.command} className={patchStyles['file-patch']}>
              <h3>
                <Shown text={change.title} />
                <a className="num" href={linkTo('history', change.command)}>
                  {shortId(change.command)}
                </a>
              </h3>
              {own.length === 0 ? (
                <Rows patch={change.patch} label={`Change of ${name}`} />
              ) : (
                own.map((hunk, at) => (
                  <Hunk key={hunk.key} {...props} hunk={hunk} hasActs={hunks.length > 1} number={at + 1} />
                ))
              )}
            </section>
          );
        })}
      </div>
    </article>
  );
}

function Hunk({
  hunk,
  number,
  hasActs,
  kept,
  isOff,
  whyOff,
  isSplit,
  onKeep,
  onUndo,
}: Props & Readonly<{ hunk: HunkToReview; number: number; hasActs: boolean }>) {
  const { key, command, path, head, patch } = hunk;
  const what = `hunk ${number} of ${visible(path)}`;
  return (
    <div className={kept.has(key) ? `${styles['hunk']} ${styles['kept']}` : styles['hunk']}>
      <p className={styles['hunk-head']}>
        <code>{head}</code>
        {hasActs && (
          <>
            <button
              type="button"
              className="btn sm quiet"
              disabled={kept.has(key)}
              aria-label={`Keep ${what}`}
              onClick={() => onKeep([key])}
            >
              {kept.has(key) ? 'Kept' : 'Keep'}
            </button>
            <button
              type="button"
              className="btn sm quiet"
              disabled={isOff}
              title={whyOff}
              aria-label={`Undo ${what}`}
              onClick={() => onUndo([{ command, paths: [path], hunk: head }], `Hunk ${head} of ${path}`)}
            >
              Undo
            </button>
          </>
        )}
      </p>
      {isSplit ? (
        <SplitDiff patch={patch} head={head} label={`Change of ${what}`} />
      ) : (
        <Rows patch={patch} label={`Change of ${what}`} />
      )}
    </div>
  );
}

function Rows({ patch, label }: Readonly<{ patch: string; label: string }>) {
  const { rows, note } = useMemo(() => patchRows(patch, 'forth'), [patch]);
  return <DiffRows rows={rows} label={label} nothing={note ?? 'No text changes'} />;
}
