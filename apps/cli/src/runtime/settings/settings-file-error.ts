import { UsageError } from '@signalbox/core';
import type { Picture } from '../contract/error-report.ts';

/** A file of settings can't be used; `picture` shows where. */
export class SettingsFileError extends UsageError {
  readonly picture: Picture | undefined;

  constructor(
    message: string,
    details: Readonly<{ why?: readonly string[]; next?: readonly string[]; picture?: Picture | undefined }>,
  ) {
    super('invalid-config', message, details);
    this.picture = details.picture;
  }
}
