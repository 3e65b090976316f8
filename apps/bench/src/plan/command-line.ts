import { type BenchOptions, benchOptions, mixText } from './bench-options.ts';

type Flag = Readonly<{ name: string; value: (options: BenchOptions) => string | null }>;

const FLAGS: readonly Flag[] = [
  { name: 'agents', value: ({ agents }) => String(agents) },
  { name: 'files', value: ({ files }) => String(files) },
  { name: 'hot', value: ({ hot }) => `${Number((hot * 100).toFixed(6))}%` },
  { name: 'mix', value: ({ mix }) => mixText(mix) },
  { name: 'work', value: ({ workMs }) => `${workMs}ms` },
  { name: 'places', value: ({ places }) => String(places) },
  { name: 'duration', value: ({ durationMs }) => (durationMs === null ? null : `${durationMs}ms`) },
  { name: 'commands', value: ({ commands }) => orNull(commands) },
  { name: 'rate', value: ({ rate }) => orNull(rate) },
  { name: 'door', value: ({ door }) => door },
  { name: 'redis', value: ({ backend }) => (backend === 'redis' ? 'URL' : null) },
  { name: 'workers', value: ({ workers }) => String(workers) },
  { name: 'kill-rate', value: ({ killRate }) => String(killRate) },
  { name: 'bare', value: ({ bare }) => (bare ? '' : null) },
  { name: 'monitored', value: ({ monitored }) => (monitored ? '' : null) },
];

/** The command line that runs the same commands: `signalbox bench hot-file --agents 50 --bare --seed 7`. */
export function commandLineOf(options: BenchOptions): string {
  const { scenario, seed } = options;
  const usual = benchOptions({ scenario, seed });
  const flags = FLAGS.flatMap(({ name, value }) => {
    const asked = value(options);
    return asked === null || asked === value(usual) ? [] : [`--${name} ${asked}`.trimEnd()];
  });
  return ['signalbox bench', scenario, ...flags, `--seed ${seed}`].join(' ');
}

function orNull(number: number | null): string | null {
  return number === null ? null : String(number);
}
