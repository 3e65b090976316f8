import { type CommandView, reportRows, reportText } from '@signalbox/api';
import { Shown } from '../parts/with-code.tsx';
import styles from './command-detail.module.css';

/** The result lists no more. */
const MAX_ROWS = 20;

/** What tests or a linter reported: counts, then the first failures with their places. */
export function ReportedChecks({ result }: Pick<CommandView, 'result'>) {
  const report = result?.report;
  if (result === null || report === undefined) return null;
  return (
    <section className="detail-part" aria-label={report.kind === 'tests' ? 'Tests' : 'Findings'}>
      <h3>{report.kind === 'tests' ? 'Tests' : 'Findings'}</h3>
      <p>{reportText(report)}</p>
      {reportRows(result, MAX_ROWS).map((row, at) => (
        <pre key={at} className={styles['reported']}>
          <Shown text={row} />
        </pre>
      ))}
    </section>
  );
}
