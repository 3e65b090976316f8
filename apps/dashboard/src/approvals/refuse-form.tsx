import { useState } from 'react';
import styles from './decide-bar.module.css';

/** The reason is optional; the provider reads it and continues. */
export function RefuseForm({
  provider,
  isOff,
  onBack,
  onRefuse,
}: Readonly<{ provider: string; isOff: boolean; onBack: () => void; onRefuse: (reason: string) => void }>) {
  const [reason, setReason] = useState('');
  return (
    <form
      className={`${styles['bar']} ${styles['wide']}`}
      aria-label="Deny"
      onKeyDown={({ key }) => key === 'Escape' && onBack()}
      onSubmit={(event) => {
        event.preventDefault();
        onRefuse(reason.trim());
      }}
    >
      <label className="field">
        Reason for {provider} (optional)
        <input
          // The user has just requested this field.
          autoFocus
          value={reason}
          maxLength={2000}
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
      <button type="button" className="btn quiet" onClick={onBack}>
        Back
      </button>
      <button type="submit" className="btn stop" disabled={isOff}>
        Deny
      </button>
    </form>
  );
}
