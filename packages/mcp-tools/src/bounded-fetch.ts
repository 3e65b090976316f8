import type { FetchLike } from '@modelcontextprotocol/client';
import { MOST_MESSAGE_BYTES } from './stdio-transport.ts';

/**
 * Reads no message of a server that is over the bound: of a stream each event counts by itself.
 *
 * @param onTooLong told of such a message; who asked would otherwise wait for the rest of it.
 */
export function boundedFetch(onTooLong: () => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(boundOf(isStream, onTooLong)), {
      status,
      statusText,
      headers,
    });
  };
}

function boundOf(isStream: boolean, onTooLong: () => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let isAtLineStart = false;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of isStream ? chunk : []) {
        // An empty line ends an event.
        if (byte === NEWLINE && isAtLineStart) bytes = 0;
        if (byte !== RETURN) isAtLineStart = byte === NEWLINE;
        bytes += 1;
      }
      if (!isStream) bytes += chunk.length;
      if (bytes <= MOST_MESSAGE_BYTES) return controller.enqueue(chunk);
      controller.error(new Error(`it sent a message of over ${MOST_MESSAGE_BYTES} bytes`));
      onTooLong();
    },
  });
}

const NEWLINE = 10;
const RETURN = 13;
