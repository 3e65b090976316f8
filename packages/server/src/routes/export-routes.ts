import { exportSession } from '@signalbox/api';
import { Readable } from 'node:stream';
import { RequestRefusedError } from '../problem.ts';
import { entriesOf } from '../sessions/session-entries.ts';
import { markdownOf } from '../sessions/session-markdown.ts';
import type { RouteParts, Routes } from './route-parts.ts';

/** The conversation of a session as a file. */
export function exportRoutes(app: Routes, { sessions, coordinator, events, views }: RouteParts): void {
  app.get(
    exportSession.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'The conversation of a session, as JSON Lines or Markdown',
        description:
          'Turns, calls with their results as the model read them, approvals, questions and messages of people, in the ' +
          'order in which they happened, as far back as the event log reaches; redacted. Each line of JSON is a SessionEntry.',
        tags: ['sessions'],
        produces: ['application/jsonl', 'text/markdown'],
        ...exportSession.schema,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { format } = request.query;
      const session = sessions.get(id);
      if (session === null)
        throw new RequestRefusedError(404, 'unknown-session', `Cannot find session ${id} here`);
      const entries = entriesOf(session, { events, views, recordOf: coordinator.status });
      const isMarkdown = format === 'markdown';
      const name = `signalbox-${id}.${isMarkdown ? 'md' : 'jsonl'}`;
      return reply
        .header('content-type', isMarkdown ? 'text/markdown; charset=utf-8' : 'application/jsonl')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Readable.from(isMarkdown ? markdownOf(entries) : linesOf(entries)));
    },
  );
}

async function* linesOf(entries: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}
