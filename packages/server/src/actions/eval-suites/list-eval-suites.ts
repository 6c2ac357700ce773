import * as evalSuites from '../../storage/eval-suites.ts';
import { type Action, presentPage } from '../action.ts';

export const listEvalSuites: Action<'listEvalSuites'> = async (context, { page }) => {
  const found = await context.tenant((sql) =>
    evalSuites.listEvalSuites(sql, context.project.id, page),
  );
  return presentPage(found, (suite) => ({
    id: suite.id,
    name: suite.name,
    projectId: suite.projectId,
    createdAt: suite.createdAt.getTime(),
    updatedAt: suite.updatedAt.getTime(),
    latestRun: null,
    totals: { passed: 0, failed: 0, runs: 0 },
    passRateTrend: [],
  }));
};
