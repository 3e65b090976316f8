/**
 * `node rename-underneath.ts`: runs a command, renames paths under its masks from outside, and prints the
 * command's output and the resulting files.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHarness } from './sandbox-harness.ts';

export type SeenName = { layer: string; said: string; config: string; oldConfig: string; env: string };

export async function renameUnderneath(): Promise<SeenName> {
  const visible: string[] = [];
  const harness = createHarness({ transactions: 'where-possible', visible });
  const at = (path: string): string => join(harness.workspace, path);
  const signals = join(harness.folder, 'signals');
  visible.push(signals);
  mkdirSync(signals);
  mkdirSync(at('.git/hooks'), { recursive: true });
  writeFileSync(at('.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(at('.git/config'), 'old config\n');
  writeFileSync(at('.env'), 'leaked\n');
  const line =
    `echo ready; until [ -e ${signals}/go ]; do sleep 0.01; done; cat .env; cat .git/config; ` +
    'echo evil > .git/config; echo evil > .git/hooks/pre-commit; mv .git moved; echo evil > .env; cat .env';
  const onOutput = (_: string, text: string): void => {
    if (!text.includes('ready')) return;
    writeFileSync(at('.env.new'), 'leaked\n');
    renameSync(at('.env.new'), at('.env'));
    renameSync(at('.git'), at('.git.old'));
    mkdirSync(at('.git/hooks'), { recursive: true });
    writeFileSync(at('.git/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(at('.git/config'), 'new config\n');
    writeFileSync(join(signals, 'go'), '');
  };
  try {
    const { stdout, stderr, isolation } = await harness.run(line, {}, { onOutput });
    return {
      layer: isolation.layer,
      said: stdout.text + stderr.text,
      config: readFileSync(at('.git/config'), 'utf8'),
      oldConfig: readFileSync(at('.git.old/config'), 'utf8'),
      env: readFileSync(at('.env'), 'utf8'),
    };
  } finally {
    await harness.close();
  }
}

if (import.meta.main) process.stdout.write(JSON.stringify(await renameUnderneath()));
