import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The system's Chromium; null where there is none. `SIGNALBOX_CHROMIUM` names another one. */
export function findChromium(): string | null {
  const told = process.env['SIGNALBOX_CHROMIUM'];
  if (told !== undefined) return told;
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of NAMES) {
      const file = join(folder, name);
      if (isProgram(file)) return file;
    }
  }
  return null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
