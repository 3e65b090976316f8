import { savingsNote, savingsText } from '@signalbox/api';
import type { Savings } from '@signalbox/core';
import type { StatsRead } from '../../../client/readers/reader.ts';
import { BLANK, type Line, line, muted } from '../../../terminal/line.ts';
import { money, type RenderContext } from '../../../terminal/render-context.ts';
import { tableLines } from '../../../terminal/table.ts';

/** Compressed conversations, and single requests to models by purpose; nothing without any. */
export function sessionLines(
  { modelRequests, compressions }: Pick<StatsRead, 'modelRequests' | 'compressions'>,
  render: RenderContext,
): readonly Line[] {
  if (modelRequests.length === 0 && compressions.tokensRemoved === 0) return [];
  const { triggered, manual, autonomous, cut, tokensRemoved } = compressions;
  const count = triggered + manual + autonomous;
  const rows = modelRequests.map((one) => [
    one.purpose,
    one.asked,
    String(one.requests),
    String(one.failed),
    one.usage.inputTokens.toLocaleString('en'),
    one.usage.outputTokens.toLocaleString('en'),
    money(one.costUsd),
  ]);
  const counted = ['REQUESTS', 'FAILED', 'TOKENS IN', 'OUT', 'COST'].map((title) => ({
    title,
    align: 'right' as const,
  }));
  return [
    BLANK,
    ...(count === 0
      ? []
      : [
          line(muted(`Compressed: ${triggered} by size, ${manual} by people, ${autonomous} by models`)),
          line(muted(`  ${cut} without a summary, ${tokensRemoved.toLocaleString('en')} tokens removed`)),
        ]),
    ...(rows.length === 0
      ? []
      : tableLines([{ title: 'MODEL REQUEST' }, { title: 'ASKED' }, ...counted], rows, render)),
  ];
}

/** What models did not have to read, and what was not run again: the sum of what sessions and agents show. */
export function savedLines({
  providers,
  toolFilter,
  compressions,
}: Pick<StatsRead, 'providers' | 'toolFilter' | 'compressions'>): readonly Line[] {
  const sum = (key: 'reused' | 'savedMs' | 'savedTokens'): number =>
    providers.reduce((total, one) => total + one[key], 0);
  const tokens = {
    filters: sum('savedTokens'),
    offers: toolFilter.tokensSaved,
    compressions: compressions.tokensRemoved,
  };
  const saved: Savings = { tokens, calls: sum('reused'), ms: sum('savedMs') };
  const note = savingsNote(saved);
  const text = savingsText(saved).replace(/ saved$/, '');
  if (text === '') return [];
  return [line(muted(`Saved: ${text}`)), ...(note === '' ? [] : [line(muted(`  ${note}`))])];
}
