import { scriptedServerArgs } from '@signalbox/mcp-tools/testing';
import { rolldown } from 'rolldown';

const FILE = 'notes-server.mjs';
const [program = '', ...behaviour] = scriptedServerArgs();

/** The scripted server as a program of the workspace: programs in the sandbox can't read this checkout. */
export const NOTES_SERVER = { command: process.execPath, args: [FILE, ...behaviour] };

/** The workspace files it needs: the program as one file. */
export async function notesServerFiles(): Promise<Readonly<Record<string, string>>> {
  const bundle = await rolldown({ input: program, platform: 'node', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return { [FILE]: output[0].code };
}
