import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HostPattern, type LoggedInTool, parseHostPattern } from '@signalbox/core';
import { privateAddressesOf } from '@signalbox/sandbox';
import { parse } from 'yaml';
import * as z from 'zod';

/** A tool that the user is logged in to on this machine. */
export type Login = Readonly<{
  tool: LoggedInTool;
  /** What its lines could read in addition, as displayed. */
  opens: string;
  /** Hosts that they may reach. */
  hosts: readonly HostPattern[];
  /** Lines that would run without approval. */
  examples: string;
}>;

/** The most that is read of a login file. */
const MAX_BYTES = 1024 * 1024;
const MAX_HOSTS = 50;

const GhHosts = z.record(z.string(), z.unknown());
const Clusters = z.object({
  clusters: z.array(z.object({ cluster: z.object({ server: z.url() }) })).default([]),
});

/** Existing logins, by their tools' files in the home folder. */
export async function findLogins(home: string): Promise<readonly Login[]> {
  return [await ghLogin(home), await kubectlLogin(home), dockerLogin('/run/docker.sock')].filter(
    (login) => login !== null,
  );
}

async function ghLogin(home: string): Promise<Login | null> {
  const path = '.config/gh/hosts.yml';
  const hosts = Object.keys(GhHosts.safeParse(yamlAt(join(home, path))).data ?? {});
  const reached = hosts.flatMap((host) => (host === 'github.com' ? [host, 'api.github.com'] : [host]));
  return reached.length === 0
    ? null
    : {
        tool: 'gh',
        opens: `~/${path}, with its token`,
        hosts: await withPrivate(reached),
        examples: 'gh pr view 12, gh issue list, gh run view 81 --log',
      };
}

async function kubectlLogin(home: string): Promise<Login | null> {
  const path = '.kube/config';
  const clusters = Clusters.safeParse(yamlAt(join(home, path))).data?.clusters ?? [];
  const servers = clusters.map(({ cluster }) => new URL(cluster.server));
  const reached = servers.map(({ hostname, port }) => `${hostname}:${port === '' ? '443' : port}`);
  return reached.length === 0
    ? null
    : {
        tool: 'kubectl',
        opens: `~/${path}, with its keys`,
        hosts: await withPrivate(reached),
        examples: 'kubectl get pods -A, kubectl logs deploy/web; never secrets',
      };
}

function dockerLogin(path: string): Login | null {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return null;
  return {
    tool: 'docker',
    opens: `${path}: for these lines only, since it gives full rights on this machine`,
    hosts: [],
    examples: 'docker ps, docker images, docker logs web; never inspect, run or exec',
  };
}

async function withPrivate(hosts: readonly string[]): Promise<readonly HostPattern[]> {
  const patterns = [...new Set(hosts)].filter((host) => parseHostPattern(host) !== null).slice(0, MAX_HOSTS);
  const more = await Promise.all(patterns.map(async (pattern) => privateAddressesOf(pattern)));
  return [...new Set([...patterns, ...more.flat()])];
}

/** Undefined unless it is a regular file, not too large, and YAML. */
function yamlAt(path: string): unknown {
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file?.isFile() !== true || file.size > MAX_BYTES) return undefined;
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
