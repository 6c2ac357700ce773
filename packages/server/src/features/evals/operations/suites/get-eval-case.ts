import type { Action } from '../../../../platform/operations/action.ts';
import { findCase } from './find-suite.ts';
import { presentCaseWithRows } from './present-case.ts';

export const getEvalCase: Action<'getEvalCase'> = async (context, { params }) =>
  context.tenant(async (sql) =>
    presentCaseWithRows(await findCase(sql, context.project.id, params)),
  );
