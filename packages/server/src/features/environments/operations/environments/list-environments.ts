import { type Action, presentPage } from '../../../../platform/operations/action.ts';
import * as environments from '../../store/environments.ts';
import { presentEnvironment } from './present-environment.ts';

export const listEnvironments: Action<'listEnvironments'> = async (context, { query, page }) => {
  const filter = { includeArchived: query.includeArchived === 'true' };
  return presentPage(
    await context.tenant((sql) =>
      environments.readEnvironments(sql, context.project.id, filter, page),
    ),
    presentEnvironment,
  );
};
