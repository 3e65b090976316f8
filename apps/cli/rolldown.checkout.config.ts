import { defineConfig } from 'rolldown';
import { program } from './rolldown.config.ts';

/**
 * For a checkout, which serves its dashboard from its own build; `scripts/build-program.mjs` sets the output folder.
 */
export default defineConfig(program);
