/**
 * The sample project of the demo: a small shop with six of nine tests failing.
 *
 * Each test file has one test that passes from the start and two that fail until a provider repairs the tested code.
 * `node --test` runs the TypeScript directly; nothing has to be installed.
 */

const MONEY = `export function toCents(text: string): number {
  return Math.floor(Number(text) * 100);
}

export function format(cents: number): string {
  return \`$\${cents / 100}\`;
}
`;

const CART = `import { toCents } from './money.ts';

export type Line = { sku: string; price: string; count: number };

export function add(lines: readonly Line[], line: Line): Line[] {
  return [...lines, line];
}

export function total(lines: readonly Line[], discountPercent = 0): number {
  const sum = lines.reduce((cents, line) => cents + toCents(line.price) * line.count, 0);
  return sum - discountPercent;
}
`;

const RECEIPT = `import { total, type Line } from './cart.ts';
import { format, toCents } from './money.ts';

export function receipt(lines: readonly Line[], discountPercent = 0): string {
  const rows: string[] = [];
  for (let i = 0; i < lines.length - 1; i++) {
    const { sku, price, count } = lines[i]!;
    rows.push(\`\${count} × \${sku}  \${format(toCents(price) * count)}\`);
  }
  return [...rows, \`total  \${format(total(lines, discountPercent))}\`].join('\\n');
}
`;

const MONEY_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, toCents } from '../src/money.ts';

test('a whole amount is read', () => {
  assert.equal(toCents('20'), 2000);
});

test('19.99 is 1999 cents', () => {
  assert.equal(toCents('19.99'), 1999);
});

test('cents always have two digits', () => {
  assert.equal(format(500), '$5.00');
});
`;

const CART_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { add, total } from '../src/cart.ts';

const tea = { sku: 'tea', price: '4.00', count: 1 };

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0);
});

test('the same thing twice is one line', () => {
  assert.deepEqual(add([tea], tea), [{ ...tea, count: 2 }]);
});

test('a discount of 25 % leaves 3.00 of 4.00', async () => {
  await wait(1_500); // the price service is slow
  assert.equal(total([tea], 25), 300);
});
`;

const RECEIPT_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receipt } from '../src/receipt.ts';

const tea = { sku: 'tea', price: '4.50', count: 2 };
const cup = { sku: 'cup', price: '8.00', count: 1 };

test('an empty receipt is its total', () => {
  assert.match(receipt([]), /^total/);
});

test('every line is on the receipt', () => {
  assert.match(receipt([tea, cup]), /1 × cup/);
});

test('the discount is taken from the total', () => {
  assert.match(receipt([tea, cup], 10), /total  \\$15\\.30$/);
});
`;

const SETTINGS = `# Settings of the demo. \`signalbox init\` writes such a file for your own code.
tests: node --test
isolation: stable # tests hold the workspace to read, so that writers wait for them
execution:
  max_concurrent_executions: 8
agents:
  tool_execution:
    auto_approve_tools: [read_file, write_file]
`;

const OLD_BUILD = `// Built by hand last spring; no longer used.\n`;

/** Path to text of the initial workspace. */
export const SHOP: Readonly<Record<string, string>> = {
  '.gitignore': 'dist/\n.signalbox/\n',
  'dist/cart.js': `${OLD_BUILD}export const add = (lines, line) => lines.concat(line);\n`,
  'dist/money.js': `${OLD_BUILD}export const toCents = (text) => parseInt(text) * 100;\n`,
  'package.json': `${JSON.stringify(
    { name: 'shop', private: true, type: 'module', scripts: { test: 'node --test' } },
    null,
    2,
  )}\n`,
  'signalbox.yaml': SETTINGS,
  'src/cart.ts': CART,
  'src/money.ts': MONEY,
  'src/receipt.ts': RECEIPT,
  'test/cart.test.ts': CART_TEST,
  'test/money.test.ts': MONEY_TEST,
  'test/receipt.test.ts': RECEIPT_TEST,
};

/** How many tests the shop has. */
export const TESTS = 9;
