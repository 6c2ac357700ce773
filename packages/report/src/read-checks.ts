/**
 * The results of a trial's scorers, in words. The scorer of the whole trial is left out, since the
 * page shows the verdict first; what it alone knows is kept: the rule that a failing tool broke, and
 * a step that failed. So every failed trial has a check that did not hold. A passing comparison of
 * calls is left out if no calls were expected or if a failed check about calls says more. Advisory
 * checks never fail a trial.
 */

import { asRecord, assertionWords, brokenRuleIn, callKinds, type Score } from '@proofmark/domain';

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
  /** Counted from 1; absent for a check of the whole trial. */
  readonly turn?: number;
  readonly outcome: 'held' | 'did not hold' | 'advises only' | 'broke' | 'not asked';
  readonly explanation?: string;
  /** The judge's votes with their reasons; present only if it voted several times. */
  readonly votes?: readonly string[];
}

export function readChecks(trial: ScoredTrial): TrialCheck[] {
  return placedChecks(trial).map(({ check }) => check);
}

interface PlacedCheck {
  readonly check: TrialCheck;
  /** Whether a report explains the check by expected and observed calls, or by the trial's error. */
  readonly isToldElsewhere: boolean;
}

function placedChecks(trial: ScoredTrial): PlacedCheck[] {
  const { evaluationConfig, expectedToolCalls = [] } = trial;
  const scores = trial.scores ?? [];
  const advisory = advisoryIds(evaluationConfig);
  const isMatchShown = expectedToolCalls.length > 0 && !scores.some(isFailedCallCheck);
  const checks = scores
    .filter(({ scorerId, passed }) => {
      const isUntold = scorerId === 'tool-match' && passed === true && !isMatchShown;
      return scorerId !== wholeTrialId && !isUntold;
    })
    .map((score) => {
      const name = checkName(score.scorerId);
      const explanation = scoredText(score) ?? score.rationale ?? score.error;
      const check: TrialCheck = {
        name,
        ...(score.scope !== undefined && { turn: score.scope.promptIndex + 1 }),
        outcome: outcomeOf(score, advisory.has(score.scorerId)),
        ...(explanation !== undefined && { explanation }),
        ...(score.votes !== undefined && { votes: score.votes.map(voteText) }),
      };
      return { check, isToldElsewhere: score.scorerId === 'tool-match' };
    });
  const hasFailed = checks.some(({ check }) => check.outcome === 'did not hold');
  return [...checksOfWhole(trial, hasFailed), ...checks];
}

function checksOfWhole(trial: ScoredTrial, hasFailed: boolean): readonly PlacedCheck[] {
  const whole = wholeScore(trial);
  const rule = brokenRuleOf(trial);
  const outcome = 'did not hold';
  if (rule !== undefined) {
    return [{ check: { name: toolRuleName, outcome, explanation: rule }, isToldElsewhere: false }];
  }
  if (whole?.passed !== false || hasFailed) return [];
  const explanation = whole.rationale;
  // Only the grader knows why the whole trial failed, so nothing else is called a failed step.
  const name = explanation !== undefined && saysStep.test(explanation) ? stepRuleName : wholeName;
  const check = { name, outcome, ...(explanation !== undefined && { explanation }) } as const;
  return [{ check, isToldElsewhere: true }];
}

/** Matches the sentences of `scoreTrial` about steps, and about the case's own calls. */
const saysStep =
  /^(?:A step failed|A tool call made by the case itself failed|A tool call that the case itself makes failed)\./;

function wholeScore({ scores }: ScoredTrial): ReadScore | undefined {
  return scores?.find(({ scorerId }) => scorerId === wholeTrialId);
}

/** Returns the broken rule that fails a trial even if all its assertions hold: no tool may fail. */
export function brokenRuleOf(trial: ScoredTrial): string | undefined {
  const whole = wholeScore(trial);
  return whole?.passed === false ? brokenRuleIn(whole.rationale) : undefined;
}

const wholeTrialId = 'legacy:test';
const toolRuleName = 'No tool may fail';
const stepRuleName = 'Every step succeeds';
const wholeName = 'The whole trial';

/**
 * The reason from an own scorer (an organization's HTTP program) does not contain the score, so the
 * score is added.
 */
function scoredText(score: ReadScore): string | undefined {
  const { scorerId, status, value, passThreshold, rationale } = score;
  if (assertionTypeOf(scorerId) !== 'scorer' || status !== 'scored' || value === undefined)
    return undefined;
  const line =
    passThreshold === undefined
      ? ''
      : `, ${value < passThreshold ? 'below' : 'at or above'} ${passThreshold}`;
  return `It scores ${value}${line}${rationale === undefined ? '.' : `: ${rationale}`}`;
}

function voteText({ score, reason }: NonNullable<Score['votes']>[number], index: number): string {
  return `Vote ${index + 1}: ${score === null ? 'failed' : score}. ${reason}`;
}

export function isCallCheck(assertionType: string): boolean {
  return (callKinds as readonly string[]).includes(assertionType);
}

function isFailedCallCheck({ scorerId, passed }: ReadScore): boolean {
  return passed === false && isCallCheck(assertionTypeOf(scorerId) ?? '');
}

export function failedChecks(trial: ScoredTrial): string[] {
  return placedChecks(trial)
    .filter(({ check, isToldElsewhere }) => check.outcome === 'did not hold' && !isToldElsewhere)
    .map(({ check: { name, explanation } }) => explanation ?? name);
}

const toolMatchName = 'Calls match those expected';

/** Returns the name of a check: the words for its kind, or the id that a reported scorer gave. */
export function checkName(scorerId: string): string {
  if (scorerId === 'tool-match') return toolMatchName;
  if (scorerId === wholeTrialId) return wholeName;
  const stated = assertionIdPattern.exec(scorerId)?.[1];
  if (stated === undefined) return scorerId;
  const [type = '', ...criterion] = stated.split('/');
  const words = Object.hasOwn(assertionWords, type)
    ? assertionWords[type as keyof typeof assertionWords]
    : type;
  return criterion.length === 0 ? words : `${words}: ${criterion.join('/')}`;
}

function assertionTypeOf(scorerId: string): string | undefined {
  return assertionIdPattern.exec(scorerId)?.[1];
}

const assertionIdPattern = /^predicate:(.+)#\d+$/;

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
