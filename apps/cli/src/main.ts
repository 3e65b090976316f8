#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { compileCache } from './runtime/contract/compile-cache.ts';
import { VERSION } from './runtime/contract/version.ts';

// Without it each start compiles the whole program, and from source strips the types of hundreds of files first.
const cache = compileCache();
if (cache !== null) enableCompileCache(cache);

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

// Asked by scripts and agents again and again: it needs no parser.
if (process.argv.length === 3 && process.argv[2] === '--version') process.stdout.write(`${VERSION}\n`);
else void startProgram();

async function startProgram(): Promise<void> {
  const { start } = await import('./program/start.ts');
  process.exitCode = await start(process);
}
