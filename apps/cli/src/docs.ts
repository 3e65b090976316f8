import { writeFileSync } from 'node:fs';
import { cliPage } from './table/cli-page.ts';

// Writes docs/cli.md; `cli-page.test.ts` fails while it is not current.
writeFileSync(new URL('../../../docs/cli.md', import.meta.url), cliPage());
