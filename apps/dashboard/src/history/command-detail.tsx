import { callSubject } from '@signalbox/core/call-subject';
import { refusalFrom } from '../api/client.ts';
import { useCommand } from '../api/queries.ts';
import type { CommandView } from '@signalbox/api';
import { CallBody, Reasons } from '../approvals/approval-card.tsx';
import { decidedText } from '../approvals/decided-bar.tsx';
import { LateAnswer } from '../approvals/late-answer.tsx';
import { ChangedFiles } from '../changes/changed-files.tsx';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { timeOfDay } from '../workspace/time-text.ts';
import { visible } from '@signalbox/core/visible-text';
import { claimSourceText, gatesText, summaryOf, duration, reasonsUnder, reuseText } from '@signalbox/api';
import { lineOf } from '../workspace/command-text.ts';
import { useNow } from '../workspace/use-now.ts';
import { CancelButton } from '../live/selected-command.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { NetworkUses } from '../parts/network-uses.tsx';
import { Plate } from '../parts/plate.tsx';
import { RefusalNote } from '../parts/refusal-note.tsx';
import { printedText } from '../parts/result-text.ts';
import { LevelTag, OutcomeTag } from '../parts/tags.tsx';
import { Code, Shown } from '../parts/with-code.tsx';
import { stepsOf } from './command-steps.ts';
import { ReportedChecks } from './reported-checks.tsx';
import { StoredOutput } from './stored-output.tsx';
import styles from './command-detail.module.css';

/** One whole command: its steps, verdict, ruling, approval, output and changes. */
export function CommandDetail({ id, filters }: Readonly<{ id: string; filters: URLSearchParams }>) {
  const state = useWorkspace(({ commands }) => commands.get(id)?.state ?? 'done');
  const query = useCommand(id, state);
  return (
    <section className={`panel ${styles['detail']}`} aria-label="Command">
      <div className="panel-title">
        <a className="icon-button" href={linkTo('history', null, filters)} aria-label="Back to the list">
          <Icon name="cross" />
        </a>
        {query.data !== undefined && <Title command={query.data} />}
      </div>
      <div className="scroll" tabIndex={0} role="region" aria-label="Command details">
        {query.isError && (
          <RefusalNote refusal={refusalFrom(query.error)} onRetry={() => void query.refetch()} />
        )}
        {query.isPending && <Loading />}
        {query.data !== undefined && <Parts command={query.data} />}
      </div>
    </section>
  );
}

function Title({ command }: Readonly<{ command: CommandView }>) {
  const summary = summaryOf(command);
  return (
    <>
      <Plate provider={summary.provider} />
      <h2 className="title">{lineOf(summary)}</h2>
      <span className="spacer" />
      <OutcomeTag summary={summary} />
      <LevelTag level={summary.level} besides={summary.outcome} />
      {summary.endedAt === null && <CancelButton summary={summary} hasKey />}
    </>
  );
}

function Parts({ command }: Readonly<{ command: CommandView }>) {
  const now = useNow();
  const { approval, result, ruling, verdict } = command;
  const failure = result === null || result.outcome.kind === 'completed' ? null : result.outcome.failure;
  return (
    <>
      <Steps command={command} />
      {failure !== null && (
        <section className={`detail-part ${styles['failure']}`}>
          <h3>Why it ended this way</h3>
          <p>
            <Shown text={failure.message} />
          </p>
          {failure.why?.map((why) => (
            <pre key={why}>
              <Shown text={why} />
            </pre>
          ))}
          {failure.suggestion !== undefined && (
            <p className="dim">
              <Shown text={failure.suggestion} />
            </p>
          )}
        </section>
      )}
      <section className="detail-part judged-line">
        <CallBody
          subject={callSubject(command)}
          reasons={reasonsUnder(ruling, verdict)}
          preview={undefined}
        />
        <Reasons reasons={reasonsUnder(ruling, verdict)} />
      </section>
      {ruling !== null && (
        <section className="detail-part">
          <h3>Ruling</h3>
          <p>
            <b>{ruling.kind}</b> by rule <Code text={ruling.rule} /> ({ruling.source}):{' '}
            <Shown text={ruling.reason} />
          </p>
          {approval !== null && <p>{decidedText(command, now)}</p>}
          <LateAnswer command={command} />
        </section>
      )}
      <ReportedChecks result={result} />
      <NetworkUses result={result} />
      <ChangedFiles command={command} />
      {/* The failure is shown above; only its output adds to that. */}
      {result !== null && (failure === null || printedText(result) !== '') && (
        <StoredOutput command={command} />
      )}
      <Numbers command={command} />
    </>
  );
}

function Steps({ command }: Readonly<{ command: CommandView }>) {
  return (
    <ol className={styles['steps']} aria-label="Path of the command">
      {stepsOf(command).map(({ name, at, after, tone }) => (
        <li key={name} data-tone={tone}>
          <i aria-hidden="true" />
          <b>{name}</b>
          <time>{timeOfDay(at)}</time>
          {after !== null && <small>+{after}</small>}
        </li>
      ))}
    </ol>
  );
}

function Numbers({ command }: Readonly<{ command: CommandView }>) {
  const { context, lease, result } = command;
  const memory = result?.usage?.peakMemoryBytes ?? null;
  const cpu = result?.usage?.cpuMs ?? null;
  const rows: readonly (readonly [string, string | null])[] = [
    ['Command', command.id],
    ['Session', context.sessionId],
    ['Trust', context.trust],
    ['Fencing token', lease === null ? null : String(lease.fencingToken)],
    ['Judged', visible(gatesText(command)) || null],
    ['Content from', visible(claimSourceText(command)) || null],
    ['Exit code', result?.exitCode == null || result.exitCode < 0 ? null : String(result.exitCode)],
    ['Ran for', result === null || result.reusedFrom !== undefined ? null : duration(result.durationMs)],
    ['Result of', result?.reusedFrom === undefined ? null : reuseText(result.reusedFrom)],
    ['Waited for a lease', result === null ? null : duration(result.waitedMs)],
    ['Waited for approval', result === null ? null : duration(result.approvalMs)],
    ['Sandbox', result?.isolation?.layer ?? null],
    ['Processor time', cpu === null ? null : duration(cpu)],
    ['Peak memory', memory === null ? null : `${(memory / 1_048_576).toFixed(1)} MiB`],
  ];
  return (
    <dl className={`detail-part ${styles['numbers']}`}>
      {rows.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
