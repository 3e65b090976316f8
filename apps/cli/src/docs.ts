import { readFileSync, writeFileSync } from 'node:fs';
import { withCommandDiagram } from '@signalbox/coordinator';
import { shellRulesPage, withRulesTable } from '@signalbox/policy';
import { cliPage } from './commands/table/cli-page.ts';
import { withErrorCodes } from './commands/table/error-codes-page.ts';

// Writes docs/cli.md, docs/shell-rules.md, the table in docs/policy.md, and the drawing in ARCHITECTURE.md. Tests fail
// while they are out of date.
writeFileSync(new URL('../../../docs/cli.md', import.meta.url), cliPage());
writeFileSync(new URL('../../../docs/shell-rules.md', import.meta.url), shellRulesPage());
const policyPage = new URL('../../../docs/policy.md', import.meta.url);
writeFileSync(policyPage, withRulesTable(readFileSync(policyPage, 'utf8')));
const architecture = new URL('../../../ARCHITECTURE.md', import.meta.url);
writeFileSync(architecture, withCommandDiagram(readFileSync(architecture, 'utf8')));
const apiPage = new URL('../../../docs/api.md', import.meta.url);
writeFileSync(apiPage, withErrorCodes(readFileSync(apiPage, 'utf8')));
