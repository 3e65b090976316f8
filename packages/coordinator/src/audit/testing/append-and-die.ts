/**
 * Appends lines to the audit log until a line triggers a rotation, and is killed there before its n-th file system
 * call: `node append-and-die.ts LOG MAX_BYTES N`. Prints what it has appended.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Logger } from '@signalbox/core';

const [log = '', maxBytes = '', dieAt = ''] = process.argv.slice(2);
let calls = Number.NEGATIVE_INFINITY;

const CALLS = ['fsyncSync', 'rmSync', 'openSync', 'renameSync', 'closeSync', 'writeSync'] as const;
const { writeSync } = fs;
for (const name of CALLS) {
  const real = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...args: unknown[]): unknown => {
      calls += 1;
      if (calls === Number(dieAt)) process.kill(process.pid, 'SIGKILL');
      return real(...args);
    },
  });
}
syncBuiltinESMExports();

const { openAuditLog } = await import('../audit-log.ts');
const { anAuditEntry } = await import('../../testing/an-audit-entry.ts');
const nothing = (): void => undefined;
const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => SILENT };
const audit = openAuditLog(log, SILENT, {
  clock: { timer: () => nothing },
  maxBytes: Number(maxBytes),
});
for (let number = 0; number < 4; number++) {
  // The third line does not fit.
  if (number === 2) calls = 0;
  audit.append(anAuditEntry(number));
  writeSync(1, `${number}\n`);
  if (number === 2) calls = Number.NEGATIVE_INFINITY;
}
audit.close();
