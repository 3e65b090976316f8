import type { RandomBytes } from '@signalbox/core';

/** 48 random bits: nobody who wrote a text before can know them. */
const NONCE_BYTES = 6;

export function newNonce(random: RandomBytes): string {
  return Buffer.from(random(NONCE_BYTES)).toString('hex');
}

/**
 * Text between `<mark nonce>` and `</mark nonce>`, which it can't close: the nonce is removed from it.
 *
 * @param of.about More in the opening mark, in our words; default: nothing.
 */
export function fenced(
  mark: string,
  text: string,
  { nonce, about = '' }: { readonly nonce: string; readonly about?: string },
): string {
  return [`<${mark} ${nonce}${about}>`, text.replaceAll(nonce, ''), `</${mark} ${nonce}>`].join('\n');
}
