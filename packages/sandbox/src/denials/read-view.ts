/** What may be read where only listed paths may be. */
export type ReadView = {
  readonly showsFile: (path: string) => boolean;
  /** Of a folder with all below it. */
  readonly showsOf: (folder: string) => 'all' | 'some' | 'none';
};
