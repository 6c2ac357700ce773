/**
 * Parameters in the address of a run's page: the filter of its trials and the run to compare with.
 * A trial's page has the same parameters, so that it can link to the next trial.
 */
import { type Stage, stages, stageWords, trialResultFilters } from '@proofmark/domain';

export const shownResults = [...trialResultFilters, 'all'] as const;
export type ShownResult = (typeof shownResults)[number];

export const shownResultWords: Readonly<Record<ShownResult, string>> = {
  notPassed: 'did not pass',
  failed: 'failed',
  notGraded: 'were not graded',
  passed: 'passed',
  all: 'all',
};

export interface TrialSearch {
  /** Result to filter by (default: `notPassed`). */
  readonly result?: ShownResult;
  readonly stage?: Stage;
  readonly case?: string;
  readonly model?: string;
  readonly text?: string;
}

export interface RunSearch extends TrialSearch {
  /** Id of the run to compare with, or `before` for the last completed run before this one. */
  readonly base?: string;
}

export function readTrialSearch(search: Readonly<Record<string, unknown>>): TrialSearch {
  const result = shownResults.find((one) => one === search['result']);
  const stage = stages.find((one) => one === search['stage']);
  return {
    ...(result !== undefined && result !== 'notPassed' && { result }),
    ...(stage !== undefined && { stage }),
    ...textOf(search, 'case'),
    ...textOf(search, 'model'),
    ...textOf(search, 'text'),
  };
}

export function readRunSearch(search: Readonly<Record<string, unknown>>): RunSearch {
  return { ...readTrialSearch(search), ...textOf(search, 'base') };
}

/**
 * Returns the filter as query parameters of the API. With a stage, only trials that failed at that
 * stage match, regardless of `result`.
 */
export function trialFilterOf(search: TrialSearch) {
  const { result = 'notPassed', stage, case: caseId, model, text } = search;
  return {
    ...(result !== 'all' && { result }),
    ...(stage !== undefined && { stage }),
    ...(caseId !== undefined && { caseId }),
    ...(model !== undefined && { model }),
    ...(text !== undefined && { text }),
  };
}

export function isFiltered(search: TrialSearch): boolean {
  return Object.keys(readTrialSearch({ ...search })).length > 0;
}

export function mayShowPassed({ result, stage }: TrialSearch): boolean {
  return (result === 'all' || result === 'passed') && stage === undefined;
}

export function searchWords(search: TrialSearch, caseName: string | undefined): string {
  const { result = 'notPassed', stage, model, text } = search;
  const which = result === 'all' ? 'of every result' : `that ${shownResultWords[result]}`;
  return [
    stage === undefined ? which : `that first failed at ${stageWords[stage]}`,
    ...(search.case === undefined ? [] : [`of ${caseName ?? search.case}`]),
    ...(model === undefined ? [] : [`on ${model}`]),
    ...(text === undefined ? [] : [`with “${text}”`]),
  ].join(', ');
}

function textOf<Name extends string>(search: Readonly<Record<string, unknown>>, name: Name) {
  const given = search[name];
  const value = typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
  return value === '' ? {} : ({ [name]: value.slice(0, 200) } as Record<Name, string>);
}
