/**
 * What each scorer said of a trial, in words. The verdict of the whole trial is left out: the page says it first; and
 * so is that calls matched where none was stated, or where another check of them failed, which knows more. A check that
 * only advises fails nothing.
 */
import type { OutputOf } from '@proofmark/contract';

type Whole = OutputOf<'getEvalIteration'>;
type Trial = Partial<Pick<Whole, 'scores' | 'evaluationConfig' | 'expectedToolCalls'>>;
type Score = NonNullable<Trial['scores']>[number];

export interface TrialCheck {
  readonly name: string;
  /** Absent for one of the whole trial. */
  readonly turn?: number;
  readonly outcome: 'held' | 'did not hold' | 'advises only' | 'broke' | 'not asked';
  readonly said?: string;
}

export function readChecks(trial: Trial): TrialCheck[] {
  const { scores = [], evaluationConfig, expectedToolCalls = [] } = trial;
  const advisory = advisoryIds(evaluationConfig);
  const isMatchTold = expectedToolCalls.length > 0 && !scores.some(isFailedCallCheck);
  return scores
    .filter(({ scorerId, passed }) => {
      const isUntold = scorerId === 'tool-match' && passed === true && !isMatchTold;
      return scorerId !== 'legacy:test' && !isUntold;
    })
    .map((score) => {
      const said = score.rationale ?? score.error;
      return {
        name: nameOf(score.scorerId),
        ...(score.scope !== undefined && { turn: score.scope.promptIndex + 1 }),
        outcome: outcomeOf(score, advisory.has(score.scorerId)),
        ...(said !== undefined && { said }),
      };
    });
}

const callChecks = /^predicate:(toolCalledWith|toolCalledAtLeastOnce|firstToolWas)#/;

function isFailedCallCheck({ scorerId, passed }: Score): boolean {
  return callChecks.test(scorerId) && passed === false;
}

/** Of the checks that failed the trial, what each said. */
export function failedChecks(trial: Trial): string[] {
  return readChecks(trial)
    .filter(({ name, outcome }) => outcome === 'did not hold' && name !== toolMatchName)
    .map(({ name, said }) => said ?? name);
}

const toolMatchName = 'expected calls were made';

function nameOf(scorerId: string): string {
  if (scorerId === 'tool-match') return toolMatchName;
  return /^predicate:(.+)#\d+$/.exec(scorerId)?.[1] ?? scorerId;
}

function outcomeOf({ status, passed }: Score, isAdvisory: boolean): TrialCheck['outcome'] {
  if (status === 'error') return 'broke';
  if (status !== 'scored') return 'not asked';
  if (passed === true) return 'held';
  return isAdvisory ? 'advises only' : 'did not hold';
}

function advisoryIds(config: Trial['evaluationConfig']): ReadonlySet<unknown> {
  const definitions = config?.['definitions'];
  const listed: readonly unknown[] = Array.isArray(definitions) ? definitions : [];
  return new Set(
    listed
      .filter((one) => isRecord(one) && one['role'] === 'advisory')
      .map((one) => (one as Record<string, unknown>)['scorerId']),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
