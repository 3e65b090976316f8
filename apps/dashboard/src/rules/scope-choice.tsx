import type { RuleScope } from '@signalbox/api';
import { WithCode } from '../parts/with-code.tsx';
import styles from './scope-choice.module.css';

const SCOPES: Readonly<Record<RuleScope, readonly [string, string]>> = {
  session: ['This session', 'ends with it; not written to a file'],
  local: ['This workspace, only you', '.signalbox/local.yaml'],
  workspace: [
    'This workspace, everyone',
    'signalbox.yaml; an allow rule takes effect after `signalbox rules trust`',
  ],
  user: ['All your workspaces', 'your own settings'],
};

/** The scope of a rule, and the file it will be stored in. */
export function ScopeChoice<Scope extends RuleScope>({
  scope,
  scopes,
  mayWrite,
  onScope,
}: Readonly<{
  scope: Scope;
  scopes: readonly Scope[];
  /** A rule beyond the session is stored in a file, which requires an operator. */
  mayWrite: boolean;
  onScope: (scope: Scope) => void;
}>) {
  return (
    <fieldset className={styles['scopes']}>
      <legend>For whom</legend>
      {scopes.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name="scope"
            value={one}
            checked={scope === one}
            disabled={one !== 'session' && !mayWrite}
            onChange={() => onScope(one)}
          />
          <b>{SCOPES[one][0]}</b>
          <span>
            {one !== 'session' && !mayWrite ? (
              'requires the operator role'
            ) : (
              <WithCode text={SCOPES[one][1]} />
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
