import type { Assertion } from '../assertions/assertion.ts';
import type { Stage } from '../chain/vocabulary.ts';
import { type Checks, maxCaseAssertions } from '../suites/eval-case.ts';
import type { Mutant } from './mutant.ts';
import { type MutantOutcome, mutantOutcomes } from './mutant-outcome.ts';
import { mutantWords } from './mutant-words.ts';
import {
  type MutationScore,
  mutationScore,
  type StageScore,
  scoresByStage,
} from './mutation-score.ts';

/** `model` is null if the case asks no model. */
export interface NamedVariant {
  readonly caseId: string;
  readonly title: string;
  readonly model: string | null;
}

export interface KillingCase extends NamedVariant {
  readonly stage: Stage | null;
  readonly reason: string | null;
}

export interface DecidedMutant {
  readonly mutant: Mutant;
  readonly outcome: MutantOutcome;
  readonly killedBy: readonly KillingCase[];
  readonly nearestCase?: NamedVariant;
  readonly suggestion?: { readonly caseId: string; readonly assertion: Assertion };
}

export interface ReportedMutant
  extends Pick<Mutant, 'operator' | 'serverName' | 'toolName' | 'path'>,
    Omit<DecidedMutant, 'mutant'> {
  readonly words: string;
}

export interface MutationFindings {
  readonly score: MutationScore;
  readonly byStage: readonly StageScore[];
  readonly mutants: readonly ReportedMutant[];
}

export const mostKillingCases = 20;

export function mutationFindings(decided: readonly DecidedMutant[]): MutationFindings {
  const mutants = decided.map(({ mutant, killedBy, ...rest }): ReportedMutant => {
    const { operator, serverName, toolName, path } = mutant;
    return {
      operator,
      serverName,
      toolName,
      ...(path !== undefined && { path }),
      ...rest,
      killedBy: killedBy.slice(0, mostKillingCases),
      words: mutantWords(mutant),
    };
  });
  const place = ({ outcome }: ReportedMutant) => mutantOutcomes.indexOf(outcome);
  return {
    score: mutationScore(mutants),
    byStage: scoresByStage(mutants),
    mutants: mutants.sort((one, other) => place(one) - place(other)),
  };
}

/**
 * Adds an assertion to a case's checks. Returns undefined if the list is full or already contains
 * the assertion.
 */
export function withCheck(checks: Checks | undefined, assertion: Assertion): Checks | undefined {
  const list = checks?.mode === 'inherit' ? [] : (checks?.list ?? []);
  const text = JSON.stringify(assertion);
  if (list.length >= maxCaseAssertions || list.some((one) => JSON.stringify(one) === text)) {
    return undefined;
  }
  return { mode: checks?.mode === 'replace' ? 'replace' : 'extend', list: [...list, assertion] };
}
