#!/usr/bin/env node
import { start } from './frame/start.ts';

// Whoever reads our answer may stop reading, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await start(process);
