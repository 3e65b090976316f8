/** Money shared by several sessions. */
export type SessionBudget = {
  /** In US dollars; `null`: no limit. */
  readonly limitUsd: number | null;
  spentUsd(): number;
  spend(costUsd: number): void;
  /** Checked before each turn, so each session may overdraw it by one turn. */
  isSpent(): boolean;
};

export function createBudget(limitUsd: number | null, spentBefore = 0): SessionBudget {
  let spent = spentBefore;
  return {
    limitUsd,
    spentUsd: () => spent,
    spend(costUsd) {
      spent += costUsd;
    },
    isSpent: () => limitUsd !== null && spent >= limitUsd,
  };
}
