/** The readable paths, if reading is limited to listed ones. */
export type ReadView = {
  readonly showsFile: (path: string) => boolean;
  /** How much of a folder, including everything below, is readable. */
  readonly showsOf: (folder: string) => 'all' | 'some' | 'none';
};
