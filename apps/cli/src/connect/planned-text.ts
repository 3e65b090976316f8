import { UsageError } from '@signalbox/core';
import type { AgentFile } from './agents.ts';
import { changedJson } from './changed-json.ts';
import { changedToml } from './changed-toml.ts';

/**
 * The text of an agent's settings file with what has to stand in it.
 *
 * @param before the file as it stands; null when there is none.
 * @throws {UsageError} `agent-file` when it cannot be changed without losing something.
 */
export function plannedText(file: AgentFile, before: string | null): string {
  switch (file.kind) {
    case 'json':
      return changedJson(file.path, before ?? '', file.content);
    case 'toml':
      return changedToml(file.path, before ?? '', file.content);
    case 'text':
      if (before === null || before.trim() === '' || before === file.content) return file.content;
      throw new UsageError('agent-file', `Cannot change "${file.path}": another text stands there`, {
        next: ['move it away, or put this there by hand:', ...file.content.trimEnd().split('\n')],
      });
  }
}
