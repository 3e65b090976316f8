import { readFileSync, writeFileSync } from 'node:fs';
import { withCommandDiagram } from '@signalbox/coordinator';
import { shellRulesPage, withRulesTable } from '@signalbox/policy';
import { cliPage } from './commands/table/cli-page.ts';
import { withErrorCodes } from './commands/table/error-codes-page.ts';

// Writes docs/cli.md, docs/shell-rules.md, the table in docs/policy.md, the diagram in docs/internals/commands.md, and
// the error codes in docs/api.md. Tests fail while they are out of date.
writeFileSync(new URL('../../../docs/cli.md', import.meta.url), cliPage());
writeFileSync(new URL('../../../docs/shell-rules.md', import.meta.url), shellRulesPage());
const policyPage = new URL('../../../docs/policy.md', import.meta.url);
writeFileSync(policyPage, withRulesTable(readFileSync(policyPage, 'utf8')));
const commandsPage = new URL('../../../docs/internals/commands.md', import.meta.url);
writeFileSync(commandsPage, withCommandDiagram(readFileSync(commandsPage, 'utf8')));
const apiPage = new URL('../../../docs/api.md', import.meta.url);
writeFileSync(apiPage, withErrorCodes(readFileSync(apiPage, 'utf8')));
