import { byteText, NETWORK_REMEDY, refusalText, refusedIn } from '@signalbox/api';
import type { CommandResult, NetworkUse } from '@signalbox/core';
import { Code, Shown } from './with-code.tsx';
import styles from './network-uses.module.css';

type Result = Pick<CommandResult, 'network' | 'offline' | 'failure'> | null | undefined;

/** Hosts that a command was refused, why, and what to do; renders nothing without any. */
export function RefusedHosts({ result }: Readonly<{ result: Result }>) {
  const refused = refusedIn(result);
  // A failure already says it.
  const offline = result?.failure === null ? (result.offline ?? []) : [];
  if (offline.length > 0)
    return (
      <div className={styles['refused-hosts']} role="note" aria-label="Ran without network">
        {offline.map((text) => (
          <p key={text} className="dim">
            {text}
          </p>
        ))}
      </div>
    );
  if (refused.length === 0) return null;
  return (
    <div className={styles['refused-hosts']} role="note" aria-label="Refused by the network gate">
      <ul>
        {refused.map((use) => (
          <li key={use.target}>
            <b>Network refused:</b> <Shown text={refusalText(use)} />
          </li>
        ))}
      </ul>
      <p className="dim">{NETWORK_REMEDY}</p>
    </div>
  );
}

/** All connections of a command through its gate: refused ones first, then hosts that were reached or failed. */
export function NetworkUses({ result }: Readonly<{ result: Result }>) {
  const others = (result?.network ?? []).filter(({ outcome }) => outcome !== 'refused');
  if ((result?.network ?? []).length === 0) return null;
  return (
    <section className="detail-part" aria-label="Network">
      <h3>Network</h3>
      <RefusedHosts result={result} />
      <ul className="file-list">
        {others.map((use) => (
          <li key={`${use.outcome} ${use.target}`}>
            <Code text={use.target} />
            {use.why !== null && (
              <span>
                <Shown text={use.why} />
              </span>
            )}
            <span className="num">{trafficText(use)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `reached · 12 connections · 1.2 MiB received`. */
function trafficText({ outcome, connections, receivedBytes, sentBytes }: NetworkUse): string {
  return [
    outcome,
    ...(connections > 1 ? [`${connections} connections`] : []),
    ...(receivedBytes > 0 ? [`${byteText(receivedBytes)} received`] : []),
    ...(sentBytes > 0 ? [`${byteText(sentBytes)} sent`] : []),
  ].join(' · ');
}
