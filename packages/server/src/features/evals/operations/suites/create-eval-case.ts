import type { OutputOf } from '@proofmark/contract';
import { type EvalCaseDefinition, maxDistinctCases } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import type { EvalsParts, EvalsProject } from '../../evals-context.ts';
import * as cases from '../../store/eval-cases.ts';
import { caseFromRequest } from './case-from-request.ts';
import { findSuite } from './find-suite.ts';
import { presentCase } from './present-case.ts';
import { refuseAssertions } from './refuse-assertions.ts';
import { refuseModelsOfContract } from './refuse-models-of-contract.ts';
import { refuseRows, refuseTooManyRows } from './refuse-rows.ts';
import { refuseUnknownServers } from './refuse-unknown-servers.ts';
import { warnOfSuite } from './warn-of-suite.ts';

export const createEvalCase: Action<'createEvalCase', EvalsParts> = async (
  context,
  { params, body },
) => {
  const definition = caseFromRequest(body);
  await refuseRows([{ path: 'body', definition }], 'body.data.rows');
  return context.tenant((sql) => addEvalCase(sql, context, params.suiteId, definition, 'body.id'));
};

/** `idPath` is the path of the case id in the request. */
export async function addEvalCase(
  sql: Sql,
  context: EvalsProject,
  suiteId: string,
  definition: EvalCaseDefinition,
  idPath: string,
): Promise<OutputOf<'createEvalCase'>> {
  const { project } = context;
  const stated = { path: 'body', definition };
  refuseAssertions([stated]);
  const suite = await findSuite(sql, project.id, suiteId, 'forNoKeyUpdate');
  refuseModelsOfContract(suite.definition, [stated]);
  await refuseUnknownServers(sql, project.id, [stated]);
  const taken = await cases.readTakenCases(sql, suite.id);
  const { declaredId } = definition;
  if (declaredId !== undefined && taken.declaredIds.has(declaredId)) {
    refuse({
      code: 'CONFLICT',
      message: 'Another case of this suite has this id; choose another id.',
      details: { path: idPath, reason: 'DUPLICATE_CASE_ID' },
    });
  }
  refuseTooManyCases(taken.count + 1);
  const [id] = await cases.insertCases(
    sql,
    { organizationId: project.organizationId, suiteId: suite.id },
    [{ id: context.newId('evalCase'), definition: stated.definition }],
  );
  await refuseTooManyRows(sql, suite.id);
  const made = (await cases.readCase(sql, suite.id, id as string)) as cases.AuthoredCase;
  await recordAudit(sql, context, {
    action: 'evalCase.created',
    subjectId: made.id,
    details: { suiteId: suite.id },
  });
  return {
    ...presentCase(made),
    warnings: await warnOfSuite(sql, suite, [stated], context),
  };
}

/** A decision covers at most `maxDistinctCases` cases, so a larger run could not be decided. */
export function refuseTooManyCases(count: number): void {
  if (count <= maxDistinctCases) return;
  refuse({
    code: 'CONFLICT',
    message: `A suite has at most ${maxDistinctCases} cases; delete one first, or add this case to another suite.`,
    details: { reason: 'TOO_MANY_CASES', limit: maxDistinctCases },
  });
}
