// Writes docs/internals/requirements.md and the line of the README about it, or with --check says what is not current
// or contradicts itself.
//
//   node scripts/requirements/write.ts [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { contradictions } from './check.ts';
import { requirementsPage, withSummary } from './page.ts';
import { readMarks, readRequirements } from './read.ts';

const PAGE = 'docs/internals/requirements.md';

const requirements = readRequirements();
const marks = readMarks();
const readme = readFileSync('README.md', 'utf8');
const faults = [...contradictions(requirements, marks)];
const texts = {
  [PAGE]: requirementsPage(requirements, marks),
  'README.md': withSummary(readme, requirements),
};

for (const [path, text] of Object.entries(texts)) {
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readOr(path, '') !== text)
    faults.push(`${path} is not current: run node scripts/requirements/write.ts`);
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}
