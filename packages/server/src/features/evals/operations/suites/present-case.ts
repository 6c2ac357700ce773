import type { OutputOf } from '@proofmark/contract';
import type { AuthoredCase } from '../../store/eval-cases.ts';
import { providerOf } from './present-suite-detail.ts';

/**
 * Required fields are always present, all others only if the author set them. Data rows are shown
 * only when a single case is read.
 */
export function presentCase(one: AuthoredCase): OutputOf<'getEvalCase'> {
  const { declaredId: _declared, import: _import, data, ...rest } = one.definition;
  return {
    ...rest,
    id: one.id,
    ...(one.declaredId !== null && { declaredId: one.declaredId }),
    iterations: rest.iterations ?? 1,
    ...(rest.iterations === undefined && { iterationsInherited: true as const }),
    isNegative: rest.isNegative ?? false,
    models: (rest.models ?? []).map(({ model, provider = providerOf(model) }) => ({
      model,
      ...(provider !== undefined && { provider }),
    })),
    ...(data !== undefined && {
      data: {
        key: data.key,
        rowCount: one.rowCount ?? data.rows.length,
        ...(data.sample !== undefined && { sample: data.sample }),
      },
    }),
    createdAt: one.createdAt.getTime(),
    updatedAt: one.updatedAt.getTime(),
  };
}

export function presentCaseWithRows(one: AuthoredCase): OutputOf<'getEvalCase'> {
  const shown = presentCase(one);
  const { data } = one.definition;
  if (shown.data === undefined || data === undefined) return shown;
  return { ...shown, data: { ...shown.data, rows: [...data.rows] } };
}
