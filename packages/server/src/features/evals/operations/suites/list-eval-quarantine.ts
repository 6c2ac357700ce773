import type { Action } from '../../../../platform/operations/action.ts';
import { listQuarantine } from '../../store/quarantine.ts';
import { findSuite } from './find-suite.ts';
import { presentQuarantine } from './quarantine-of-suite.ts';
import { readQuarantinedSuite } from './read-quarantined-suite.ts';

export const listEvalQuarantine: Action<'listEvalQuarantine'> = async (context, { params }) =>
  context.tenant(async (sql) => {
    const suite = await findSuite(sql, context.project.id, params.suiteId);
    const entries = await listQuarantine(sql, suite.id);
    return presentQuarantine(entries, await readQuarantinedSuite(sql, suite));
  });
