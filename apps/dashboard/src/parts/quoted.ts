import { visible } from '@signalbox/core/visible-text';

/** Of private use: visible text never holds it, so that no quoted text can end its own quotation. */
export const CODE = '\uE000';

/** A line, path or resource inside of a sentence, for `WithCode`. */
export function quoted(text: string): string {
  return CODE + visible(text) + CODE;
}

/** The sentence for who only hears it. */
export function unquoted(text: string): string {
  return text.replaceAll(CODE, '');
}
