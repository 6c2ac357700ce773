import type { BodyOf, OutputOf } from '@proofmark/contract';
import {
  besidePlan,
  CaseData,
  checkValue,
  type EvalCaseDefinition,
  editCase,
  hasData,
  invalid,
  planRefusalOfCase,
  replacedByPlan,
  staleCase,
  templatesWithoutData,
} from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { type Action, type ActionInput, refuse } from '../../../../platform/operations/action.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import type { EvalsParts, EvalsProject } from '../../evals-context.ts';
import { storeCase } from '../../store/eval-cases.ts';
import { editFromRequest } from './case-from-request.ts';
import { findCase, findSuite } from './find-suite.ts';
import { presentCase } from './present-case.ts';
import { refuseAssertions, refusePlan } from './refuse-assertions.ts';
import { refuseModelsOfContract } from './refuse-models-of-contract.ts';
import { refuseRows, refuseTooManyRows } from './refuse-rows.ts';
import { refuseUnknownServers } from './refuse-unknown-servers.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';
import { warnOfSuite } from './warn-of-suite.ts';

/**
 * Filling many data rows into the case takes long, so it happens before the suite is locked. It is
 * repeated if the case changed meanwhile.
 */
export const updateEvalCase: Action<'updateEvalCase', EvalsParts> = async (context, input) => {
  for (;;) {
    const seen = await context.tenant((sql) => editedCase(sql, context, input, 'read'));
    await refuseRows([seen.stated], 'body.data.rows');
    const stored = await context.tenant(async (sql) => {
      const held = await editedCase(sql, context, input, 'forNoKeyUpdate');
      const isOther = held.current.updatedAt.getTime() !== seen.current.updatedAt.getTime();
      return isOther && hasData(held.stated.definition)
        ? undefined
        : storeEdited(sql, context, input, held);
    });
    if (stored !== undefined) return stored;
  }
};

type Input = ActionInput<'updateEvalCase'>;

async function editedCase(
  sql: Sql,
  { project }: EvalsProject,
  { params, body }: Input,
  lock: 'read' | 'forNoKeyUpdate',
) {
  const suite = await findSuite(sql, project.id, params.suiteId, lock);
  const current = await findCase(sql, project.id, params);
  refuseUnreadable(current);
  const { data, expectedUpdatedAt, ...others } = body;
  const stale = staleCase(current.updatedAt.getTime(), expectedUpdatedAt);
  if (stale !== undefined) refuse(stale);
  const edited = editCase(current.definition, editFromRequest(others));
  const definition = data === undefined ? edited : { ...edited, ...editedData(edited, data) };
  if (data === null) delete definition.data;
  const stated = { path: 'body', definition };
  refuseTemplates(definition);
  // Assertions are validated only if the edit contains them. So an edit of other fields never fails
  // because of an existing assertion.
  if (body.steps !== undefined || body.checks !== undefined) refuseAssertions([stated]);
  if (body.trials !== undefined) refusePlan(planRefusalOfCase(stated));
  const beside = besidePlan(definition, replacedByPlan);
  if (beside !== undefined) refuse(invalid('body.trials', beside));
  refuseModelsOfContract(suite.definition, [stated]);
  return { suite, current, stated };
}

async function storeEdited(
  sql: Sql,
  context: EvalsProject,
  { body: { expectedUpdatedAt: _read, ...body } }: Input,
  { suite, current, stated }: Awaited<ReturnType<typeof editedCase>>,
): Promise<OutputOf<'updateEvalCase'>> {
  await refuseUnknownServers(sql, context.project.id, [stated], [current.definition]);
  const stored = await storeCase(sql, current.id, stated.definition);
  if (body.data?.rows !== undefined) await refuseTooManyRows(sql, suite.id);
  await recordAudit(sql, context, {
    action: 'evalCase.updated',
    subjectId: stored.id,
    details: { suiteId: stored.suiteId, fields: Object.keys(body) },
  });
  return {
    ...presentCase(stored),
    warnings: await warnOfSuite(sql, suite, [stated], context),
  };
}

function refuseTemplates(definition: EvalCaseDefinition): void {
  const [problem] = templatesWithoutData(definition);
  if (problem !== undefined) refuse(invalid(bodyPath(problem.path), problem.message));
}

function bodyPath(path: readonly (string | number)[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return `body${steps.join('')}`;
}

/** Absent fields keep their value. The result must meet the rules for new cases. */
function editedData(
  { data: before }: EvalCaseDefinition,
  edit: BodyOf<'updateEvalCase'>['data'],
): Pick<EvalCaseDefinition, 'data'> {
  if (edit == null) return {};
  const { sample = before?.sample, ...rest } = edit;
  const data = { ...before, ...rest, sample: sample ?? undefined };
  const checked = checkValue(CaseData, data);
  if ('value' in checked) {
    const { sample: taken, ...checkedData } = checked.value;
    return { data: { ...checkedData, ...(taken !== undefined && { sample: taken }) } };
  }
  const [{ path, message }] = checked.problems;
  return refuse(invalid(bodyPath(['data', ...path]), message, { reason: 'DATA_INVALID' }));
}
