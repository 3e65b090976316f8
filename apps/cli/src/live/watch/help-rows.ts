import { gap } from '../../terminal/cells.ts';
import { type Line, line } from '../../terminal/line.ts';
import { needsSecondKey } from '../../views/approval-view.ts';
import type { FrameData } from './frame-data.ts';

/** All keys of the live screen; while a prompt is open, only those that apply to it. */
export function helpRows(question: FrameData['question']): readonly Line[] {
  const remember = question !== null && needsSecondKey(question.record) ? '' : 'r remember   ';
  return [
    ' Move      ↑↓ jk lane   ↵ open   Esc back   z zoom pane   ←→ Tab other panes',
    ` Decide    a approve   d deny   m modify   v view   ${remember}+ 5 min`,
    '           N later   p approvals left for later',
    ' Act       n new session   r review (R while a question is open)',
    '           c cancel   u undo   o output   y copy id',
    ' Find      / search (n next, N before)   f filter, Tab completes, - negates',
    '           provider:openai  state:waiting  tool:bash  path:src/  level:>=warning',
    ' See       s sort by attention   e ended   Space freezes   PgUp PgDn G scroll',
    ' Icons     ⚡ running  ⏳ waiting  ✓ done  ≠ exit code not 0  ✗ failed',
    '           ! needs approval  ⊘ denied  ○ cancelled  ? lost',
    ' q quits; work continues. To stop work: c here, or signalbox cancel --all',
  ].map((row) => line(...row.split(/( {2,})/).map((part) => (part.trim() === '' ? gap(part.length) : part))));
}
