/** A container engine and its image. Set by an operator only, never by a file of the repository. */
export type ContainerOptions = {
  /** The docker or podman program with its own options, such as the socket to use. */
  readonly engine: readonly [string, ...string[]];
  /** A local image with `/bin/bash` and the programs that commands need. */
  readonly image: string;
};
