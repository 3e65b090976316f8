import { sessionEnding, type SessionView } from '@signalbox/api';
import { as, type Line, line, muted, type Piece } from '../terminal/line.ts';
import { count, dateAndTime, money, plural, type RenderContext } from '../terminal/render-context.ts';
import { tableLines } from '../terminal/table.ts';
import { sessionIcon } from './session-word.ts';

const COLUMNS = [
  { title: 'STARTED', isSpare: true },
  { title: 'ID' },
  { title: 'PROVIDER' },
  { title: 'STATE' },
  { title: 'TURNS', align: 'right' },
  { title: 'TOKENS', align: 'right', isSpare: true },
  { title: 'COST', align: 'right' },
  { title: 'TASK', gives: 'end' },
] as const;

/** A session a row, running ones first. */
export function sessionsView(sessions: readonly SessionView[], render: RenderContext): readonly Line[] {
  if (sessions.length === 0) return [line('No sessions'), line(muted('signalbox run "…"   starts one'))];
  const running = sessions.filter(({ state }) => state === 'running').length;
  const rows = sessions.map((session) => [
    muted(dateAndTime(session.startedAt, render)),
    as('bold', session.id.slice('ses_'.length)),
    session.provider,
    stateCell(session),
    String(session.turns),
    count(session.usage.inputTokens + session.usage.outputTokens),
    money(session.costUsd),
    session.task.replaceAll(/\s+/g, ' '),
  ]);
  const total = `${running} running · ${plural(sessions.length, 'session')} · signalbox sessions show ID`;
  return [...tableLines(COLUMNS, rows, render), line(muted(total))];
}

function stateCell({ state, finish, waitsFor, needsTurns, isResting }: SessionView): Piece {
  if (state === 'ended') {
    const { role } = sessionIcon(finish ?? 'failed');
    return as(role, sessionEnding(finish).toLowerCase());
  }
  if (waitsFor !== null || needsTurns) return as('warn', 'waits for you');
  return as('text', isResting ? 'waits for the check' : 'running');
}
