/**
 * Requests whose answer is an error after so many bytes: for answers that are read as a whole, whatever a server sends.
 */
export function boundedAnswers(plain: typeof fetch, options: { readonly maxBytes: number }): typeof fetch {
  const { maxBytes } = options;
  return async (input, init) => {
    const answer = await plain(input, init);
    if (answer.body === null) return answer;
    let bytes = 0;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.byteLength;
        if (bytes > maxBytes) controller.error(new Error(`the answer is longer than ${maxBytes} bytes`));
        else controller.enqueue(piece);
      },
    });
    const { status, statusText, headers } = answer;
    return new Response(answer.body.pipeThrough(counting), { status, statusText, headers });
  };
}
