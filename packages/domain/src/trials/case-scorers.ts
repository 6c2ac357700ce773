/**
 * The scorers of a case that Proofmark runs, defined once for all trials of the case.
 *
 * - `legacy:test` scores the verdict of the whole trial, so it also fails if only a tool error
 *   failed the trial.
 * - `tool-match` scores the expected calls of the turns against the actual ones.
 * - `predicate:<type>#<n>` scores one assertion, numbered from 1: first those about the whole case,
 *   then those of the steps.
 * - `predicate:<type>/<criterion>#<n>` scores one criterion of an assertion against the criterion's
 *   own threshold.
 *
 * The implementation hash covers everything that decides the value. A score row refers to its
 * definition by the hash of the whole definition.
 */
import { type Assertion, caseLevelOnly, isAdvisory } from '../assertions/assertion.ts';
import type { AssertionScope } from '../assertions/evaluate-assertion.ts';
import type { ScorerDefinition } from '../assertions/gating-scores.ts';
import { hashDefinition, hashDefinitions } from '../assertions/hash-definitions.ts';
import { assertionScorerId } from '../assertions/score.ts';
import { defaultJudgeThreshold } from '../judge/judge-bands.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { PlannedCase } from '../suites/planned-case.ts';
import { projectSteps } from '../suites/project-steps.ts';

export type ScoredCase = Pick<
  PlannedCase,
  'steps' | 'assertions' | 'isNegative' | 'matchOptions' | 'failOnToolError'
>;

export interface ScoreDefinition extends Omit<Required<ScorerDefinition>, 'definitionHash'> {
  readonly idSource: 'explicit' | 'generated';
  readonly scorerVersion: string;
  readonly implementationHash: string;
  readonly deterministic: boolean;
  readonly passThreshold: number;
  readonly scope?: AssertionScope;
}

export interface EvaluationConfig {
  readonly hash: string;
  readonly definitions: readonly ScoreDefinition[];
}

export interface CaseScorer {
  readonly definition: ScoreDefinition;
  readonly definitionHash: string;
  readonly parts?: ReadonlyMap<string, CaseScorer>;
}

export interface CaseScorers {
  readonly verdict: CaseScorer;
  readonly match: CaseScorer;
  readonly ofCase: readonly CaseScorer[];
  readonly ofSteps: readonly CaseScorer[];
}

type Sha256 = (text: string) => string;

export function caseScorers(planned: ScoredCase, sha256: Sha256): CaseScorers {
  const { assertions, isNegative, matchOptions, failOnToolError } = planned;
  const { turns, steps } = projectSteps(planned.steps);
  const expected = turns.map(({ opener, expected }) => ({ opener, expected }));
  const match = scorerOf('tool-match', { matchOptions, isNegative, expected }, sha256);
  const ofCase = assertions.map((one, index) => assertionScorer(one, index + 1, undefined, sha256));
  const ofSteps: CaseScorer[] = [];
  for (const { step, promptIndex } of steps) {
    // Widget assertions have no scorer. They count only in the verdict.
    if (step.kind !== 'assert' || 'kind' in step.assertion) continue;
    const number = ofCase.length + ofSteps.length + 1;
    ofSteps.push(assertionScorer(step.assertion, number, promptIndex, sha256));
  }
  const parts = [match, ...ofCase, ...ofSteps]
    .flatMap(withParts)
    .map(({ definitionHash }) => definitionHash);
  const inWidgets = planned.steps.filter(isInWidget);
  const decisive = { failOnToolError, parts, ...(inWidgets.length > 0 && { inWidgets }) };
  const verdict = scorerOf('legacy:test', decisive, sha256);
  return { verdict, match, ofCase, ofSteps };
}

function isInWidget(step: PlannedCase['steps'][number]): boolean {
  return step.kind === 'interact' || (step.kind === 'assert' && 'kind' in step.assertion);
}

export function evaluationConfigOf(planned: ScoredCase, sha256: Sha256): EvaluationConfig {
  const { verdict, match, ofCase, ofSteps } = caseScorers(planned, sha256);
  const definitions = [verdict, match, ...ofCase, ...ofSteps]
    .flatMap(withParts)
    .map(({ definition }) => definition);
  return { hash: hashDefinitions(definitions, sha256), definitions };
}

function assertionScorer(
  assertion: Assertion,
  number: number,
  promptIndex: number | undefined,
  sha256: Sha256,
): CaseScorer {
  const isOfTurn = promptIndex !== undefined && !caseLevelOnly.includes(assertion.type);
  const more: Partial<ScoreDefinition> = {
    idSource: 'generated',
    ...(isAdvisory(assertion) && { role: 'advisory', onError: 'ignore', onSkipped: 'ignore' }),
    ...(isOfTurn && { scope: { kind: 'turn', promptIndex } }),
  };
  const { type } = assertion;
  if (type === 'scorer') {
    const { name: _label, threshold: passThreshold, ...implementation } = assertion;
    const own = { ...more, deterministic: false, passThreshold };
    return scorerOf(assertionScorerId(type, number), implementation, sha256, own);
  }
  if (type !== 'goalCompleted') {
    return scorerOf(assertionScorerId(type, number), assertion, sha256, more);
  }
  const judged = (id: string, implementation: object, passThreshold = defaultJudgeThreshold) =>
    scorerOf(id, implementation, sha256, { ...more, deterministic: false, passThreshold });
  const scorer = judged(assertionScorerId(type, number), assertion, assertion.threshold);
  if (assertion.criteria === undefined) return scorer;
  const parts = assertion.criteria.map((criterion): [string, CaseScorer] => {
    const { name, threshold } = criterion;
    const id = assertionScorerId(`${type}/${name}`, number);
    return [name, judged(id, { ...assertion, criteria: [criterion] }, threshold)];
  });
  return { ...scorer, parts: new Map(parts) };
}

function withParts(scorer: CaseScorer): readonly CaseScorer[] {
  return [scorer, ...(scorer.parts?.values() ?? [])];
}

function scorerOf(
  scorerId: string,
  implementation: object,
  sha256: Sha256,
  more: Partial<ScoreDefinition> = {},
): CaseScorer {
  const definition: ScoreDefinition = {
    scorerId,
    idSource: 'explicit',
    scorerVersion: '1',
    implementationHash: sha256(canonicalJson(implementation)),
    deterministic: true,
    passThreshold: 1,
    role: 'gating',
    onError: 'fail',
    onSkipped: 'fail',
    ...more,
  };
  return { definition, definitionHash: hashDefinition(definition, sha256) };
}
