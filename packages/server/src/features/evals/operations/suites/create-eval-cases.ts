/**
 * Adds the valid cases of a batch, and returns the reason for each invalid one. With an idempotency
 * key, a repeated request gets the same response. A different request with the same key is
 * rejected.
 */

import type { OutputOf } from '@proofmark/contract';
import {
  type CaseToWarnOf,
  canonicalJson,
  contractProblemsOfCase,
  isContract,
  selectNewCases,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import { insertIdempotentAnswer } from '../../../../platform/database/idempotent-answers.ts';
import type { Action, ActionInput } from '../../../../platform/operations/action.ts';
import { findKept } from '../../../../platform/operations/keyed-answers.ts';
import { recordAudit } from '../../../../platform/operations/record-audit.ts';
import type { EvalsParts, EvalsProject } from '../../evals-context.ts';
import { contentHashOf, insertCases, readTakenCases } from '../../store/eval-cases.ts';
import { refuseTooManyCases } from './create-eval-case.ts';
import { findSuite } from './find-suite.ts';
import { type CaseItem, readCaseItem } from './read-case-item.ts';
import { refuseManyRows, refuseTooManyRows, rowProblem } from './refuse-rows.ts';
import { unknownServers } from './refuse-unknown-servers.ts';
import { warnOfSuite } from './warn-of-suite.ts';

type Result = OutputOf<'createEvalCases'>;
type Input = ActionInput<'createEvalCases'>;

export const createEvalCases: Action<'createEvalCases', EvalsParts> = async (context, input) => {
  const items = await readItems(input.body.cases);
  return context.tenant(async (sql) => {
    const { project } = context;
    const { params, body, idempotencyKey: key } = input;
    if (key === undefined) return addCases(sql, context, input, items);
    await findSuite(sql, project.id, params.suiteId);
    const requestHash = sha256Hex(canonicalJson([params.suiteId, body]));
    const { organizationId } = project;
    const request = { organizationId, operation: 'createEvalCases', key, requestHash };
    const earlier = await findKept<Result>(sql, request);
    if (earlier !== undefined) return replayed(earlier);
    const result = await addCases(sql, context, input, items);
    await insertIdempotentAnswer(sql, request, result);
    return result;
  });
};

type ReadItem = ReturnType<typeof readCaseItem>;

/** Filling many data rows into their cases takes long, so it happens before the suite is locked. */
async function readItems(cases: readonly unknown[]): Promise<ReadItem[]> {
  const items = cases.map(readCaseItem);
  const stated = (item: ReadItem) => ('problem' in item ? [] : [statedBy(item)]);
  refuseManyRows(items.flatMap(stated), 'body.cases');
  const checked: ReadItem[] = [];
  for (const item of items) {
    const bad = 'problem' in item ? undefined : await rowProblem(statedBy(item));
    checked.push('problem' in item || bad === undefined ? item : refusedItem(item, bad));
  }
  return checked;
}

function statedBy({ definition }: CaseItem): CaseToWarnOf {
  return { path: 'case', definition };
}

async function addCases(
  sql: Sql,
  context: EvalsProject,
  input: Input,
  items: readonly ReadItem[],
): Promise<Result> {
  const { project } = context;
  const { duplicatePolicy: policy, overrideReason } = input.body;
  const suite = await findSuite(sql, project.id, input.params.suiteId, 'forNoKeyUpdate');
  const read = await Promise.all(
    items.map(async (item) => {
      if ('problem' in item) return item;
      const [asking] = isContract(suite.definition) ? contractProblemsOfCase(item.definition) : [];
      if (asking !== undefined)
        return refusedItem(item, {
          path: `case.${asking.path.join('.')}`,
          message: asking.message,
        });
      const [unknown] = await unknownServers(sql, project.id, [statedBy(item)]);
      return unknown === undefined ? item : refusedItem(item, { path: unknown, message: noServer });
    }),
  );
  const candidates = read.flatMap((item) =>
    'problem' in item ? [] : [{ ...item, contentHash: contentHashOf(item.definition) }],
  );
  const taken = await readTakenCases(sql, suite.id);
  const { admitted, refused } = selectNewCases(candidates, taken, { policy, overrideReason });
  refuseTooManyCases(taken.count + admitted.length);
  const ids = await insertCases(
    sql,
    { organizationId: project.organizationId, suiteId: suite.id },
    admitted.map(({ definition }) => ({ id: context.newId('evalCase'), definition })),
  );
  await refuseTooManyRows(sql, suite.id);
  if (ids.length > 0) {
    await recordAudit(sql, context, { action: 'evalSuite.casesAdded', subjectId: suite.id });
  }
  const warnings = await warnOfSuite(
    sql,
    suite,
    admitted.map(({ index, definition }) => ({ path: `body.cases[${index}]`, definition })),
    context,
  );
  const failed = [...read.flatMap((item) => ('problem' in item ? [item.problem] : [])), ...refused];
  return {
    created: admitted.map(({ index, definition, isDuplicate }, at) => ({
      index,
      id: ids[at] as string,
      ...(definition.declaredId !== undefined && { declaredId: definition.declaredId }),
      title: definition.title,
      replayed: false,
      ...(isDuplicate && { warnings: [duplicateWarning] }),
    })),
    failed: failed.sort((one, other) => one.index - other.index).map(withoutAbsent),
    duplicatePolicy: { requestedPolicy: policy, effectivePolicy: policy, coerced: false },
    warnings,
  };
}

const noServer = 'This project does not contain this server; save it first or name another.';

function refusedItem(
  { index, definition }: CaseItem,
  bad: { readonly path: string; readonly message: string },
) {
  const { title, declaredId } = definition;
  const message = `${bad.path}: ${bad.message}`.slice(0, 400);
  const named = { title, ...(declaredId !== undefined && { declaredId }) };
  return { problem: { index, ...named, code: 'INVALID_CASE' as const, message } };
}

const duplicateWarning = {
  code: 'DUPLICATE_CONTENT',
  message: 'The suite already has a case with the same title, steps and configuration.',
};

function replayed(answer: Result): Result {
  return { ...answer, created: answer.created.map((one) => ({ ...one, replayed: true })) };
}

function withoutAbsent<Item extends object>(item: Item): Item {
  return Object.fromEntries(
    Object.entries(item).filter(([, value]) => value !== undefined),
  ) as Item;
}
