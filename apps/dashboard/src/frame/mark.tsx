/** A signal with its arm at clear: the logo of Signalbox. */
export function Mark() {
  return (
    <svg viewBox="0 0 20 22" fill="none" aria-hidden="true">
      <path d="M6 1v20M2.5 21h7" stroke="var(--color-ink)" strokeWidth="2" strokeLinecap="round" />
      <path d="M6 4.5 18 1.5v5L6 9z" fill="var(--color-run-solid)" />
      <circle
        cx="6"
        cy="13.5"
        r="2.5"
        fill="var(--color-panel)"
        stroke="var(--color-ink)"
        strokeWidth="1.6"
      />
    </svg>
  );
}
