import { homedir } from 'node:os';
import type { NamedFiles } from '@signalbox/core';
import { createEditedSince, createNamedByGit } from '@signalbox/sandbox';
import { createHostsOfSource } from './project-hosts-of.ts';
import { connectedFiles } from './receipts.ts';

/** What of a workspace programs of the person read as settings or code, besides what its name says. */
export function createNamedFiles(workspace: string): () => NamedFiles {
  const byGit = createNamedByGit(workspace, homedir());
  return () => ({ byGit: byGit(), byConnect: connectedFiles(workspace) });
}

/** What a workspace's own files say that calls are judged by. */
export function projectFactsOf(workspace: string) {
  return {
    projectHosts: createHostsOfSource(workspace),
    namedFiles: createNamedFiles(workspace),
    editedSince: createEditedSince(workspace),
  };
}
