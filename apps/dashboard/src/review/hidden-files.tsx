import type { ReviewView } from '@signalbox/api';
import { visible } from '@signalbox/core/visible-text';
import styles from './checks.module.css';

/** Changes that are not in the list, because a provider made git ignore them. */
export function HiddenFiles({ hidden }: Readonly<{ hidden: ReviewView['hidden'] }>) {
  if (hidden.length === 0) return null;
  return (
    <ul className={styles['checks']} aria-label="Ignored files">
      {hidden.map(({ provider, by, fileCount, paths }) => (
        <li key={by} data-tone="wait">
          <span aria-hidden="true">!</span>
          {fileCount} changed {fileCount === 1 ? 'file is' : 'files are'} ignored by git since {provider}{' '}
          changed {visible(by)}: {paths.map((path) => visible(path)).join(', ')}
          {fileCount > paths.length && ` and ${fileCount - paths.length} more`}
        </li>
      ))}
    </ul>
  );
}
