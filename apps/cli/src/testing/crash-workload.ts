// Opens the coordinator of a workspace and submits commands endlessly, until it is killed.
//
//   node crash-workload.ts WORKSPACE ROUND
//
// Prints `opened`, then `submitted ID NUMBER STATUS` for each command that has settled or waits.
import { flushCompileCache } from 'node:module';
import { openTestRuntime } from './open-test-runtime.ts';

const [workspace = '', round = '0'] = process.argv.slice(2);
const own = await openTestRuntime({
  workspace,
  settings: { approval: { prompt_on_warning: false } },
});
process.stdout.write('opened\n');
// A killed process writes no cache at its end, and its successor would compile the whole program again.
flushCompileCache();

for (let i = 0; ; i++) {
  const number = `${round}x${i}`;
  const provider = ['openai', 'anthropic', 'deepseek'][i % 3] ?? 'openai';
  // One in five needs approval, which is never given here; the others write one of two logs.
  const line =
    i % 5 === 4
      ? `rm -rf none && echo run-${number} >> log-0.txt`
      : `echo run-${number} >> log-${i % 2}.txt; cat log-${i % 2}.txt > copy-${i % 2}.txt`;
  const handle = own.submit(provider, 'bash', { args: { line } });
  const status = await handle.resting;
  process.stdout.write(`submitted ${handle.commandId} ${number} ${status}\n`);
  // A full queue would deny them, which proves nothing.
  if (i % 3 === 2 && i % 5 !== 4) await handle.result;
}
