import { readFileSync, writeFileSync } from 'node:fs';
import { shellRulesPage, withRulesTable } from '@signalbox/policy';
import { cliPage } from './table/cli-page.ts';

// Writes docs/cli.md, docs/shell-rules.md and the table in docs/policy.md; tests fail while they are not current.
writeFileSync(new URL('../../../docs/cli.md', import.meta.url), cliPage());
writeFileSync(new URL('../../../docs/shell-rules.md', import.meta.url), shellRulesPage());
const policyPage = new URL('../../../docs/policy.md', import.meta.url);
writeFileSync(policyPage, withRulesTable(readFileSync(policyPage, 'utf8')));
