import { useState } from 'react';
import type { CommandView } from '@signalbox/api';
import { linkTo } from '../frame/route.ts';
import { dayText } from '../workspace/time-text.ts';
import { summaryOf, duration } from '@signalbox/api';
import { lineOf } from '../workspace/command-text.ts';
import { workspaceNow } from '../workspace/use-now.ts';
import { LEVELS } from '../parts/status-badge.ts';
import { Icon } from '../parts/icon.tsx';
import { Plate } from '../parts/plate.tsx';
import { OutcomeTag } from '../parts/tags.tsx';
import { Code } from '../parts/with-code.tsx';
import styles from './history-page.module.css';

export function HistoryRow({
  command,
  isOpen,
  filters,
}: Readonly<{ command: CommandView; isOpen: boolean; filters: URLSearchParams }>) {
  const { call, context, result, ruling, title, verdict } = command;
  const [today] = useState(workspaceNow);
  const badge = verdict === null ? null : LEVELS[verdict.level];
  return (
    <a
      className={isOpen ? `${styles['row']} ${styles['open']}` : styles['row']}
      data-command={command.id}
      href={linkTo('history', command.id, filters)}
      {...(isOpen ? { 'aria-current': 'true' } : {})}
    >
      <time>{dayText(command.submittedAt, today)}</time>
      <Plate provider={context.provider} />
      <span className={styles['line']}>
        <Code text={lineOf({ tool: call.tool, title })} />
      </span>
      <span className={styles['level']} data-tone={badge?.tone ?? ''}>
        {badge !== null && <Icon name={badge.icon} />}
        {badge?.word}
      </span>
      <span className="dim">{ruling?.kind}</span>
      <OutcomeTag summary={summaryOf(command)} />
      <span className={`num ${styles['duration']}`}>
        {result === null ? '' : duration(result.durationMs)}
      </span>
    </a>
  );
}
