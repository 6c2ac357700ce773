import * as environments from '../../storage/environments/environments.ts';
import { type Action, presentPage } from '../action.ts';
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
