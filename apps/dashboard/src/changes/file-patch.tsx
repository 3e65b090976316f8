import { useMemo } from 'react';
import type { FileDiff } from '@signalbox/api';
import { DiffRows } from '../parts/diff-view.tsx';
import { Code } from '../parts/with-code.tsx';
import { patchRows, type PatchDirection } from './patch-rows.ts';
import { visible } from '@signalbox/core/visible-text';
import styles from './file-patch.module.css';

/** One file: its name, added and removed lines, and the rows. */
export function FilePatch({ file, direction }: Readonly<{ file: FileDiff; direction: PatchDirection }>) {
  const { rows, note } = useMemo(() => patchRows(file.patch, direction), [file, direction]);
  const [comes, goes] = direction === 'forth' ? [file.added, file.removed] : [file.removed, file.added];
  const what = direction === 'forth' ? 'Change of' : 'Restored in';
  return (
    <section className={styles['file-patch']}>
      <h3>
        <Code text={file.path} />
        <span className="num">
          +{comes} −{goes}
        </span>
      </h3>
      <DiffRows
        rows={rows}
        label={`${what} ${visible(file.path)}`}
        nothing={note ?? 'The text stays the same'}
      />
    </section>
  );
}
