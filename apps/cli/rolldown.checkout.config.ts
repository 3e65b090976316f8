import { defineConfig } from 'rolldown';
import { program } from './rolldown.config.ts';

/** For a checkout, which serves its dashboard from where that is built: `scripts/build-program.mjs` says where to. */
export default defineConfig(program);
