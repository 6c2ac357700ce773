import { maxDistinctCases } from '@proofmark/domain';
import * as cases from '../../storage/eval-suites/eval-cases.ts';
import { type Action, refuse } from '../action.ts';
import { recordAudit } from '../record-audit.ts';
import { caseFromRequest } from './case-from-request.ts';
import { findSuite } from './find-suite.ts';
import { presentCase } from './present-case.ts';
import { refusePatterns } from './refuse-patterns.ts';
import { refuseUnknownServers } from './refuse-unknown-servers.ts';
import { warnOfSuite } from './warn-of-suite.ts';

export const createEvalCase: Action<'createEvalCase'> = async (context, { params, body }) =>
  context.tenant(async (sql) => {
    const { project } = context;
    const stated = { path: 'body', definition: caseFromRequest(body) };
    refusePatterns([stated]);
    const suite = await findSuite(sql, project.id, params.suiteId, 'forNoKeyUpdate');
    await refuseUnknownServers(sql, project.id, [stated]);
    const taken = await cases.readTakenCases(sql, suite.id);
    if (body.id !== undefined && taken.declaredIds.has(body.id)) {
      refuse({
        code: 'CONFLICT',
        message: 'Another case of this suite has this id.',
        details: { path: 'body.id', reason: 'DUPLICATE_CASE_ID' },
      });
    }
    refuseTooManyCases(taken.count + 1);
    const [id] = await cases.insertCases(
      sql,
      { organizationId: project.organizationId, suiteId: suite.id },
      [{ id: context.newId('evalCase'), definition: stated.definition }],
    );
    const made = (await cases.readCase(sql, suite.id, id as string)) as cases.AuthoredCase;
    await recordAudit(sql, context, {
      action: 'evalCase.created',
      subjectId: made.id,
      details: { suiteId: suite.id },
    });
    return { ...presentCase(made), warnings: await warnOfSuite(sql, suite, [stated]) };
  });

/** A run of more cases than these could not be decided. */
export function refuseTooManyCases(count: number): void {
  if (count <= maxDistinctCases) return;
  refuse({
    code: 'CONFLICT',
    message: `A suite has at most ${maxDistinctCases} cases.`,
    details: { reason: 'TOO_MANY_CASES', limit: maxDistinctCases },
  });
}
