import { join } from 'node:path';
import * as z from 'zod';
import { writeWhole } from './write-whole.ts';
import { makeOwnState } from './state-folder.ts';
import { readStateFile } from './state-file.ts';
import { WorkspaceChange } from './changes.ts';

/** By agent and file: what `connect` changed there, so that `connect --undo` reverts exactly that. */
const Receipts = z.record(z.string(), z.record(z.string(), z.array(WorkspaceChange).readonly()));
type Receipts = z.infer<typeof Receipts>;
export type Receipt = Receipts[string];

const FILE = join('.signalbox', 'connected.json');

/** Undefined without a receipt: written by hand, by an earlier version, or elsewhere. */
export function readReceipt(workspace: string, agent: string): Receipt | undefined {
  return readAll(workspace)[agent];
}

export function keepReceipt(workspace: string, agent: string, receipt: Receipt): void {
  put(workspace, { ...readAll(workspace), [agent]: receipt });
}

export function dropReceipt(workspace: string, agent: string): void {
  const { [agent]: dropped, ...others } = readAll(workspace);
  if (dropped !== undefined) put(workspace, others);
}

/** Files of the workspace that contain what `connect` wrote, for all agents. */
export function connectedFiles(workspace: string): readonly string[] {
  return [...new Set(Object.values(readAll(workspace)).flatMap((receipt) => Object.keys(receipt)))];
}

function put(workspace: string, receipts: Receipts): void {
  makeOwnState(workspace);
  writeWhole(join(workspace, FILE), `${JSON.stringify(receipts, null, 2)}\n`);
}

function readAll(workspace: string): Receipts {
  try {
    return Receipts.parse(JSON.parse(readStateFile(join(workspace, FILE)) ?? ''));
  } catch {
    return {};
  }
}
