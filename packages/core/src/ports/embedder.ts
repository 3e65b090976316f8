/** Turns texts into vectors: the closer two meanings, the larger the cosine of their vectors. */
export interface Embedder {
  /** Names server and model: vectors of different ones can't be compared. */
  readonly id: string;
  /**
   * One vector per text, in order. They come from a server: their sizes and numbers are unchecked. `onTokens` gets the
   * tokens that each request took, if the server counts them.
   *
   * @throws {ProviderError}
   */
  embed(
    texts: readonly string[],
    options: Readonly<{ signal: AbortSignal; onTokens?: ((count: number) => void) | undefined }>,
  ): Promise<readonly Vector[]>;
}

export type Vector = readonly number[];
