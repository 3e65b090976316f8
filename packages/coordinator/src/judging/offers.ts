import type { Coordinator } from '../coordinator-api.ts';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import type { ModeService } from '../mode/mode-service.ts';

export function createOffers(
  { tools, policy }: Pick<CoordinatorOptions, 'tools' | 'policy'>,
  modes: Pick<ModeService, 'current'>,
): Coordinator['offers'] {
  return async (declared, given) => {
    const mode = given ?? (await modes.current()).mode;
    return tools.list().filter((tool) => policy.isOffered(tool, { mode, declared }));
  };
}
