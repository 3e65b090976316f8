import { readFileSync } from 'node:fs';
import { scriptedServerArgs } from '@signalbox/mcp-tools/testing';
import { testProgram } from '../../../testing/programs/test-program.ts';

const FILE = 'notes-server.mjs';
const [, ...behaviour] = scriptedServerArgs();

/** The scripted server as a program of the workspace: programs in the sandbox can't read this checkout. */
export const NOTES_SERVER = { command: process.execPath, args: [FILE, ...behaviour] };

/** The workspace files it needs: the program as one file. */
export async function notesServerFiles(): Promise<Readonly<Record<string, string>>> {
  return { [FILE]: readFileSync(await testProgram('notes-server'), 'utf8') };
}
