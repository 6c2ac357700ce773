/**
 * Expands the cases of a run: every data row becomes a separate case. If a case with data is named,
 * or the whole suite runs, the rows of the case's sample are played. A row that is named itself is
 * always played.
 */
import { invalid, type Refusal } from '../kernel/refusal.ts';
import { maxDistinctCases } from '../verdict/decision.ts';
import { type DataRow, keyOfRow, type RowSample } from './case-data.ts';
import type { CaseToPlan } from './case-to-plan.ts';
import { rowSuffix, sampleRows } from './data-rows.ts';
import { type DataCase, fillCase, hasData, templateOf } from './fill-case.ts';

export interface ExpandedCases {
  readonly cases: readonly CaseToPlan[];
  readonly samples: readonly RowSample[];
}

/**
 * The largest length of all cases made from rows, in characters of JSON, since a plan is stored and
 * read as a whole.
 */
export const maxExpandedLength = 20_000_000;

type Hash = (text: string) => string;

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the length is bounded and ids are unique across all cases, so one pass checks both.
export function expandCases(
  all: readonly CaseToPlan[],
  caseIds: readonly string[] | undefined,
  sha256Hex: Hash,
): ExpandedCases | { readonly refusal: Refusal } {
  const named = caseIds && new Set(caseIds);
  const isNamed = ({ id, declaredId }: Pick<CaseToPlan, 'id' | 'declaredId'>) =>
    named === undefined || named.has(id) || (declaredId !== null && named.has(declaredId));
  const chosen = all.map((one) => {
    if (!isPlayedByRow(one)) {
      const isPlayed = isNamed(one) && one.definition.disabled !== true;
      return { one, amount: isPlayed ? 1 : 0 };
    }
    const rows = rowsOf(one, isNamed(one), named, sha256Hex);
    return { one, rows, amount: rows.length };
  });
  const cases = chosen.reduce((sum, { amount }) => sum + amount, 0);
  if (cases > maxDistinctCases && all.some(isPlayedByRow)) return { refusal: tooManyCases(cases) };
  const expanded: CaseToPlan[] = [];
  const ids = new Set<string>();
  let length = 0;
  for (const { one, rows } of chosen) {
    if (rows === undefined) {
      ids.add(nameOf(one));
      expanded.push(one);
      continue;
    }
    for (const filled of fillRows(one as PlayedByRow, rows)) {
      if ('refusal' in filled) return filled;
      length += JSON.stringify(filled.definition).length;
      if (length > maxExpandedLength) return { refusal: tooLong };
      if (ids.has(nameOf(filled))) return { refusal: sameId(filled) };
      ids.add(nameOf(filled));
      expanded.push(filled);
    }
  }
  return { cases: expanded, samples: samplesOf(chosen, isNamed) };
}

function nameOf({ id, declaredId }: CaseToPlan): string {
  return declaredId ?? id;
}

type PlayedByRow = CaseToPlan & { readonly definition: DataCase };

function isPlayedByRow(one: CaseToPlan): one is PlayedByRow {
  return hasData(one.definition) && one.definition.disabled !== true;
}

interface ChosenRow {
  readonly row: DataRow;
  readonly suffix: string;
}

function rowsOf(
  one: PlayedByRow,
  isWhole: boolean,
  named: ReadonlySet<string> | undefined,
  sha256Hex: Hash,
): ChosenRow[] {
  const { data } = one.definition;
  const taken = isWhole ? new Set(sampleRows(data, sha256Hex)) : undefined;
  return data.rows.flatMap((row) => {
    const caseId = one.declaredId ?? one.id;
    const suffix = rowSuffix(caseId, keyOfRow(row, data.key) ?? '', sha256Hex);
    const isNamed = [one.id, one.declaredId].some((id) => id && named?.has(`${id}${suffix}`));
    return isNamed || taken?.has(row) ? [{ row, suffix }] : [];
  });
}

function* fillRows(
  { id, caseKey, declaredId, definition }: PlayedByRow,
  rows: readonly ChosenRow[],
): Generator<CaseToPlan | { readonly refusal: Refusal }> {
  const read = templateOf(definition);
  if ('problem' in read) return yield { refusal: notFilled(definition, read.problem.message) };
  for (const { row, suffix } of rows) {
    const filled = fillCase(read.template, row);
    if ('problem' in filled)
      return yield { refusal: notFilled(definition, filled.problem.message) };
    const title = `${definition.title} [${keyOfRow(row, definition.data.key)}]`;
    yield {
      id: `${id}${suffix}`,
      caseKey: `${caseKey}${suffix}`,
      declaredId: declaredId === null ? null : `${declaredId}${suffix}`,
      definition: { ...filled.definition, title },
      rowOf: { id, declaredId },
    };
  }
  return undefined;
}

/** Leaves out rows that were named one by one, since these are not a sample. */
function samplesOf(
  chosen: readonly { readonly one: CaseToPlan; readonly rows?: readonly ChosenRow[] }[],
  isNamed: (one: CaseToPlan) => boolean,
): RowSample[] {
  return chosen.flatMap(({ one, rows }) => {
    const { title, data } = one.definition;
    if (rows === undefined || !isNamed(one) || data?.sample === undefined) return [];
    if (rows.length === data.rows.length) return [];
    return [{ title, rows: rows.length, of: data.rows.length, seed: data.sample.seed }];
  });
}

function tooManyCases(cases: number): Refusal {
  const message = `The run would play ${cases.toLocaleString('en-US')} cases, counting each row; at most ${maxDistinctCases} are allowed. Set a sample in the data of its cases, or name fewer cases in caseIds.`;
  const details = { reason: 'TOO_MANY_CASES', cases, allowedValue: maxDistinctCases };
  return invalid('body.caseIds', message, details);
}

const tooLong = invalid(
  'body.caseIds',
  `With all rows filled in, the cases of the run have more than ${maxExpandedLength.toLocaleString('en-US')} characters; sample fewer rows, or make their texts shorter.`,
  { reason: 'CASES_TOO_LONG', allowedValue: maxExpandedLength },
);

function sameId(one: CaseToPlan): Refusal {
  const { title } = one.definition;
  const message = `The row ${JSON.stringify(title)} has the id ${nameOf(one)}, and another case of the run has the same id; change one of them.`;
  return invalid('body.caseIds', message, { reason: 'DUPLICATE_CASE_ID' });
}

function notFilled({ title }: DataCase, message: string): Refusal {
  return invalid(
    'body.caseIds',
    `The case ${JSON.stringify(title)} cannot be filled in. ${message}`,
    {
      reason: 'DATA_INVALID',
    },
  );
}
