#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Without it each start from source strips the types of hundreds of files anew, which takes longer than all the rest.
// It lies in the checkout and not where everybody may write: what lies there is executed.
if (import.meta.url.endsWith('.ts'))
  enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/signalbox', import.meta.url)));

// Whoever reads our answer may stop reading, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
// What is said besides may go unread: the work goes on.
process.stderr.on('error', () => undefined);

// The launcher of a checkout holds a channel to us where it is a process of its own: when that was killed, and could pass
// no signal on, the channel breaks. We stop as if it had.
if (process.channel !== undefined && process.channel !== null) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

const { start } = await import('./frame/start.ts');
process.exitCode = await start(process);
