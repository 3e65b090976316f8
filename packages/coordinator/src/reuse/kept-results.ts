/** Kept results, for people. */
export type ResultCache = {
  state(): {
    readonly enabled: boolean;
    /** 0: results don't expire. */
    readonly ttlSecs: number;
    /** Results of tests, linters and builds. */
    readonly runs: number;
    /** Answers of tools that only read. */
    readonly reads: number;
  };
  clear(): void;
};
