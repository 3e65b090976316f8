import { type ReactNode, useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import styles from './dialog.module.css';

/** The browser's own modal dialog: it keeps the focus inside, and `Escape` closes it. */
export function Dialog({
  title,
  isOpen,
  isWide = false,
  onClose,
  children,
}: Readonly<{
  title: string;
  isOpen: boolean;
  /** For diffs and code. */
  isWide?: boolean;
  onClose: () => void;
  children: ReactNode;
}>) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) ref.current?.showModal();
    else ref.current?.close();
  }, [isOpen]);
  return createPortal(
    <dialog
      ref={ref}
      className={isWide ? `${styles['dialog']} ${styles['wide']}` : styles['dialog']}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      {isOpen && (
        <div className={styles['inside']}>
          <h2>{title}</h2>
          {children}
        </div>
      )}
    </dialog>,
    // Outside of the styles around its button.
    document.body,
  );
}
