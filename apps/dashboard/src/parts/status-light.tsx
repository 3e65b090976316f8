import styles from './status-light.module.css';
export type LightState = 'stop' | 'caution' | 'clear' | 'person' | 'dark';

const LIT: Readonly<Record<LightState, number>> = { stop: 0, caution: 1, clear: 2, person: -1, dark: -1 };
const NAMES: Readonly<Record<LightState, string>> = {
  stop: 'Signal at stop',
  caution: 'Signal at caution',
  clear: 'Signal clear',
  person: 'A person decides',
  dark: 'Signal dark',
};
const COLOURS: Readonly<Record<LightState, string>> = {
  stop: 'var(--color-wait-solid)',
  caution: 'var(--color-wait-solid)',
  clear: 'var(--color-run-solid)',
  person: 'var(--color-ask-solid)',
  dark: 'none',
};

/** Three lamps, top to bottom stop, caution, clear: the position says the same as the colour. */
export function StatusLight({ state }: Readonly<{ state: LightState }>) {
  return (
    <svg className={styles['light']} viewBox="0 0 18 44" role="img" aria-label={NAMES[state]}>
      {state === 'person' ? (
        <>
          <path d="M9 10 17 22 9 34 1 22z" fill="var(--color-ask-solid)" />
          <path d="M9 17v6M9 27v.01" stroke="var(--color-on-ask)" strokeWidth="2.2" strokeLinecap="round" />
        </>
      ) : (
        <>
          <rect
            x="1"
            y="1"
            width="16"
            height="42"
            rx="8"
            fill="var(--color-sunken)"
            stroke="var(--color-edge)"
          />
          {[9, 22, 35].map((y, lamp) =>
            lamp === LIT[state] ? (
              <circle key={y} cx="9" cy={y} r="5" fill={COLOURS[state]} />
            ) : (
              <circle
                key={y}
                cx="9"
                cy={y}
                r="3.2"
                fill="none"
                stroke="var(--color-rail)"
                strokeWidth="1.4"
              />
            ),
          )}
        </>
      )}
    </svg>
  );
}
