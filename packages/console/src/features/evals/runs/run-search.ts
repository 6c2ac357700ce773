/**
 * What the address of a run says: which of its trials are shown, and beside which run it stands. The trials that did not
 * pass are shown without a word. The same words stand in the address of a trial, so that the next one is known.
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
  /** Default: those that did not pass. */
  readonly result?: ShownResult;
  readonly stage?: Stage;
  readonly case?: string;
  readonly model?: string;
  readonly text?: string;
}

export interface RunSearch extends TrialSearch {
  /** The run it is compared with; `before`: the last completed one before it. */
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

/** As the service is asked. What first failed at a stage has not passed, whatever else is asked for. */
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

/** Whether trials that passed may be among those shown. */
export function mayShowPassed({ result, stage }: TrialSearch): boolean {
  return (result === 'all' || result === 'passed') && stage === undefined;
}

/** What is picked, in words: `failed at selection, with “refund”`. */
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
