export { createTokenBook, type NewToken, type TokenBook } from './token-book.ts';
export { TokenEntry, type Visitor } from './token-entry.ts';
