/**
 * The name of a row in the stage map, and the filter that finds the row's trials. A case without an
 * id is found by its title.
 */
import type { EvalRunStages } from '@proofmark/contract';
import { cleanText } from '@proofmark/domain';
import type { TrialSearch } from './run-search.ts';

type Row = Pick<EvalRunStages['cases'][number], 'caseId' | 'testCaseId' | 'title' | 'model'>;

export function caseNameOf({ title, caseId, testCaseId }: Row): string {
  return cleanText(title ?? caseId ?? testCaseId ?? 'A case without a name', false);
}

export function searchOfCase(row: Row, hasModels: boolean): TrialSearch {
  const { testCaseId, caseId, title, model } = row;
  const id = testCaseId ?? caseId;
  return {
    ...(id !== undefined ? { case: id } : title !== null && { text: title.slice(0, 200) }),
    ...(hasModels && model !== null && { model }),
  };
}

export interface CaseChoice {
  readonly id: string;
  readonly name: string;
}

export function choicesOf(rows: readonly Row[]): { cases: CaseChoice[]; models: string[] } {
  const cases = new Map<string, string>();
  const models = new Set<string>();
  for (const row of rows) {
    const id = row.testCaseId ?? row.caseId;
    if (id !== undefined && !cases.has(id)) cases.set(id, caseNameOf(row));
    if (row.model !== null) models.add(row.model);
  }
  return { cases: [...cases].map(([id, name]) => ({ id, name })), models: [...models].sort() };
}
