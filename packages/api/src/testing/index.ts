export { aCommandView, aSessionView, aSnapshot } from './builders.ts';
export { checkContract } from './check-contract.ts';
