import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { type CommandView, clockTime, QUESTION_WORD } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { useWorkspace } from '../workspace/panel-store.ts';
import { timeOfDay } from '../workspace/time-text.ts';
import { lineOf } from '../workspace/command-text.ts';
import { workspaceNow, useNow } from '../workspace/use-now.ts';
import { Icon } from '../parts/icon.tsx';
import { LEVELS, type StatusBadge } from '../parts/status-badge.ts';
import { Plate } from '../parts/plate.tsx';
import { Code } from '../parts/with-code.tsx';
import type { ApprovalGroup } from './approval-groups.ts';
import { NotifyChoice } from './notify-choice.tsx';
import { RefuseGroup } from './refuse-group.tsx';
import { isAnswerable } from './late-answer.tsx';
import { visible } from '@signalbox/core/visible-text';
import styles from './approvals-list.module.css';

type Props = Readonly<{
  /** False until the server has listed the approvals. */
  isKnown: boolean;
  groups: readonly ApprovalGroup[];
  /** Decided here recently: they keep their place for a while. */
  settling: ReadonlyMap<string, string>;
  openId: string | null;
  fresh: number;
  onShowFresh: () => void;
  onStep: (by: number) => void;
  onRefused: (group: ApprovalGroup) => void;
}>;

export function ApprovalsList({
  isKnown,
  groups,
  settling,
  openId,
  fresh,
  onShowFresh,
  onStep,
  onRefused,
}: Props) {
  const waiting = groups.flatMap(({ members }) => members).filter(({ command }) => !settling.has(command.id));
  const at = waiting.findIndex(({ command }) => command.id === openId);
  return (
    <aside className={styles['list']} aria-label="Approvals">
      <div className={styles['heading']}>
        <h1>Approvals</h1>
        {fresh > 0 && (
          <button type="button" className={styles['arrived']} onClick={onShowFresh}>
            {fresh} new, show {fresh === 1 ? 'it' : 'them'}
          </button>
        )}
        {waiting.length > 1 && (
          <span className={styles['pager']}>
            <button type="button" className="icon-button" aria-label="Previous" onClick={() => onStep(-1)}>
              ‹
            </button>
            {at + 1} of {waiting.length}
            <button type="button" className="icon-button" aria-label="Next" onClick={() => onStep(1)}>
              ›
            </button>
          </span>
        )}
      </div>
      <div className={styles['groups']}>
        <h2>
          <span>Pending</span>
          <span className="num">{isKnown ? waiting.length : '?'}</span>
        </h2>
        {groups.map((group) => (
          <WaitingGroup
            key={group.key}
            group={group}
            settling={settling}
            openId={openId}
            onRefused={() => onRefused(group)}
          />
        ))}
        <Today />
        <NotifyChoice />
      </div>
    </aside>
  );
}

function WaitingGroup({
  group: { key, provider, what, members },
  group,
  settling,
  openId,
  onRefused,
}: Readonly<{
  group: ApprovalGroup;
  settling: ReadonlyMap<string, string>;
  openId: string | null;
  onRefused: () => void;
}>) {
  const items = members.map(({ command }) => (
    <WaitingItem
      key={command.id}
      command={command}
      decision={settling.get(command.id)}
      isOpen={command.id === openId}
    />
  ));
  if (key === '' || members.length === 1) return items;
  return (
    <section className={styles['group']} aria-label={`${provider}: ${visible(what)}`}>
      <div className={styles['group-head']}>
        <h3>
          {provider} · <Code text={what} /> <span className="num">{members.length}</span>
        </h3>
        <RefuseGroup group={group} onRefused={onRefused} />
      </div>
      {items}
    </section>
  );
}

function WaitingItem({
  command,
  decision,
  isOpen,
}: Readonly<{ command: CommandView; decision: string | undefined; isOpen: boolean }>) {
  const now = useNow();
  const badge = badgeOf(command);
  return (
    <a
      className={decision === undefined && isOpen ? `${styles['item']} ${styles['open']}` : styles['item']}
      data-settled={decision === undefined ? undefined : true}
      href={linkTo('approvals', command.id)}
      {...(isOpen ? { 'aria-current': 'true' } : {})}
    >
      <Plate provider={command.context.provider} />
      <span className={styles['line']}>{textOf(command)}</span>
      <time>{clockTime(now - (command.approval?.requestedAt ?? command.submittedAt))}</time>
      <small data-tone={decision === undefined ? badge.tone : ''}>
        {decision === undefined && <Icon name={badge.icon} />}
        {decision ?? badge.word} · {command.context.provider}
      </small>
    </a>
  );
}

function badgeOf({ approval, verdict }: CommandView): StatusBadge {
  if (approval?.question !== undefined) return { icon: 'diamond', word: QUESTION_WORD, tone: 'ask' };
  return LEVELS[verdict?.level ?? 'warning'];
}

function textOf({ call, title, approval }: CommandView): string {
  if (approval?.question !== undefined) return approval.question.text;
  return lineOf({ tool: call.tool, title });
}

const MAX_RECENT = 12;

/** Approvals decided since midnight, and calls denied without one. */
function Today() {
  const endings = useWorkspace((panel) => panel.endings);
  const { data } = useQuery({
    queryKey: ['today', endings],
    queryFn: () => {
      const midnight = new Date(workspaceNow()).setHours(0, 0, 0, 0);
      return client.listCommands({ limit: 200, from: midnight });
    },
    placeholderData: (before) => before,
  });
  const commands = data?.commands ?? [];
  const late = commands.filter(isAnswerable);
  const decided = commands.filter(
    (one) => one.approval !== null && one.approval.status !== 'pending' && !isAnswerable(one),
  );
  const refused = commands.filter(({ ruling }) => ruling?.kind === 'deny');
  return (
    <>
      <Group title="Expired, can still be answered" commands={late} wordsOf={decisionWords} />
      <Group title="Decided today" commands={decided} wordsOf={decisionWords} />
      <Group title="Denied by policy" commands={refused} wordsOf={refusalWords} />
    </>
  );
}

type Words = Readonly<{ tone: string; word: string; about: string }>;

function Group({
  title,
  commands,
  wordsOf,
}: Readonly<{ title: string; commands: readonly CommandView[]; wordsOf: (command: CommandView) => Words }>) {
  if (commands.length === 0) return null;
  return (
    <>
      <h2>
        <span>{title}</span>
        <span className="num">{commands.length}</span>
      </h2>
      {commands.slice(0, MAX_RECENT).map((command) => {
        const { tone, word, about } = wordsOf(command);
        return (
          <a key={command.id} className={styles['item']} href={linkTo('history', command.id)}>
            <Plate provider={command.context.provider} />
            <span className={styles['line']}>{textOf(command)}</span>
            <time>{timeOfDay(command.endedAt ?? command.submittedAt).slice(0, 5)}</time>
            <small>
              <span data-tone={tone}>{word}</span> {about}
            </small>
          </a>
        );
      })}
    </>
  );
}

function decisionWords({ approval, verdict }: CommandView): Words {
  const level = verdict?.level ?? '';
  if (approval?.question !== undefined && approval.status === 'granted')
    return { tone: 'ok', word: 'Answered', about: `by ${visible(approval.by.name)}` };
  if (approval?.status === 'granted') {
    const word = approval.modifiedFrom === undefined ? 'Approved' : 'Approved, modified';
    return { tone: 'ok', word, about: `by ${visible(approval.by.name)} · ${level}` };
  }
  if (approval?.status === 'refused')
    return { tone: 'stop', word: 'Denied', about: `by ${visible(approval.by.name)} · ${level}` };
  return { tone: '', word: 'Expired', about: `· ${level}` };
}

function refusalWords({ ruling }: CommandView): Words {
  const isBlocked = ruling?.kind === 'deny' && ruling.outcome === 'blocked';
  return isBlocked
    ? { tone: 'stop', word: 'Blocked', about: '· can’t be approved' }
    : { tone: 'stop', word: 'Denied', about: `· rule ${ruling?.rule ?? ''}` };
}
