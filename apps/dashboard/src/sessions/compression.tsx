import { COMPRESSION_WORDS, compressionNote, type TranscriptItem } from '@signalbox/api';
import { Icon } from '../parts/icon.tsx';
import { Shown } from '../parts/with-code.tsx';
import { timeOfDay } from '../workspace/time-text.ts';
import { ModelText } from './model-text.tsx';
import styles from './transcript.module.css';

type CompressionItem = Extract<TranscriptItem, { kind: 'compression' }>;

/** Where the model stopped reading the turns above, and what it reads instead. */
export function Compression({ item }: Readonly<{ item: CompressionItem }>) {
  return (
    <li>
      <time>{timeOfDay(item.at)}</time>
      <span className={styles['marker']}>
        <Icon name="bar" />
      </span>
      <div className={styles['entry']}>
        <b>{COMPRESSION_WORDS[item.how]}</b> <small className="dim num">{item.method}</small>
        <p>
          <Shown text={compressionNote(item)} />
        </p>
        {item.summary !== '' && (
          <details>
            <summary>What it reads instead of the turns above</summary>
            <ModelText text={item.summary} />
          </details>
        )}
      </div>
    </li>
  );
}
