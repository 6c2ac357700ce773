import type { Action } from '../../../../platform/operations/action.ts';
import { findSuite } from './find-suite.ts';
import { presentSuiteDetail } from './present-suite-detail.ts';

export const getEvalSuite: Action<'getEvalSuite'> = async (context, { params }) =>
  context.tenant(async (sql) =>
    presentSuiteDetail(sql, await findSuite(sql, context.project.id, params.suiteId)),
  );
