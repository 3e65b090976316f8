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
      className={isOpen ? 'hrow open' : 'hrow'}
      href={linkTo('history', command.id, filters)}
      {...(isOpen ? { 'aria-current': 'true' } : {})}
    >
      <time>{dayText(command.submittedAt, today)}</time>
      <Plate provider={context.provider} />
      <span className="what">
        <Code text={lineOf({ tool: call.tool, title })} />
      </span>
      <span className={`level-word ${badge?.tone ?? ''}`}>
        {badge !== null && <Icon name={badge.icon} />}
        {badge?.word}
      </span>
      <span className="dim">{ruling?.kind}</span>
      <OutcomeTag summary={summaryOf(command)} />
      <span className="num took">{result === null ? '' : duration(result.durationMs)}</span>
    </a>
  );
}
