import { homedir } from 'node:os';
import { join } from 'node:path';
import type { NamedFiles } from '@signalbox/core';
import { createEditedSince, createNamedByGit } from '@signalbox/sandbox';
import { createFirstLineOf } from './first-line-of.ts';
import { namedByPerson } from './named-by-person.ts';
import { createHostsOfSource } from './project-hosts-of.ts';
import { connectedFiles } from './receipts.ts';

/** Files of the workspace that the user's programs read as settings or code, beyond those known by name. */
export function createNamedFiles(workspace: string): (changed?: readonly string[]) => NamedFiles {
  const home = homedir();
  // A copy, since each read of `process.env` calls the system's library.
  const env = { ...process.env };
  const byGit = createNamedByGit(workspace, { home, configs: gitConfigsOf(home, env) });
  return (changed) => ({
    byGit: byGit(changed),
    byPerson: namedByPerson(workspace, { home, env }),
    byConnect: connectedFiles(workspace),
  });
}

/** Git's configuration for all repositories: of the machine and of the user. */
function gitConfigsOf(home: string, env: NodeJS.ProcessEnv): readonly string[] {
  const { GIT_CONFIG_SYSTEM: system, GIT_CONFIG_GLOBAL: global, XDG_CONFIG_HOME: config } = env;
  const own = [join(config || join(home, '.config'), 'git/config'), join(home, '.gitconfig')];
  // Includes the default files: the environment of the first client must not leave the hooks of others unguarded.
  return [...new Set(['/etc/gitconfig', ...own, ...[system, global].filter((path) => path !== undefined)])];
}

/** Facts from a workspace's own files that calls are judged by. */
export function projectFactsOf(workspace: string) {
  return {
    projectHosts: createHostsOfSource(workspace),
    namedFiles: createNamedFiles(workspace),
    firstLineOf: createFirstLineOf(workspace),
    editedSince: createEditedSince(workspace),
  };
}
