import { useMemo } from 'react';
import type { FileDiff } from '@signalbox/api';
import { DiffRows } from '../parts/diff-view.tsx';
import { Code } from '../parts/with-code.tsx';
import { patchRows, type PatchDirection } from './patch-rows.ts';
import { visible } from '@signalbox/core/visible-text';
import styles from './file-patch.module.css';

/** One file: its name, added and removed lines, and the rows. */
export function FilePatch({ file, way }: Readonly<{ file: FileDiff; way: PatchDirection }>) {
  const { rows, note } = useMemo(() => patchRows(file.patch, way), [file, way]);
  const [comes, goes] = way === 'forth' ? [file.added, file.removed] : [file.removed, file.added];
  const what = way === 'forth' ? 'Change of' : 'Restored in';
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
