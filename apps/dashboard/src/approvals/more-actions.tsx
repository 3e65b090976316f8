import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './more-actions.module.css';

/** Actions that don't fit on a phone next to the two answers. Closes on a press elsewhere and on Escape. */
export function MoreActions({ children }: Readonly<{ children: (close: () => void) => ReactNode }>) {
  const [isOpen, setOpen] = useState(false);
  const own = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: Event): void => {
      const isInside = event.target instanceof Node && own.current?.contains(event.target) === true;
      if (!isInside || (event instanceof KeyboardEvent && event.key === 'Escape')) setOpen(false);
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', close);
    };
  }, [isOpen]);
  return (
    <div className={styles['more']} ref={own}>
      <button
        type="button"
        className="btn"
        aria-label="More actions"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      {isOpen && <div className={styles['list']}>{children(() => setOpen(false))}</div>}
    </div>
  );
}
