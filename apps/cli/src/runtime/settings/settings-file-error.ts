import { UsageError } from '@signalbox/core';
import type { ReportPicture } from '../contract/error-report.ts';

/** A settings file can't be used; `picture` shows where. */
export class SettingsFileError extends UsageError {
  readonly picture: ReportPicture | undefined;

  constructor(
    message: string,
    details: Readonly<{
      why?: readonly string[];
      next?: readonly string[];
      picture?: ReportPicture | undefined;
    }>,
  ) {
    super('invalid-config', message, details);
    this.picture = details.picture;
  }
}
