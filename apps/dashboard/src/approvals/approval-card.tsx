import type { CallPreview, Reason, Suspect } from '@signalbox/core';
import type { CallArgument, CallSubject } from '@signalbox/core/call-subject';
import { refusalFrom } from '../api/client.ts';
import { suspectText, type WaitingApproval } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { patchRows } from '../changes/patch-rows.ts';
import { DiffRows, DiffView } from '../parts/diff-view.tsx';
import { Icon } from '../parts/icon.tsx';
import { Loading } from '../parts/loading.tsx';
import { LEVELS } from '../parts/status-badge.ts';
import { Plate } from '../parts/plate.tsx';
import { ShellLine } from '../parts/shell-line.tsx';
import { shortId } from '../parts/short-id.ts';
import { visible } from '@signalbox/core/visible-text';
import { Code, Shown } from '../parts/with-code.tsx';
import { capital } from '../live/state-words.ts';
import { CallFacts } from './call-facts.tsx';
import { CallTrail } from './call-trail.tsx';
import { Meanwhile } from './meanwhile.tsx';
import { changeIn, Fact, PreviewParts } from './preview-parts.tsx';
import { titleOf } from './question.ts';
import { usePreview } from './use-preview.ts';
import styles from './approval-card.module.css';
import partStyles from './preview-parts.module.css';

type Props = Readonly<{ waiting: WaitingApproval; subject: CallSubject }>;

/** Who asks, the call in a sentence, its exact text, its effects, the reasons, and what led to it. */
export function ApprovalCard({ waiting, subject }: Props) {
  const { command } = waiting;
  const level = command.verdict?.level ?? 'warning';
  const badge = LEVELS[level];
  const { provider, task } = command.context;
  const preview = usePreview(command);
  return (
    <div className={styles['sheet']} tabIndex={0} role="region" aria-label="Pending approval">
      <div className={styles['asker']}>
        <span className={styles['level']} data-tone={badge.tone}>
          <Icon name={badge.icon} />
          {capital(level)}
        </span>
        <Plate provider={provider} />
        <b>{provider}</b>
        {task !== undefined && (
          <>
            <span className="dim">·</span>
            <span className={styles['task']}>
              <Shown text={task} layout="lines" />
            </span>
          </>
        )}
        <span className="dim">·</span>
        <a className="dim num" href={linkTo('history', command.id)}>
          {shortId(command.id)}
        </a>
      </div>
      <h2 className={styles['summary']} id="lede" tabIndex={-1}>
        <Shown text={preview.data?.title ?? titleOf(subject)} />
      </h2>
      <AskedAgain waiting={waiting} />
      <section className="judged-line" aria-label="The call">
        <CallBody subject={subject} reasons={command.verdict?.reasons ?? []} preview={preview.data} />
      </section>
      {preview.data !== undefined && <PreviewParts preview={preview.data} />}
      {preview.isLoading && <Loading lines={2} />}
      {preview.isError && (
        <p className={`${partStyles['preview']} dim`}>
          What it would do could not be computed: {refusalFrom(preview.error).title}
        </p>
      )}
      <section className={styles['reasons']} aria-label="Reasons">
        <Reasons reasons={command.verdict?.reasons ?? []} />
      </section>
      <Suspects suspects={command.suspects ?? []} />
      <Meanwhile command={command} />
      <div className={styles['columns']}>
        <CallFacts command={command} />
        <CallTrail command={command} />
      </div>
    </div>
  );
}

/** What the model may have made up. */
function Suspects({ suspects }: Readonly<{ suspects: readonly Suspect[] }>) {
  if (suspects.length === 0) return null;
  return (
    <section className={styles['suspects']} aria-label="Possibly made up">
      <Icon name="triangle" />
      <div>
        <b>Possibly made up by the model</b>
        {suspects.map((one) => (
          <p key={one.text}>
            <Shown text={suspectText(one)} />
          </p>
        ))}
      </div>
    </section>
  );
}

function AskedAgain({ waiting: { command } }: Pick<Props, 'waiting'>) {
  const { approval } = command;
  const again = approval?.again.at(-1);
  if (again === undefined) return null;
  const { because } = again;
  if (because === 'writes') {
    return (
      <p className={`mid ${styles['again']}`}>
        It ran, and would change <Shown text={again.paths.join(', ')} />; none of its changes were applied.
        Approving runs it again
      </p>
    );
  }
  const what = because === 'files' ? again.paths.join(', ') : `the ${because}`;
  return (
    <p className={`mid ${styles['again']}`}>
      Review it again: <Shown text={what} /> changed since the request
    </p>
  );
}

/** Exactly what would run, or ran. */
export function CallBody({
  subject,
  reasons,
  preview,
}: Readonly<{ subject: CallSubject; reasons: readonly Reason[]; preview: CallPreview | undefined }>) {
  if (subject.kind === 'line') {
    return (
      <>
        {subject.cwd !== null && (
          <p className={styles['folder']}>
            in <Code text={subject.cwd} />
          </p>
        )}
        <ShellLine line={subject.line} reasons={reasons} />
      </>
    );
  }
  if (subject.kind === 'foreign') {
    const { origin, args } = subject;
    return (
      <div className={partStyles['preview']}>
        <Fact icon="term" label="Tool">
          <Code text={origin.tool} /> of the MCP server <Code text={origin.server} />
        </Fact>
        <Fact
          icon={origin.isConfined ? 'check' : 'triangle'}
          label="Confined"
          tone={origin.isConfined ? '' : 'stop'}
        >
          <b>
            <Shown text={origin.confinement} />
          </b>
        </Fact>
        <Arguments args={args} />
      </div>
    );
  }
  if (subject.kind === 'call') {
    return (
      <div className={partStyles['preview']}>
        <Arguments args={subject.args} />
      </div>
    );
  }
  const patch = changeIn(preview);
  const { rows, note } = patch === undefined ? { rows: null, note: null } : patchRows(patch, 'forth');
  return (
    <>
      <p className={styles['path']}>
        <Code text={subject.path} />
      </p>
      {rows === null ? (
        <DiffView before={subject.before} after={subject.after} path={subject.path} />
      ) : (
        <DiffRows
          rows={rows}
          label={`Change of ${visible(subject.path)}`}
          nothing={note ?? 'The file has this text already'}
        />
      )}
    </>
  );
}

/** All of them: only its server knows what a foreign tool does with them. */
function Arguments({ args }: Readonly<{ args: readonly CallArgument[] }>) {
  return (
    <Fact icon="file" label="Arguments">
      {args.length === 0 && <span className="dim">none</span>}
      <dl className={partStyles['args']}>
        {args.map(({ name, value }) => (
          <div key={name}>
            <dt>
              <Code text={name} />
            </dt>
            <dd>
              <Shown text={value} layout="lines" />
            </dd>
          </div>
        ))}
      </dl>
    </Fact>
  );
}

/** Numbered as in the line, with the name of each rule for looking it up. */
export function Reasons({ reasons }: Readonly<{ reasons: readonly Reason[] }>) {
  return (
    <ol className="reason-list">
      {reasons.map(({ level, code, text }, at) => {
        const { icon, tone } = LEVELS[level];
        return (
          <li key={at}>
            <span className="number" data-tone={tone}>
              {level === 'safe' ? '' : at + 1}
            </span>
            <span className="tag" data-tone={tone}>
              <Icon name={icon} />
              {level}
            </span>
            <p>
              <Shown text={capital(text)} />
            </p>
            <span className="rule">{code}</span>
          </li>
        );
      })}
    </ol>
  );
}
