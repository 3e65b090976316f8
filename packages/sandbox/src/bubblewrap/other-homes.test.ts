import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createHarness } from '../testing/sandbox-harness.ts';

test.each(['off', 'required'] as const)(
  'a command sees the homes of other people empty, even if its workspace is in one (R-B6, transactions %s)',
  async (transactions) => {
    // Needs root, to create a home outside the private folders: below `/tmp` everything is hidden anyway.
    const parent = process.getuid?.() === 0 ? '/opt' : '/tmp';
    const home = mkdtempSync(join(parent, 'signalbox-'));
    try {
      for (const folder of ['.ssh', 'project']) mkdirSync(join(home, folder));
      writeFileSync(join(home, '.ssh/id'), 'leaked');
      chmodSync(home, 0o755);
      const accounts = join(home, 'accounts');
      const lines = [
        'root:x:0:0::/root:/bin/sh',
        'web:x:1001:1001::/opt:/bin/sh',
        `ana:x:1002:1002::${home}:/bin/sh`,
      ];
      writeFileSync(accounts, lines.join('\n'));
      const beside = createHarness({ transactions, accounts });
      const text = async ({ run }: typeof beside, line: string): Promise<string> =>
        (await run(line)).stdout.text;
      expect(await text(beside, `cat ${home}/.ssh/id; ls -A ${home}; echo done`)).toBe('done\n');
      const workspace = join(home, 'project');
      const within = createHarness({
        transactions,
        accounts,
        workspace,
        stateFolder: join(workspace, '.signalbox'),
      });
      expect(await text(within, `cat ../.ssh/id; ls -A ..; echo x > made && cat made`)).toBe('project\nx\n');
      for (const harness of [beside, within]) await harness.close();
    } finally {
      rmSync(home, { recursive: true });
    }
  },
);
