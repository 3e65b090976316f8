/** Money that several sessions share. */
export type SessionBudget = {
  /** In US dollars; `null`: no limit. */
  readonly limitUsd: number | null;
  spentUsd(): number;
  spend(costUsd: number): void;
  /** Asked before each turn, so each session may overdraw it by one turn. */
  isSpent(): boolean;
};

export function createBudget(limitUsd: number | null): SessionBudget {
  let spent = 0;
  return {
    limitUsd,
    spentUsd: () => spent,
    spend(costUsd) {
      spent += costUsd;
    },
    isSpent: () => limitUsd !== null && spent >= limitUsd,
  };
}
