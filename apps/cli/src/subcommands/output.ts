import { readFileSync } from 'node:fs';
import type { CommandRecord } from '@signalbox/core';
import * as z from 'zod';
import { CountArgument } from '../frame/argument-schemas.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { findCommand } from '../frame/find-command.ts';
import { withRecords } from '../frame/with-records.ts';
import { line, muted } from '../screen/line.ts';
import { leftOut, outputHead, outputView } from '../views/output-view.ts';

/** `signalbox output e7pa`: the text alone on standard output, as it was printed where that is no terminal. */
export const output = defineSubcommand({
  name: 'output',
  args: z.object({ id: z.string(), stderr: z.boolean().default(false), tail: CountArgument.optional() }),
  async run({ id, stderr, tail }, context) {
    const record = await withRecords(context, ({ store }) => findCommand(store, id));
    const look = context.lookOfTalk();
    context.say([outputHead(record, look)]);
    const { result } = record;
    if (result === null) {
      context.say([
        line(muted(`It has not ended yet: ${record.state}. What it printed is kept when it has.`)),
      ]);
      return EXIT.ok;
    }
    const streams = stderr ? ['stderr' as const] : (['stdout', 'stderr'] as const);
    const texts = streams.map((stream) => fullText(record, stream));
    const text = texts.filter((part) => part !== '').join('\n');
    context.json({
      stdout: result.stdout,
      stderr: result.stderr,
      truncated: result.truncated,
      bytes: Buffer.byteLength(result.stdout) + Buffer.byteLength(result.stderr),
    });
    if (context.flags.json) return EXIT.ok;
    const shown = text === '' ? result.content : text;
    if (context.terminal.stdout.tty) {
      if (tail !== undefined) context.say(leftOut(record, shown, tail, look));
      context.print(outputView(shown, tail));
    } else {
      const rows = shown.replace(/\n$/, '').split('\n');
      context.write(`${(tail === undefined ? rows : rows.slice(-tail)).join('\n')}\n`);
    }
    return EXIT.ok;
  },
});

/** The spilled text where there is one still, else what was stored. */
function fullText({ result }: CommandRecord, stream: 'stdout' | 'stderr'): string {
  const file = result?.spillFiles[stream];
  if (file === undefined) return result?.[stream] ?? '';
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return result?.[stream] ?? '';
  }
}
