/** A container engine and what it starts; only from an operator, never from a repository's file. */
export type ContainerOptions = {
  /** Program of docker or podman with its own options, such as the socket to use. */
  readonly engine: readonly [string, ...string[]];
  /** An image that is there already, with `/bin/bash` and the programs that commands need. */
  readonly image: string;
};
