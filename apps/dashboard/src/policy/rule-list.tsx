import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, type Refusal, refusalFrom } from '../api/ask.ts';
import type { RuleView } from '../api/views.ts';
import { useIsLive } from '../house/panel-store.ts';
import { Loading } from '../parts/loading.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Code } from '../parts/with-code.tsx';

/** Your own rules with where each stands; the built-in ones show when a line meets them. */
export function RuleList() {
  const query = useQuery({
    queryKey: ['rules'],
    queryFn: async () => (await ask<{ rules: readonly RuleView[] }>('GET', '/api/policy/rules')).rules,
  });
  return (
    <section className="panel rows" aria-label="Your rules">
      <div className="ptitle">
        <h2>Your rules</h2>
        <span className="spring" />
        <ReloadButton />
      </div>
      {query.isError && (
        <RefusalNote refusal={refusalFrom(query.error)} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Loading lines={3} />}
      {query.data?.length === 0 && (
        <p className="pad mid">
          None yet: the built-in rules decide. <Code text="signalbox rules add" /> writes one, with examples
          that must match and must not
        </p>
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>Rule</th>
              <th>Ruling</th>
              <th>Speaks of</th>
              <th>Stands in</th>
            </tr>
          </thead>
          <tbody>
            {query.data.map((rule) => (
              <tr key={`${rule.source} ${rule.id}`}>
                <td>
                  <Code text={rule.id} />
                  {rule.because !== null && <p className="dim">{rule.because}</p>}
                </td>
                <td>
                  {rule.ruling}
                  {!rule.isTrusted && <p className="dim">not trusted yet: without effect</p>}
                </td>
                <td>
                  <Code text={matchText(rule)} />
                </td>
                <td>{rule.source}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** `program: git, args: push`: what the rule was written with. */
function matchText({ match }: RuleView): string {
  return Object.entries(match)
    .filter(([key, value]) => key !== 'kind' && value !== null && String(value) !== '')
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

function ReloadButton() {
  const isLive = useIsLive();
  const queries = useQueryClient();
  const [said, setSaid] = useState('');
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  async function reload(): Promise<void> {
    setRefusal(null);
    try {
      const { changed } = await ask<{ changed: boolean }>('POST', '/api/policy/reload', {});
      setSaid(changed ? 'Read again: the new policy is in force' : 'Read again: nothing changed');
      await queries.invalidateQueries({ queryKey: ['rules'] });
    } catch (error) {
      setSaid('The old policy stays in force');
      setRefusal(refusalFrom(error));
    }
  }

  return (
    <>
      <span className="said" role="status">
        {said}
      </span>
      <button type="button" className="btn sm" disabled={!isLive} onClick={() => void reload()}>
        Read settings again
      </button>
      {refusal !== null && <RefusalNote refusal={refusal} />}
    </>
  );
}
