import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { findSuite } from '../../evals/index.ts';
import { listDecidedMutants, listMutations } from '../store/mutations.ts';
import { presentMutationHead } from './present-mutation.ts';

export const listEvalSuiteMutations: Action<'listEvalSuiteMutations'> = (
  context,
  { params, page },
) =>
  context.tenant(async (sql) => {
    const suite = await findSuite(sql, context.project.id, params.suiteId);
    const found = await listMutations(sql, suite.id, page);
    const decided = await listDecidedMutants(
      sql,
      found.items.map(({ id }) => id),
    );
    return presentPage(found, (one) => presentMutationHead(one, decided.get(one.id) ?? []));
  });
