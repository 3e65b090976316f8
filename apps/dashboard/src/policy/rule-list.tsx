import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type ApiRefusal, refusalFrom } from '../api/client.ts';
import type { RuleView } from '@signalbox/api';
import { useIsLive } from '../workspace/panel-store.ts';
import { Loading } from '../parts/loading.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { Code, Shown } from '../parts/with-code.tsx';
import { RemoveRule } from './remove-rule.tsx';
import { RuleEditor } from './rule-editor.tsx';

/** Your own rules and where each is stored; built-in ones are shown when a line matches them. */
export function RuleList() {
  const query = useQuery({
    queryKey: ['rules'],
    queryFn: async () => (await client.listRules()).rules,
  });
  const [notice, setNotice] = useState('');
  return (
    <section className="panel rows" aria-label="Your rules">
      <div className="panel-title">
        <h2>Your rules</h2>
        <span className="status" role="status">
          {notice}
        </span>
        <span className="spacer" />
        <RuleEditor onWritten={setNotice} />
        <ReloadButton />
      </div>
      {query.isError && (
        <RefusalNote refusal={refusalFrom(query.error)} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Loading lines={3} />}
      {query.data?.length === 0 && (
        <p className="padded mid">
          No rules yet; the built-in rules apply. A new rule’s examples are checked before it is saved
        </p>
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>Rule</th>
              <th>Ruling</th>
              <th>Matches</th>
              <th>Stored in</th>
              <th>
                <span className="sr">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {query.data.map((rule) => (
              <tr key={`${rule.source} ${rule.id}`}>
                <td>
                  <Code text={rule.id} />
                  {rule.because !== null && (
                    <p className="dim">
                      <Shown text={rule.because} />
                    </p>
                  )}
                </td>
                <td>
                  {rule.ruling}
                  {!rule.isTrusted && <p className="dim">not trusted: has no effect</p>}
                  {rule.endsAt !== null && <p className="dim">expires {endText(rule.endsAt)}</p>}
                </td>
                <td>
                  <Code text={matchText(rule)} />
                </td>
                <td>
                  <Shown text={rule.source} />
                  <p className="dim">{WHOSE[rule.layer]}</p>
                </td>
                <td className="right">
                  {rule.list === 'rules' && <RemoveRule rule={rule} onRemoved={setNotice} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const WHOSE: Readonly<Record<RuleView['layer'], string>> = {
  user: 'yours, for all workspaces',
  workspace: 'shared with everyone in this workspace',
  local: 'yours, for this workspace',
  session: 'only that session; ends with it',
};

function endText(at: number): string {
  return new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
}

/** `program: git, args: push`: the matcher as written. */
function matchText({ match }: RuleView): string {
  return Object.entries(match)
    .filter(([key, value]) => key !== 'kind' && value !== null && String(value) !== '')
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

function ReloadButton() {
  const isLive = useIsLive();
  const queries = useQueryClient();
  const [notice, setNotice] = useState('');
  const [refusal, setRefusal] = useState<ApiRefusal | null>(null);

  async function reload(): Promise<void> {
    setRefusal(null);
    try {
      const { changed } = await client.reloadPolicy();
      setNotice(changed ? 'Reloaded: the new policy is active' : 'Reloaded: nothing changed');
      await queries.invalidateQueries({ queryKey: ['rules'] });
    } catch (error) {
      setNotice('The previous policy stays active');
      setRefusal(refusalFrom(error));
    }
  }

  return (
    <>
      <span className="status" role="status">
        {notice}
      </span>
      <button type="button" className="btn sm" disabled={!isLive} onClick={() => void reload()}>
        Reload settings
      </button>
      {refusal !== null && <RefusalNote refusal={refusal} />}
    </>
  );
}
