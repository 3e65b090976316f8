import { BuiltInRules } from './built-in-rules.tsx';
import { ModeCard } from './mode-card.tsx';
import { RuleList } from './rule-list.tsx';
import { TryLine } from './try-line.tsx';
import styles from './policy-page.module.css';

/** The ruling on a line, the rule behind it, and the mode. */
export function PolicyPage() {
  return (
    <>
      <div className="page-head">
        <h1>Policy</h1>
      </div>
      <TryLine />
      <div className={styles['layout']}>
        <RuleList />
        <ModeCard />
      </div>
      <BuiltInRules />
    </>
  );
}
