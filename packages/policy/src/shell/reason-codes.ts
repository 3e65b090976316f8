/** Codes of reasons that more than the text of a question goes by. */

/** It adds commits to a branch, or moves one: what a person means by `git_commit`, whichever command of git it is. */
export const MAKES_COMMITS = 'makes-commits';
/** It may take away uncommitted work of others. */
export const TAKES_WORK = 'takes-work';
/** It hands data to a server of this machine: nothing leaves it, and nothing takes that back. */
export const CHANGES_SERVICE = 'changes-service';
/** It reaches hosts, and runs a program that nobody looked into, which reaches them too. */
export const SHARES_NETWORK = 'shares-network';
/** It brings programs or libraries that others wrote, or changes which are there. */
export const INSTALLS = 'installs';
