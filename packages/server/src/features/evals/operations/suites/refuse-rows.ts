/**
 * When a case is saved, rejects data rows that cannot be filled into it. Such rows would make every
 * later launch fail. There may be thousands of rows, so the check regularly lets other requests
 * proceed.
 */
import { setImmediate as othersTurn } from 'node:timers/promises';
import {
  type CaseToWarnOf,
  checkRows,
  checksPathOf,
  hasData,
  invalid,
  maxRowsOfRequest,
  maxSuiteRowsLength,
  requestRowsProblem,
} from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { readRowsLength } from '../../store/eval-cases.ts';
import { whyNotRun } from './refuse-assertions.ts';

/** `path` is the path of the list of cases in the request. */
export async function refuseRows(cases: readonly CaseToWarnOf[], path: string): Promise<void> {
  refuseManyRows(cases, path);
  for (const one of cases) {
    const problem = await rowProblem(one);
    if (problem !== undefined)
      refuse(invalid(problem.path, problem.message, { reason: 'DATA_INVALID' }));
  }
}

/** Checks only the number of rows. Called before the rows themselves are checked. */
export function refuseManyRows(cases: readonly CaseToWarnOf[], path: string): void {
  const problem = manyRowsProblem(cases);
  if (problem !== undefined) refuse(invalid(path, problem, manyRows));
}

export function manyRowsProblem(cases: readonly CaseToWarnOf[]): string | undefined {
  return requestRowsProblem(
    cases.flatMap(({ definition }) => (hasData(definition) ? [definition] : [])),
  );
}

export const manyRows = { reason: 'TOO_MANY_ROWS', limit: maxRowsOfRequest };

export async function rowProblem(
  one: CaseToWarnOf,
): Promise<{ readonly path: string; readonly message: string } | undefined> {
  const { definition } = one;
  if (!hasData(definition)) return undefined;
  const checking = checkRows(definition, whyNotRun);
  for (;;) {
    const { done, value } = checking.next();
    if (done) return value && { path: placeOf(one, value.path), message: value.message };
    await othersTurn();
  }
}

function placeOf(one: CaseToWarnOf, path: readonly (string | number)[]): string {
  const isOfChecks = path[0] === 'checks' && path[1] === 'list';
  const rest = isOfChecks ? path.slice(2) : path;
  const spelled = rest.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return `${isOfChecks ? checksPathOf(one) : one.path}${spelled.join('')}`;
}

/**
 * Must run after the write, because it measures all rows of the suite, which a launch reads
 * together. A refusal rolls the write back.
 */
export async function refuseTooManyRows(sql: Sql, suiteId: string): Promise<void> {
  refuseRowsLength(await readRowsLength(sql, suiteId));
}

/** `length` is the length of all the suite's rows as JSON. */
export function refuseRowsLength(length: number): void {
  if (length <= maxSuiteRowsLength) return;
  const [limit, is] = [maxSuiteRowsLength, length].map((one) => one.toLocaleString('en-US'));
  refuse({
    code: 'CONFLICT',
    message: `The rows of all cases of a suite may have at most ${limit} characters as JSON, but these rows have ${is}.`,
    details: { reason: 'TOO_MUCH_DATA', limit: maxSuiteRowsLength },
  });
}
