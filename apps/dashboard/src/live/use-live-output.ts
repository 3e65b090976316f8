import { parseEvent } from '@signalbox/api';
import { useEffect, useState } from 'react';

/** Limit for the output of a running command, in UTF-16 units; all of it is stored for when it has ended. */
const MAX_KEPT = 100_000;
const DRAWN_EVERY_MS = 250;

/**
 * Output of a running command since `from`, as far as the event log still has it.
 *
 * Starts empty once per component: use the command's id as `key`.
 */
export function useLiveOutput(id: string | null, from: number | null): string {
  const [text, setText] = useState('');
  useEffect(() => {
    if (id === null || from === null) return;
    let gathered = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const query = new URLSearchParams({
      command: id,
      types: 'command_output',
      output: id,
      after: `${Math.max(0, Math.floor(from) - 1)}-0`,
    });
    const source = new EventSource(`/api/events?${query}`);
    source.addEventListener('message', ({ data }) => {
      const event = parseEvent(JSON.parse(String(data)));
      if (event?.type !== 'command_output') return;
      gathered += event.output;
      timer ??= setTimeout(() => {
        timer = undefined;
        const add = gathered;
        gathered = '';
        setText((before) => (before + add).slice(-MAX_KEPT));
      }, DRAWN_EVERY_MS);
    });
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [id, from]);
  return text;
}
