#!/usr/bin/env node
import { Command } from 'commander';

const program = new Command('signalbox').description('Coordinates coding agents on one working tree.');

program
  .command('demo')
  .description('run the scripted demo')
  .action(() => {
    process.stdout.write('The demo is not built yet.\n');
  });

await program.parseAsync();
