import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'vitest';
import { REPAIRED } from './repairs.ts';
import { SHOP, TESTS } from './shop.ts';
import { testCountsIn } from './test-counts.ts';

const money = { 'src/money.ts': REPAIRED.money };
const receipt = { ...money, 'src/receipt.ts': REPAIRED.receipt };
const discount = { ...receipt, 'src/cart.ts': REPAIRED.cartDiscount };
const letThrough = { ...receipt, 'src/cart.ts': REPAIRED.cartSameSku };
const both = { ...receipt, 'src/cart.ts': REPAIRED.cartBoth };

test.concurrent.for([
  { stage: 'the shop as it is found', files: {}, passed: 3 },
  { stage: 'the shop with money repaired', files: money, passed: 5 },
  { stage: 'the shop with the receipt repaired too', files: receipt, passed: 6 },
  { stage: 'the shop with the discount repaired too', files: discount, passed: 8 },
  { stage: 'the shop had the stale write been let through', files: letThrough, passed: 7 },
  { stage: 'the shop with the stale write redone', files: both, passed: 9 },
])('$stage has $passed green tests', async ({ files, passed }, { expect }) => {
  expect(testCountsIn(await testOutput({ ...SHOP, ...files }))).toEqual({ passed, failed: TESTS - passed });
});

/** Real output of `node --test`. */
async function testOutput(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-shop-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return await new Promise((resolve, reject) => {
      const child = spawn(process.execPath, ['--test'], { cwd: folder, env: { PATH: process.env['PATH'] } });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
      child.on('error', reject);
      child.on('close', () => resolve(output));
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
