export { damageRecord } from './damage-record.ts';
