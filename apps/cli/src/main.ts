#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT, IS_BUILT } from './runtime/contract/checkout.ts';
import { VERSION } from './runtime/contract/version.ts';

// Without it each start compiles the whole program, and from source strips the types of hundreds of files first.
// Where nobody else may write, since what is cached is executed.
enableCompileCache(cacheFolder());

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

/**
 * Beside a build of the checkout, to be removed with it. Of a package, which others may have installed, below the home,
 * which commands can't write to; a project may set `XDG_CACHE_HOME` to a folder of its own.
 */
function cacheFolder(): string {
  if (CHECKOUT === null) return join(homedir(), '.cache', 'signalbox');
  return IS_BUILT ? join(import.meta.dirname, '.cache') : join(CHECKOUT, 'node_modules/.cache/signalbox');
}

async function startProgram(): Promise<void> {
  const { start } = await import('./program/start.ts');
  process.exitCode = await start(process);
}
