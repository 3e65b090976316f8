import type { Filter } from '../filter.ts';
import { prefixes } from '../match/command-matcher.ts';
import { withoutSteps } from '../lines/without.ts';

/** Transfers of layers and what a step took, as BuildKit and the older builder print them. */
const STEP =
  /^#\d+ (?:sha256:[0-9a-f]{12,64} |extracting sha256:|transferring |CACHED$|DONE \d|resolve |\.\.\.$|exporting |preparing layers|unpacking |sending tarball|importing cache)|^ ---> (?:[0-9a-f]{12}|Using cache|Running in [0-9a-f]{12})$|^Removing intermediate container |^Sending build context |^[0-9a-f]{12}: (?:Pulling fs layer|Waiting|Downloading|Verifying Checksum|Download complete|Extracting|Pull complete|Already exists|Pushed|Preparing|Layer already exists)/;

export const docker: Filter = {
  name: 'docker',
  matchers: prefixes(
    'docker build',
    'docker buildx build',
    'docker image build',
    'docker compose build',
    'docker compose up',
    'docker pull',
    'docker push',
    'podman build',
    'buildah build',
  ),
  signature: /^#\d+ \[internal\] load |^Step \d+\/\d+ : /,
  isSummary: (line) =>
    /^#\d+ (?:naming to|writing image|ERROR)|^Successfully (?:built|tagged) |^ERROR: |^Status: |^Digest: /.test(
      line,
    ),
  stages: [withoutSteps((line) => STEP.test(line))],
};
