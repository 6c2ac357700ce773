import type { BodyOf } from '@proofmark/contract';
import {
  CaseData,
  checkValue,
  type EvalCaseDefinition,
  editCase,
  invalid,
} from '@proofmark/domain';
import { storeCase } from '../../storage/eval-suites/eval-cases.ts';
import { type Action, refuse } from '../action.ts';
import { recordAudit } from '../record-audit.ts';
import { editFromRequest } from './case-from-request.ts';
import { findCase, findSuite } from './find-suite.ts';
import { presentCase } from './present-case.ts';
import { refuseAssertions } from './refuse-assertions.ts';
import { refuseModelsOfContract } from './refuse-models-of-contract.ts';
import { refuseRows, refuseTooManyRows } from './refuse-rows.ts';
import { refuseUnknownServers } from './refuse-unknown-servers.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';
import { warnOfSuite } from './warn-of-suite.ts';

export const updateEvalCase: Action<'updateEvalCase'> = async (context, { params, body }) =>
  context.tenant(async (sql) => {
    const { project } = context;
    const suite = await findSuite(sql, project.id, params.suiteId, 'forNoKeyUpdate');
    const current = await findCase(sql, project.id, params);
    refuseUnreadable(current);
    const { data, ...others } = body;
    const edited = editCase(current.definition, editFromRequest(others));
    const definition = data === undefined ? edited : { ...edited, ...editedData(edited, data) };
    if (data === null) delete definition.data;
    const stated = { path: 'body', definition };
    // What stands there already and is not touched is no mistake of this edit.
    if (body.steps !== undefined || body.checks !== undefined) refuseAssertions([stated]);
    refuseModelsOfContract(suite.definition, [stated]);
    await refuseRows([stated]);
    await refuseUnknownServers(sql, project.id, [stated], [current.definition]);
    const stored = await storeCase(sql, current.id, definition);
    if (data?.rows !== undefined) await refuseTooManyRows(sql, suite.id);
    await recordAudit(sql, context, {
      action: 'evalCase.updated',
      subjectId: stored.id,
      details: { suiteId: stored.suiteId, fields: Object.keys(body) },
    });
    return { ...presentCase(stored), warnings: await warnOfSuite(sql, suite, [stated]) };
  });

/** What is left out stays, and the whole must be what a new case could say. */
function editedData(
  { data: before }: EvalCaseDefinition,
  edit: BodyOf<'updateEvalCase'>['data'],
): Pick<EvalCaseDefinition, 'data'> {
  if (edit == null) return {};
  const { sample = before?.sample, ...rest } = edit;
  const data = { ...before, ...rest, sample: sample ?? undefined };
  const checked = checkValue(CaseData, data);
  if ('value' in checked) {
    const { sample: taken, ...said } = checked.value;
    return { data: { ...said, ...(taken !== undefined && { sample: taken }) } };
  }
  const [{ path, message }] = checked.problems;
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return refuse(invalid(`body.data${place.join('')}`, message, { reason: 'DATA_INVALID' }));
}
