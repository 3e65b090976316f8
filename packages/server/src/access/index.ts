export { createTokenRegistry, type NewToken, type TokenRegistry } from './token-registry.ts';
export { TokenEntry, type Visitor } from './token-entry.ts';
