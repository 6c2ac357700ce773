import { editCase } from '@proofmark/domain';
import { storeCase } from '../../storage/eval-cases.ts';
import type { Action } from '../action.ts';
import { recordAudit } from '../record-audit.ts';
import { editFromRequest } from './case-from-request.ts';
import { findCase } from './find-suite.ts';
import { presentCase } from './present-case.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';

export const updateEvalCase: Action<'updateEvalCase'> = async (context, { params, body }) =>
  context.tenant(async (sql) => {
    const current = await findCase(sql, context.project.id, params, 'forNoKeyUpdate');
    refuseUnreadable(current);
    const definition = editCase(current.definition, editFromRequest(body));
    const stored = await storeCase(sql, current.id, definition);
    await recordAudit(sql, context, {
      action: 'evalCase.updated',
      subjectId: stored.id,
      details: { suiteId: stored.suiteId, fields: Object.keys(body) },
    });
    return presentCase(stored);
  });
