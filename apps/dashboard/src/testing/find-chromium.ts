import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The first that exists; the headless shell draws no windows, and is the fastest. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/**
 * The system's Chromium; null if there is none: its tests are skipped. `SIGNALBOX_CHROMIUM` names another one.
 *
 * @throws {Error} in CI, where nothing is skipped
 */
export function findChromium(env: Environment = process.env): string | null {
  const reported = env['SIGNALBOX_CHROMIUM'];
  if (reported !== undefined) return reported;
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    for (const name of NAMES) {
      const file = join(folder, name);
      if (isProgram(file)) return file;
    }
  }
  if (env['CI'] === undefined && env['REQUIRE_CHROMIUM'] === undefined) return null;
  throw new Error(
    'Cannot test the dashboard: there is no Chromium on the PATH, and SIGNALBOX_CHROMIUM names none',
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
