import { visible } from '@signalbox/core/visible-text';

/** A private-use character: visible text never contains it, so that no quoted text can end its own quotation. */
export const CODE = '\uE000';

/** A line, path or resource inside a sentence, for `WithCode`. */
export function quoted(text: string): string {
  return CODE + visible(text) + CODE;
}

/** The sentence for screen readers. */
export function unquoted(text: string): string {
  return text.replaceAll(CODE, '');
}
