import { duration, plural } from '@signalbox/api';
import { invariantText } from '../checks/invariant.ts';
import { MAX_BARS } from '../measure/pictures-of.ts';
import { mixText } from '../plan/bench-options.ts';
import { commandLineOf } from '../plan/command-line.ts';
import { type BenchReport, holds } from './bench-report.ts';
import { milliseconds, percent, perSecond } from './number-text.ts';
import { readPageFiles } from './page-files.ts';
import { baselineRows, TIME_TITLES, timeRows } from './report-rows.ts';

/** The report as one self-contained page: it opens from a disk, years later, without a network. */
export async function htmlReport(report: BenchReport): Promise<string> {
  const { options } = report;
  const files = await readPageFiles();
  const title = `signalbox bench ${options.scenario}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<title>${escaped(title)}</title>
<style>${files['uPlot.min.css']}${files['page.css']}</style>
<p class="over">signalbox bench</p>
<h1>${escaped(options.scenario)}</h1>
${verdict(report)}
<p>${escaped(summary(report))}</p>
${tiles(report)}
<div class="pair">
<section><h2>Throughput</h2><div id="throughput" class="chart"></div></section>
<section><h2>Waits and conflicts</h2><div id="waits" class="chart"></div></section>
<section><h2>Submit → start → end, ms</h2><div id="steps" class="chart"></div></section>
<section><h2>Submit → answer, ms</h2><div id="latency" class="chart"></div></section>
<section><h2>Processor and memory</h2><div id="usage" class="chart"></div></section>
<section><h2>Times</h2>${table(TIME_TITLES, timeRows(report))}</section>
</div>
<section><h2>Lanes</h2><p>One row for each agent: thin while a command waits, full while it works; <span style="color:var(--a)">read</span>, <span style="color:var(--b)">write</span>, <span style="color:var(--c)">shell</span>, <span class="ok">git</span>. ${escaped(shownInLanes(report))}</p><div id="lanes" data-most="${MAX_LANES}"></div></section>
${heatSection(report)}
<section><h2>Invariants</h2>${invariantsTable(report)}</section>
${baselinesSection(report)}
<section><h2>Run</h2>${runTable(report)}</section>
<script id="report" type="application/json">${JSON.stringify(report).replaceAll('<', '\\u003c')}</script>
<script>${files['uPlot.iife.min.js']}</script>
<script>${files['page.js']}</script>
</html>
`;
}

function summary({ options, numbers, killed }: BenchReport): string {
  const { agents, places, mix, door, backend, seed, workers } = options;
  return [
    `${plural(numbers.commands, 'command')} of ${plural(agents, 'agent')} in ${duration(numbers.elapsedMs)}`,
    plural(places, 'place'),
    `mix ${mixText(mix)}`,
    workers === 1
      ? `door ${door}`
      : `${plural(workers, 'process', { nouns: 'processes' })}, ${killed} killed`,
    backend,
    `seed ${seed}`,
  ].join(', ');
}

/** As many as `page.js` draws. */
const MAX_LANES = 40;

function shownInLanes({ pictures, options }: BenchReport): string {
  const { length } = pictures.lanes;
  const some = length === MAX_BARS ? `The first ${length} commands` : 'All that came to their end';
  return options.agents > MAX_LANES ? `${some} of the first ${MAX_LANES} agents.` : `${some}.`;
}

function heatSection({ pictures }: BenchReport): string {
  const text =
    pictures.heat.rows.length === 0
      ? '<p>Nobody had to wait for another one.</p>'
      : '<p>What commands waited for because another one held it, over the run: the stronger, the longer. Beside it how long they waited in all, and how many did.</p><div class="scroll"><div id="heat" class="heat"></div></div>';
  return `<section><h2>Who waited for what</h2>${text}</section>`;
}

function verdict(report: BenchReport): string {
  const broken = report.invariants.filter(({ violated }) => violated > 0);
  if (holds(report)) return '<p class="verdict">All invariants hold</p>';
  return `<p class="verdict bad">${plural(broken.length, 'invariant')} violated</p>`;
}

function tiles({ numbers, memory }: BenchReport): string {
  const { handOff, efficiency } = numbers;
  const shown: readonly (readonly [string, string])[] = [
    [perSecond(numbers.perSecond), 'commands a second'],
    [milliseconds(numbers.submitToStart.p50), 'submit → start, p50'],
    [milliseconds(numbers.submitToStart.p99), 'submit → start, p99'],
    ...(handOff.count === 0 ? [] : [[milliseconds(handOff.p99), 'hand-off of a file, p99'] as const]),
    ...(efficiency === null ? [] : [[percent(efficiency), 'of what the claim graph allows'] as const]),
    [`${Math.round(memory.peakRssMb)} MB`, 'memory at most'],
  ];
  return `<div class="tiles">${shown
    .map(([value, what]) => `<div><b>${escaped(value)}</b><span>${escaped(what)}</span></div>`)
    .join('')}</div>`;
}

function invariantsTable({ invariants, shortest }: BenchReport): string {
  const rows = invariants
    .filter(({ facts }) => facts > 0)
    .map(({ id, facts, violated, violations }) => {
      const reported = violations.map(({ says }) => `<br><small>${escaped(says)}</small>`).join('');
      const mark = violated === 0 ? '<td class="ok">✓ holds</td>' : `<td class="bad">✗ ${violated}</td>`;
      return `<tr>${mark}<td>${escaped(invariantText({ id }))}${reported}</td><td class="number">${facts}</td></tr>`;
    });
  const head = '<tr><th></th><th>invariant</th><th class="number">looked at</th></tr>';
  const schedule =
    shortest === null
      ? ''
      : `<h2>The shortest schedule found</h2><pre><code>${escaped(shortest.commands.join('\n'))}</code></pre>`;
  return `<div class="scroll"><table>${head}${rows.join('')}</table></div>${schedule}`;
}

function baselinesSection(report: BenchReport): string {
  const rows = baselineRows(report).map(({ name, perSecond: rate, ratio, lostUpdates }) => [
    name,
    rate,
    ratio,
    lostUpdates === null ? '–' : String(lostUpdates),
  ]);
  if (rows.length === 0) return '';
  const titles = ['', 'commands/s', 'Signalbox to it', 'lost updates'];
  return `<section><h2>In the same run</h2>${table(titles, rows)}</section>`;
}

function runTable({ machine, options, startedAt, signalbox }: BenchReport): string {
  const rows: readonly (readonly [string, string])[] = [
    ['when', new Date(startedAt).toISOString()],
    ['machine', `${machine.cpu}, ${plural(machine.cpus, 'processor')}, ${machine.memoryMb} MB`],
    ['system', `${machine.system}, Node.js ${machine.node}, Signalbox ${signalbox}`],
    ['again', commandLineOf(options)],
  ];
  return `<table>${rows.map(([what, value]) => `<tr><td>${what}</td><td><code>${escaped(value)}</code></td></tr>`).join('')}</table>`;
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (tag: 'td' | 'th', text: string, { n }: Readonly<{ n: number }>): string =>
    `<${tag}${n === 0 ? '' : ' class="number"'}>${escaped(text)}</${tag}>`;
  const row = (tag: 'td' | 'th', cells: readonly string[]): string =>
    `<tr>${cells.map((text, n) => cell(tag, text, { n })).join('')}</tr>`;
  return `<div class="scroll"><table>${row('th', titles)}${rows.map((cells) => row('td', cells)).join('')}</table></div>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
