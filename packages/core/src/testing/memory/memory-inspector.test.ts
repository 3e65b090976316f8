import { inspectorContract } from '../contracts/inspector-contract.ts';
import { createMemoryFiles } from './memory-files.ts';
import { createMemoryInspector } from './memory-inspector.ts';

inspectorContract('in memory', async (files) => createMemoryInspector(createMemoryFiles({ files })));
