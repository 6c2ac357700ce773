import type { OutputOf } from '@proofmark/contract';
import type { AuthoredCase } from '../../storage/eval-suites/eval-cases.ts';
import { providerOf } from './present-suite-detail.ts';

/** What every reader needs is always there; everything else only where it was said. */
export function presentCase(one: AuthoredCase): OutputOf<'getEvalCase'> {
  const { declaredId: _declared, import: _import, ...said } = one.definition;
  return {
    ...said,
    id: one.id,
    ...(one.declaredId !== null && { declaredId: one.declaredId }),
    iterations: said.iterations ?? 1,
    ...(said.iterations === undefined && { iterationsInherited: true as const }),
    isNegative: said.isNegative ?? false,
    models: (said.models ?? []).map(({ model, provider = providerOf(model) }) => ({
      model,
      ...(provider !== undefined && { provider }),
    })),
    createdAt: one.createdAt.getTime(),
    updatedAt: one.updatedAt.getTime(),
  };
}
