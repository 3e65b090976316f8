import type { Settings } from '@signalbox/core';
import type { Question } from './question.ts';
import { type Deny, deny } from './rulings.ts';
import { toolPolicyOf } from './tool-settings.ts';

const MIB = 1024 * 1024;

/** Refuses a text that is over the tool's size, 10 MiB where nothing else is said (S000-36, S000-45). */
export function checkSizes({ tool, contentBytes }: Question, settings: Settings): Deny | undefined {
  const { max_file_size_mb: limit } = toolPolicyOf(tool, settings);
  if (contentBytes <= limit * MIB) return undefined;
  return deny('too-large', {
    code: 'too-large',
    message: `Cannot call ${tool.name} with ${(contentBytes / MIB).toFixed(1)} MB: its limit is ${limit} MB`,
    suggestion: 'Split it, or write less at once',
  });
}
