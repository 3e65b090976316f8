import { useState } from 'react';
import { workspaceNow } from '../workspace/use-now.ts';
import { RULE_ENDS, withEnd } from './rule-end.ts';
import styles from './rule-fields.module.css';

type Props = Readonly<{
  text: string;
  /** A session rule ends with its session. */
  hasEnd: boolean;
  onText: (text: string) => void;
}>;

/** The rule as YAML, editable in place, and its expiry. */
export function RuleFields({ text, hasEnd, onText }: Props) {
  const [days, setDays] = useState('');
  return (
    <>
      <label className="field">
        Rule as YAML
        <textarea
          // The user has just requested this field.
          autoFocus
          className="mono"
          spellCheck={false}
          rows={Math.min(12, Math.max(5, text.split('\n').length))}
          value={text}
          onChange={({ target }) => onText(target.value)}
        />
      </label>
      {hasEnd && (
        <label className={`field ${styles['ending']}`}>
          For how long
          <select
            value={days}
            onChange={({ target }) => {
              setDays(target.value);
              onText(withEnd(text, target.value, { now: workspaceNow() }));
            }}
          >
            {RULE_ENDS.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}
