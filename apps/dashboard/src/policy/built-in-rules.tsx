import { useQuery } from '@tanstack/react-query';
import { client, refusalFrom } from '../api/client.ts';
import type { RuleStepView } from '@signalbox/api';
import { Loading } from '../parts/loading.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Code } from '../parts/with-code.tsx';
import styles from './built-in-rules.module.css';

const TONES: Readonly<Record<RuleStepView['ruling'], string>> = { deny: 'stop', ask: 'ask', allow: 'ok' };

/** What decides if no user rule matches. */
export function BuiltInRules() {
  const query = useQuery({
    queryKey: ['built-in-rules'],
    // An explanation lists every rule, whatever the line: this one is harmless.
    queryFn: async () =>
      (await client.explainLine({ line: 'true' })).rules.filter(({ source }) => source === 'built in'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section className={`panel rows ${styles['built-in']}`} aria-label="Built-in rules">
      <div className="panel-title">
        <h2>Built-in rules</h2>
        <small className="dim">Evaluated top to bottom; the strictest match wins</small>
      </div>
      {query.isError && (
        <RefusalNote refusal={refusalFrom(query.error)} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Loading lines={3} />}
      {query.data !== undefined && (
        <ol>
          {query.data.map(({ rule, ruling, says }) => (
            <li key={rule}>
              <b data-tone={TONES[ruling]}>{ruling}</b>
              <Code text={rule} />
              <span>{says}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
