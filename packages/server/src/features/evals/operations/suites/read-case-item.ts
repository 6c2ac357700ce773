import { type OutputOf, operations } from '@proofmark/contract';
import { caseIdPattern, checkValue, type EvalCaseDefinition, isRecord } from '@proofmark/domain';
import { caseFromRequest } from './case-from-request.ts';
import { problemsOfCase } from './refuse-assertions.ts';

/**
 * Maximum number of characters of one case as JSON. A hundred larger cases would exceed the limit
 * of a request.
 */
const largestItemLength = 500_000;

type Problem = OutputOf<'createEvalCases'>['failed'][number];

export interface CaseItem {
  readonly index: number;
  readonly definition: EvalCaseDefinition;
}

export function readCaseItem(item: unknown, index: number): CaseItem | { problem: Problem } {
  if (!isRecord(item)) {
    return refused(index, {}, 'INVALID_ITEM', 'A case must be a JSON object.');
  }
  // Data rows have their own limit, so they do not count towards the limit of characters.
  const { data: _rows, ...rest } = item;
  if (JSON.stringify(rest).length > largestItemLength) {
    const message = `A case has at most ${largestItemLength} characters.`;
    return refused(index, item, 'ITEM_TOO_LARGE', message);
  }
  const { id } = item;
  if (id !== undefined && (typeof id !== 'string' || !caseIdPattern.test(id))) {
    const message = 'id: An id is 1 to 128 letters, digits, _ or -.';
    return refused(index, item, 'INVALID_CASE_ID', message);
  }
  const checked = checkValue(operations.createEvalCase.body, item);
  if ('value' in checked) {
    const definition = caseFromRequest(checked.value);
    const [bad] = problemsOfCase({ path: 'case', definition });
    if (bad === undefined) return { index, definition };
    return refused(index, item, 'INVALID_CASE', `${bad.path}: ${bad.message}`.slice(0, 400));
  }
  const [problem] = checked.problems;
  const at = problem.path.join('.');
  const message = `${at === '' ? 'case' : at}: ${problem.message}`.slice(0, 400);
  return refused(index, item, 'INVALID_CASE', message);
}

function refused(
  index: number,
  item: { title?: unknown; id?: unknown },
  code: Problem['code'],
  message: string,
): { problem: Problem } {
  const { title, id } = item;
  return {
    problem: {
      index,
      ...(typeof title === 'string' && { title: title.slice(0, 200) }),
      ...(typeof id === 'string' && { declaredId: id.slice(0, 200) }),
      code,
      message,
    },
  };
}
