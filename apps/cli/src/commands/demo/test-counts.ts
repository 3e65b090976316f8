export type TestCounts = { readonly passed: number; readonly failed: number };

/** The final counts of `node --test`, in its `spec` or its `tap` format; undefined if it did not finish. */
export function testCountsIn(output: string): TestCounts | undefined {
  const passed = countOf('pass', output);
  const failed = countOf('fail', output);
  return passed === undefined || failed === undefined ? undefined : { passed, failed };
}

function countOf(word: 'pass' | 'fail', output: string): number | undefined {
  const [, count] = new RegExp(String.raw`[#ℹ] ${word} (\d+)`).exec(output) ?? [];
  return count === undefined ? undefined : Number(count);
}
