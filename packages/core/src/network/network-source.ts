import * as z from 'zod';

/**
 * Where a project gets its parts: the package registries of one ecosystem, or its git remotes. The project's own files
 * name those hosts.
 */
export const NetworkSource = z.enum([
  'npm',
  'python',
  'go',
  'cargo',
  'hex',
  'maven',
  'rubygems',
  'composer',
  'nuget',
  'git',
]);
export type NetworkSource = z.infer<typeof NetworkSource>;

/** A list of hosts that a person agrees to once, in `sandbox.network.agreed`. */
export const NetworkProfile = z.enum(['packages', 'remotes', 'localhost']);
export type NetworkProfile = z.infer<typeof NetworkProfile>;

export function profileOf(source: NetworkSource): NetworkProfile {
  return source === 'git' ? 'remotes' : 'packages';
}
