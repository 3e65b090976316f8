import type { CallPreview, PreviewCommit, PreviewPart, UndoForecast } from '@signalbox/core';
import type { ReactNode } from 'react';
import { patchRows } from '../changes/patch-rows.ts';
import { byteText } from '@signalbox/api';
import { DiffRows } from '../parts/diff-view.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { visible } from '@signalbox/core/visible-text';
import { Code, Shown } from '../parts/with-code.tsx';
import { splitPatch } from './split-patch.ts';
import styles from './preview-parts.module.css';

/** What the call would do: files, commits, remote, script, hosts, and whether it can be undone. */
export function PreviewParts({ preview }: Readonly<{ preview: CallPreview }>) {
  const { parts, undo } = preview;
  return (
    <section className={styles['preview']} aria-label="What it would do">
      {parts.map((part, at) => (
        <Part key={at} part={part} />
      ))}
      <Undo undo={undo} />
    </section>
  );
}

/** The patch of the one file that the call changes; undefined if it is not completely known. */
export function changeIn(preview: CallPreview | undefined): string | undefined {
  const part = preview?.parts.find((one) => one.kind === 'diff' && one.heading === 'Change');
  return part?.kind === 'diff' && !part.isCut ? part.patch : undefined;
}

function Part({ part }: Readonly<{ part: PreviewPart }>) {
  switch (part.kind) {
    case 'removal':
      return <Removal part={part} />;
    case 'diff':
      return part.heading === 'Change' ? null : <Difference part={part} />;
    case 'push':
      return <Push part={part} />;
    case 'script':
      return (
        <Fact icon="term" label="Script">
          <Code text={part.path} />
          <pre
            className={styles['script']}
            tabIndex={0}
            role="region"
            aria-label={`Text of ${visible(part.path)}`}
          >
            <Shown text={part.text} layout="lines" />
            {part.isCut && '\n… the rest is not shown'}
          </pre>
        </Fact>
      );
    case 'hosts':
      return (
        <Fact icon="globe" label="Contacts">
          {part.hosts.length === 0 ? (
            'hosts that aren’t known beforehand'
          ) : (
            <Code text={part.hosts.join(', ')} />
          )}
          {part.hosts.length > 0 && part.isOpen && ', and others that aren’t known beforehand'}
        </Fact>
      );
    case 'unavailable':
      return (
        <Fact icon="triangle" label="Unknown">
          <Shown text={`${part.what} could not be computed: ${part.why}`} />
        </Fact>
      );
  }
}

export function Fact({
  icon,
  label,
  tone = '',
  children,
}: Readonly<{ icon: IconName; label: string; tone?: string; children: ReactNode }>) {
  return (
    <div className={styles['fact']} data-tone={tone}>
      <Icon name={icon} />
      <span className={styles['label']}>{label}</span>
      <div>{children}</div>
    </div>
  );
}

function Removal({ part }: Readonly<{ part: Extract<PreviewPart, { kind: 'removal' }> }>) {
  const { path, isFolder, files, bytes, names, isCounted } = part;
  return (
    <Fact icon="cross" label="Deletes" tone="stop">
      {isFolder ? (
        <>
          <b>
            {isCounted ? '' : 'more than '}
            {counted(files, 'file')}, {byteText(bytes)}
          </b>{' '}
          under <Code text={path} />
          <Names names={names} count={files} />
        </>
      ) : (
        <>
          <Code text={path} /> <span className="dim">{byteText(bytes)}</span>
        </>
      )}
    </Fact>
  );
}

const SHOWN_NAMES = 6;

function Names({ names, count }: Readonly<{ names: readonly string[]; count: number }>) {
  const left = count - Math.min(names.length, SHOWN_NAMES);
  return (
    <ul className={styles['names']}>
      {names.slice(0, SHOWN_NAMES).map((name) => (
        <li key={name}>
          <Code text={name} />
        </li>
      ))}
      {left > 0 && names.length > 0 && <li className="dim">and {left.toLocaleString('en-US')} more</li>}
    </ul>
  );
}

function Difference({ part }: Readonly<{ part: Extract<PreviewPart, { kind: 'diff' }> }>) {
  const { heading, files, fileCount, patch, isCut, isOvertaken } = part;
  const isTaken = heading.startsWith('Uncommitted work');
  const sum = (key: 'added' | 'removed'): number => files.reduce((all, file) => all + (file[key] ?? 0), 0);
  return (
    <Fact icon="branch" label={isTaken ? 'Takes' : heading === 'Would be committed' ? 'Commits' : 'Stages'}>
      <b>{fileCount === 0 ? 'nothing' : counted(fileCount, 'file')}</b>
      {fileCount > 0 && (
        <span className="num dim">
          {' '}
          +{sum('added')} −{sum('removed')}
        </span>
      )}
      {isTaken && <span> {visible(heading.replace(/^.*?: /, ''))}</span>}
      {isOvertaken === true && <span className="dim"> now; the rest of the line changes files first</span>}
      {splitPatch(patch).map((file) => {
        const { rows, note } = patchRows(file.patch, 'forth');
        return (
          <details key={file.path} className={styles['file']} open={fileCount <= 3}>
            <summary>
              <Code text={file.path} />
            </summary>
            <DiffRows
              rows={rows}
              label={`Change of ${visible(file.path)}`}
              nothing={note ?? 'No text changes'}
            />
          </details>
        );
      })}
      {isCut && <p className="dim">The rest of the difference is not shown</p>}
    </Fact>
  );
}

function Push({ part }: Readonly<{ part: Extract<PreviewPart, { kind: 'push' }> }>) {
  const { remote, url, from, to, deed, commits, commitCount, lost, lostCount, notes } = part;
  return (
    <>
      <Fact icon="globe" label="Remote">
        {remote !== url && <b>{remote}</b>}{' '}
        {url === null ? <span className="dim">not configured</span> : <Code text={url} />}
      </Fact>
      {deed !== 'delete' && (
        <Fact icon="branch" label="Sends">
          <b>{counted(commitCount, 'commit')}</b> <Code text={`${from} → ${to}`} />
          {deed === 'create' && <span className="dim"> a new branch there</span>}
          <Commits commits={commits} count={commitCount} />
        </Fact>
      )}
      {(deed === 'delete' || deed === 'overwrite') && (
        <Fact icon="cross" label={deed === 'delete' ? 'Deletes' : 'Overwrites'} tone="stop">
          {deed === 'delete' && <Code text={to} />}{' '}
          {lostCount > 0 ? (
            <>
              <b>{counted(lostCount, 'commit')}</b> of the remote, as of the last fetch
            </>
          ) : (
            deed === 'overwrite' && 'nothing as of the last fetch'
          )}
          <Commits commits={lost} count={lostCount} />
        </Fact>
      )}
      {notes.length > 0 && (
        <Fact icon="triangle" label="Also">
          <Shown text={notes.join(', ')} />
        </Fact>
      )}
    </>
  );
}

function Commits({ commits, count }: Readonly<{ commits: readonly PreviewCommit[]; count: number }>) {
  const left = count - Math.min(commits.length, SHOWN_NAMES);
  return (
    <ul className={styles['names']}>
      {commits.slice(0, SHOWN_NAMES).map(({ id, subject }) => (
        <li key={id}>
          <code>{id}</code> <Shown text={subject} />
        </li>
      ))}
      {left > 0 && commits.length > 0 && <li className="dim">and {left.toLocaleString('en-US')} more</li>}
    </ul>
  );
}

function Undo({ undo }: Readonly<{ undo: UndoForecast }>) {
  const isSafe = undo.kind === 'yes' || undo.kind === 'unneeded';
  return (
    <Fact icon={isSafe ? 'check' : 'triangle'} label="Undo" tone={isSafe ? 'ok' : 'wait'}>
      <b>{{ yes: 'Yes', partly: 'Partly', no: 'No', unneeded: 'Not needed' }[undo.kind]}</b>
      <span className="dim">
        {' '}
        {undo.kind === 'yes' ? (
          undo.until
        ) : undo.kind === 'unneeded' ? (
          'it changes nothing'
        ) : (
          <Shown text={undo.why} />
        )}
      </span>
    </Fact>
  );
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
