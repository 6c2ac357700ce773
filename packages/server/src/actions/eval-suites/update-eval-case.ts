import { editCase } from '@proofmark/domain';
import { storeCase } from '../../storage/eval-suites/eval-cases.ts';
import type { Action } from '../action.ts';
import { recordAudit } from '../record-audit.ts';
import { editFromRequest } from './case-from-request.ts';
import { findCase, findSuite } from './find-suite.ts';
import { presentCase } from './present-case.ts';
import { refuseModelsOfContract } from './refuse-models-of-contract.ts';
import { refusePatterns } from './refuse-patterns.ts';
import { refuseUnknownServers } from './refuse-unknown-servers.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';
import { warnOfSuite } from './warn-of-suite.ts';

export const updateEvalCase: Action<'updateEvalCase'> = async (context, { params, body }) =>
  context.tenant(async (sql) => {
    const { project } = context;
    const suite = await findSuite(sql, project.id, params.suiteId, 'forNoKeyUpdate');
    const current = await findCase(sql, project.id, params);
    refuseUnreadable(current);
    const definition = editCase(current.definition, editFromRequest(body));
    const stated = { path: 'body', definition };
    // What stands there already and is not touched is no mistake of this edit.
    if (body.steps !== undefined || body.checks !== undefined) refusePatterns([stated]);
    refuseModelsOfContract(suite.definition, [stated]);
    await refuseUnknownServers(sql, project.id, [stated], [current.definition]);
    const stored = await storeCase(sql, current.id, definition);
    await recordAudit(sql, context, {
      action: 'evalCase.updated',
      subjectId: stored.id,
      details: { suiteId: stored.suiteId, fields: Object.keys(body) },
    });
    return { ...presentCase(stored), warnings: await warnOfSuite(sql, suite, [stated]) };
  });
