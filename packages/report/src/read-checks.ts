/**
 * The results of a trial's scorers, in words. The scorer of the whole trial is left out, since the
 * page shows the verdict first; only the rule that a failing tool broke is kept, since no assertion
 * contains it. A passing comparison of calls is left out if no calls were expected or if a failed
 * check about calls says more. Advisory checks never fail a trial.
 */

import { asRecord, brokenRuleIn, callKinds, type Score } from '@proofmark/domain';

/** A trial with its scores, if any. */
export interface ScoredTrial {
  readonly scores?: readonly ReadScore[] | null | undefined;
  readonly evaluationConfig?: Readonly<Record<string, unknown>> | null | undefined;
  readonly expectedToolCalls?: readonly unknown[] | undefined;
}

type Read =
  | ('scorerId' | 'status' | 'passed' | 'rationale' | 'error')
  | ('scope' | 'votes' | 'value' | 'passThreshold');
type ReadScore = {
  readonly [Name in Read]?: Score[Name] | undefined;
} & Pick<Score, 'scorerId' | 'status'>;

export interface TrialCheck {
  readonly name: string;
  /** The number of the turn, from 1; absent for a check of the whole trial. */
  readonly turn?: number;
  readonly outcome: 'held' | 'did not hold' | 'advises only' | 'broke' | 'not asked';
  readonly said?: string;
  /** The votes of a judge with their reasons, if it voted several times. */
  readonly votes?: readonly string[];
}

export function readChecks(trial: ScoredTrial): TrialCheck[] {
  const { evaluationConfig, expectedToolCalls = [] } = trial;
  const scores = trial.scores ?? [];
  const advisory = advisoryIds(evaluationConfig);
  const isMatchTold = expectedToolCalls.length > 0 && !scores.some(isFailedCallCheck);
  const brokenRule = brokenRuleOf(trial);
  const rules: readonly TrialCheck[] =
    brokenRule === undefined
      ? []
      : [{ name: toolRuleName, outcome: 'did not hold', said: brokenRule }];
  const checks = scores
    .filter(({ scorerId, passed }) => {
      const isUntold = scorerId === 'tool-match' && passed === true && !isMatchTold;
      return scorerId !== 'legacy:test' && !isUntold;
    })
    .map((score) => {
      const name = checkName(score.scorerId);
      const said = scoredText(name, score) ?? score.rationale ?? score.error;
      return {
        name,
        ...(score.scope !== undefined && { turn: score.scope.promptIndex + 1 }),
        outcome: outcomeOf(score, advisory.has(score.scorerId)),
        ...(said !== undefined && { said }),
        ...(score.votes !== undefined && { votes: score.votes.map(voteText) }),
      };
    });
  return [...rules, ...checks];
}

/** Returns the rule that fails a trial even if all its assertions hold: no tool may fail. */
export function brokenRuleOf({ scores }: ScoredTrial): string | undefined {
  const whole = scores?.find(({ scorerId }) => scorerId === 'legacy:test');
  return whole?.passed === false ? brokenRuleIn(whole.rationale) : undefined;
}

const toolRuleName = 'no tool may fail';

/**
 * Returns the score of an own scorer as text, because the scorer's reason does not contain the
 * score.
 */
function scoredText(name: string, score: ReadScore): string | undefined {
  const { status, value, passThreshold, rationale } = score;
  if (name !== ownScorerName || status !== 'scored' || value === undefined) return undefined;
  const line =
    passThreshold === undefined
      ? ''
      : `, ${value < passThreshold ? 'below' : 'at or above'} ${passThreshold}`;
  return `It scores ${value}${line}${rationale === undefined ? '.' : `: ${rationale}`}`;
}

const ownScorerName = 'scorer';

function voteText({ score, reason }: NonNullable<Score['votes']>[number], index: number): string {
  return `Vote ${index + 1}: ${score === null ? 'failed' : score}. ${reason}`;
}

/** Returns whether the assertion is about calls that were made. */
export function isCallCheck(assertionType: string): boolean {
  return (callKinds as readonly string[]).includes(assertionType);
}

function isFailedCallCheck({ scorerId, passed }: ReadScore): boolean {
  return passed === false && isCallCheck(checkName(scorerId));
}

/** Returns the messages of the checks that failed the trial. */
export function failedChecks(trial: ScoredTrial): string[] {
  return readChecks(trial)
    .filter(({ name, outcome }) => outcome === 'did not hold' && name !== toolMatchName)
    .map(({ name, said }) => said ?? name);
}

const toolMatchName = 'calls match those expected';

/** Returns the name of the check that a scorer's id stands for. */
export function checkName(scorerId: string): string {
  if (scorerId === 'tool-match') return toolMatchName;
  if (scorerId === 'legacy:test') return 'the whole trial';
  return /^predicate:(.+)#\d+$/.exec(scorerId)?.[1] ?? scorerId;
}

function outcomeOf({ status, passed }: ReadScore, isAdvisory: boolean): TrialCheck['outcome'] {
  if (status === 'error') return 'broke';
  if (status !== 'scored') return 'not asked';
  if (passed === true) return 'held';
  return isAdvisory ? 'advises only' : 'did not hold';
}

function advisoryIds(config: ScoredTrial['evaluationConfig']): ReadonlySet<unknown> {
  const definitions = config?.['definitions'];
  const listed: readonly unknown[] = Array.isArray(definitions) ? definitions : [];
  const ids = listed.flatMap((one) => {
    const { role, scorerId } = asRecord(one) ?? {};
    return role === 'advisory' ? [scorerId] : [];
  });
  return new Set(ids);
}
