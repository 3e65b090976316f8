import { clockTime } from '@signalbox/api';
import type { Panel } from '../workspace/panel.ts';
import { lineOf } from '../workspace/command-text.ts';
import { OutcomeTag } from '../parts/tags.tsx';
import { Code, WithCode } from '../parts/with-code.tsx';
import { linkTo } from '../frame/route.ts';
import { stateWords } from './state-words.ts';

/** The same facts as the diagram, in rows. */
export function LaneTable({ panel, now }: Readonly<{ panel: Panel; now: number }>) {
  const alive = [...panel.commands.values()].filter(({ endedAt }) => endedAt === null);
  return (
    <section className="panel rows" aria-label="Unfinished commands" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Provider</th>
            <th>Command</th>
            <th>State</th>
            <th>For</th>
            <th>Why</th>
          </tr>
        </thead>
        <tbody>
          {alive.map((summary) => {
            const { since, lines } = stateWords(summary, now, panel);
            return (
              <tr key={summary.id}>
                <td>{summary.provider}</td>
                <td>
                  <a href={linkTo('history', summary.id)}>
                    <Code text={lineOf(summary)} />
                  </a>
                </td>
                <td>
                  <OutcomeTag summary={summary} />
                </td>
                <td className="num">{since === null ? '' : clockTime(now - since)}</td>
                <td>
                  <WithCode text={lines.join('. ')} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {alive.length === 0 && <p className="padded dim">No commands are running or waiting</p>}
    </section>
  );
}
