import type { Diagram } from './diagram-model.ts';
import styles from './lane-diagram.module.css';

type Props = Readonly<{
  idle: Diagram['idle'];
  ended: Diagram['ended'];
  /** Whether lanes of ended sessions are drawn. */
  withEnded: boolean;
  onWithEnded: (withEnded: boolean) => void;
}>;

/** Lanes that are not drawn, in one line. */
export function QuietLanes({ idle, ended, withEnded, onWithEnded }: Props) {
  const hasEnded = withEnded || ended.length > 0;
  if (idle.length === 0 && !hasEnded) return null;
  return (
    <p className={`${styles['foot-note']} ${styles['quiet-lanes']}`}>
      {hasEnded && (
        <button
          type="button"
          className="btn sm quiet"
          title={ended.join(', ')}
          aria-expanded={withEnded}
          onClick={() => onWithEnded(!withEnded)}
        >
          {withEnded ? 'Hide ended' : `${ended.length} ended`}
        </button>
      )}
      {idle.length > 0 && (
        <span title={idle.join(', ')}>
          {idle.length === 1 ? '1 provider' : `${idle.length} providers`} without calls
        </span>
      )}
    </p>
  );
}
