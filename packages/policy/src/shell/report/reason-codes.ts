/** Codes of reasons that code depends on, not only the text of an approval. */

/** It adds commits to a branch, or moves one: the meaning of `git_commit` for any git command. */
export const MAKES_COMMITS = 'makes-commits';
/** It may discard uncommitted changes, including those made by others. */
export const TAKES_WORK = 'takes-work';
/** The same, but of untracked files only. */
export const TAKES_UNTRACKED = 'takes-untracked';
/** It sends data to a server of this machine: nothing leaves it, and nothing can undo that. */
export const CHANGES_SERVICE = 'changes-service';
/** It reaches hosts, and runs a program that is not analysed, which reaches them too. */
export const SHARES_NETWORK = 'shares-network';
/** It installs third-party programs or libraries, or changes installed ones. */
export const INSTALLS = 'installs';
