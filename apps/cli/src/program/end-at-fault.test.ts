import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const FAIL_LATER = fileURLToPath(new URL('./testing/fail-later.ts', import.meta.url));

test.each(['throw', 'reject'])(
  'an uncaught error ends the process and is reported without a stack trace (%s)',
  (how) => {
    const { status, stderr } = spawnSync(process.execPath, [FAIL_LATER, how], { encoding: 'utf8' });
    expect(status).toBe(70);
    expect(stderr).toMatch(/^error\[invariant\]: Cannot go on: on purpose\n/);
    expect(stderr).not.toMatch(/^\s+at /m);
    const report = /report it with (.+)$/m.exec(stderr)?.[1] ?? '';
    expect(readFileSync(report, 'utf8')).toContain('fail-later.ts');
    rmSync(report);
  },
);
