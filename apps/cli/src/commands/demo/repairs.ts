import { SHOP } from './shop.ts';

type Change = readonly [before: string, after: string];

const ROUNDED: Change = [
  'return Math.floor(Number(text) * 100);',
  'return Math.round(Number(text) * 100); // 19.99 * 100 is 1998.99…',
];
const TWO_DIGITS: Change = ['${cents / 100}', '${(cents / 100).toFixed(2)}'];
const EVERY_LINE: Change = ['i < lines.length - 1', 'i < lines.length'];
const DISCOUNT: Change = [
  'return sum - discountPercent;',
  'return Math.round(sum * (1 - discountPercent / 100));',
];
const SAME_SKU: Change = [
  '  return [...lines, line];',
  `  const known = lines.some(({ sku }) => sku === line.sku);
  if (!known) return [...lines, line];
  return lines.map((one) => (one.sku === line.sku ? { ...one, count: one.count + line.count } : one));`,
];

/** What the providers write, by what it repairs. */
export const REPAIRED = {
  /** anthropic: two tests turn green. */
  money: changed('src/money.ts', [ROUNDED, TWO_DIGITS]),
  /** deepseek: one test. */
  receipt: changed('src/receipt.ts', [EVERY_LINE]),
  /** anthropic: two tests, with the repaired money. */
  cartDiscount: changed('src/cart.ts', [DISCOUNT]),
  /** openai's first try, on the text that it read at the beginning: if allowed, it would undo the discount. */
  cartSameSku: changed('src/cart.ts', [SAME_SKU]),
  /** openai's second try, on anthropic's text. */
  cartBoth: changed('src/cart.ts', [DISCOUNT, SAME_SKU]),
} as const;

function changed(path: string, changes: readonly Change[]): string {
  return changes.reduce((text, [before, after]) => text.replace(before, () => after), SHOP[path] ?? '');
}
