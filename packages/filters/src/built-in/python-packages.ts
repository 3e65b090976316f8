import type { Filter } from '../filter.ts';
import { prefixes } from '../match/command-matcher.ts';
import { withoutSteps } from '../lines/without.ts';

const STEP =
  /^ *(?:Collecting |Downloading |Using cached |Obtaining |Requirement already satisfied: |Installing build dependencies|Getting requirements |Preparing metadata|Building wheels? for |Building editable for |Created wheel for |Stored in directory: |Installing collected packages: |Installing backend dependencies|Attempting uninstall: |Found existing installation: |Uninstalling |Successfully uninstalled |Looking in indexes: |━| ?\[notice\])/;

export const pip: Filter = {
  name: 'pip-install',
  matchers: prefixes('pip install', 'pip3 install', 'pip download', 'pip wheel', 'uv pip install'),
  signature: /^Successfully installed |^Requirement already satisfied: /,
  isSummary: (line) => /^Successfully (?:installed|built) |^ERROR: /.test(line),
  stages: [withoutSteps((line) => STEP.test(line))],
};
