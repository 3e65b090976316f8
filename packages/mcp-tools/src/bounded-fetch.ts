import type { FetchLike } from '@modelcontextprotocol/client';
import {
  type MessageBudget,
  MAX_MESSAGE_BYTES,
  TOO_LONG_MESSAGE,
  TOO_MANY_MESSAGES,
} from './message-bounds.ts';

/**
 * Wraps `fetch` to stop at a message over the size bound or when a server exceeds its message budget. Each
 * event of a stream counts.
 *
 * @param onTooMuch Called with the reason when reading stops; the caller would otherwise wait for the rest.
 */
export function boundedFetch(budget: MessageBudget, onTooMuch: (why: string) => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(isStream ? boundEvents() : boundWhole()), {
      status,
      statusText,
      headers,
    });
  };

  function boundWhole(): TransformStream<Uint8Array, Uint8Array> {
    let bytes = 0;
    return new TransformStream({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes <= MAX_MESSAGE_BYTES) controller.enqueue(chunk);
        else stop(controller, TOO_LONG_MESSAGE);
      },
    });
  }

  function boundEvents(): TransformStream<Uint8Array, Uint8Array> {
    let bytes = 0;
    let isAtLineStart = false;
    return new TransformStream({
      transform(chunk, controller) {
        for (const byte of chunk) {
          // An empty line ends an event.
          if (byte === NEWLINE && isAtLineStart) {
            bytes = 0;
            if (!budget.take()) return stop(controller, TOO_MANY_MESSAGES);
          }
          if (byte !== RETURN) isAtLineStart = byte === NEWLINE;
          bytes += 1;
        }
        if (bytes <= MAX_MESSAGE_BYTES) controller.enqueue(chunk);
        else stop(controller, TOO_LONG_MESSAGE);
      },
    });
  }

  function stop(controller: TransformStreamDefaultController<Uint8Array>, why: string): void {
    controller.error(new Error(`it ${why}`));
    onTooMuch(why);
  }
}

const NEWLINE = 10;
const RETURN = 13;
