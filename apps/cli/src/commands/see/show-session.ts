import { COMPRESSION_WORDS, compressionNote, savingsNote, savingsText, sessionEnding } from '@signalbox/api';
import { UsageError } from '@signalbox/core';
import { findSession } from '../../client/readers/find-session.ts';
import type { SessionRead } from '../../client/readers/reader.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { money, plural, type RenderContext, timeOfDay } from '../../terminal/render-context.ts';

/** `signalbox status ses_ID`: a session, and how its conversation was compressed. */
export async function showSession(typed: string, context: Context): Promise<void> {
  const read = await withReader(context, async (reader) => {
    const id = await findSession(reader.commands, typed);
    const found = await reader.session(id);
    if (found === null)
      throw new UsageError('unknown-id', `Cannot find session "${typed}"`, { next: ['signalbox commands'] });
    return found;
  });
  context.answer({ json: () => read, lines: (render) => sessionLines(read, render) });
}

function sessionLines({ session, compressions }: SessionRead, render: RenderContext): readonly Line[] {
  const { provider, model, task, state, finish, turns, calls, context, usage, costUsd, saved } = session;
  const tokens = (count: number): string => count.toLocaleString('en');
  const of = context.of === null ? 'size of the context unknown' : `of ${tokens(context.of)}`;
  return [
    line(
      as('bold', session.id),
      ` ${provider} `,
      muted(model),
      ` ${state === 'running' ? 'running' : sessionEnding(finish)}`,
    ),
    line(muted('task      '), task),
    line(muted('turns     '), `${turns}, ${plural(calls, 'call')}`),
    line(
      muted('tokens    '),
      `${tokens(usage.inputTokens)} in, ${tokens(usage.outputTokens)} out, ${money(costUsd)}`,
    ),
    ...savedLines(saved),
    line(muted('context   '), `${tokens(context.tokens)} tokens, ${of}`),
    ...compressions.map((one) =>
      line(
        muted(`${timeOfDay(one.at, render)}  `),
        `${COMPRESSION_WORDS[one.how]} (${one.method})`,
        muted(`   ${compressionNote(one)}`),
      ),
    ),
  ];
}

function savedLines(saved: SessionRead['session']['saved']): readonly Line[] {
  const text = savingsText(saved).replace(/ saved$/, '');
  return text === '' ? [] : [line(muted('saved     '), text, muted(`   ${savingsNote(saved)}`))];
}
