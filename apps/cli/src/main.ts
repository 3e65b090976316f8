#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { compileCache } from './runtime/contract/compile-cache.ts';
import { VERSION } from './runtime/contract/version.ts';

// Otherwise each start compiles the whole program, and from source first strips the types of hundreds of files.
const cache = compileCache();
if (cache !== null) enableCompileCache(cache);

// A reader of our answer may stop early, like `head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});
// Unread messages are no reason to stop.
process.stderr.on('error', () => undefined);

// If a checkout's launcher is a separate process, it has a channel to us. When it is killed, without passing on a
// signal, the channel breaks, and we stop as if it had.
if (process.channel !== undefined && process.channel !== null) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

// Scripts and agents request it often: it needs no parser.
if (process.argv.length === 3 && process.argv[2] === '--version') process.stdout.write(`${VERSION}\n`);
else void startProgram();

async function startProgram(): Promise<void> {
  const { start } = await import('./program/start.ts');
  process.exitCode = await start(process);
}
