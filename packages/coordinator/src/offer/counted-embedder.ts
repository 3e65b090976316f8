import type { CoordinatorOptions } from '../coordinator-options.ts';
import { askEmbedder } from '../model-requests/ask-embedder.ts';
import { createSessionJournal } from '../session/session-journal.ts';
import type { ToolEmbedder } from './tool-embeddings.ts';

/** The embedder of the settings, whose requests are in the events of the session that they are for; null: there is none. */
export function countedEmbedder({
  embedder: opened = null,
  events,
  clock,
  logger,
  redact,
}: Pick<CoordinatorOptions, 'embedder' | 'events' | 'clock' | 'logger'> & {
  readonly redact: (text: string) => string;
}): ToolEmbedder | null {
  if (opened === null) return null;
  const journal = createSessionJournal(events, logger);
  return {
    id: opened.embedder.id,
    embed: (texts, { signal, ofSession }) =>
      ofSession === undefined
        ? opened.embedder.embed(texts, { signal })
        : askEmbedder({ opened, texts }, { ofSession, journal, clock, redact, signal }),
  };
}
