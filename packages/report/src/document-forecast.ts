/**
 * What it takes to see a drop in the cases of a tested suite, by the rules of a service. The file of
 * the test has the settings of its cases and the time of their trials; credits are a mean over all.
 */
import {
  type DecisionCase,
  forecastStated,
  isBuiltInModel,
  modelOfTrial,
  type StatedForecast,
  type VariantToForecast,
} from '@proofmark/domain';
import type { DecidedInFile } from './compare-documents.ts';

export function documentForecast(test: DecidedInFile, stated: StatedForecast) {
  const { cases, validity } = test.decision;
  const { credits } = test.suite;
  const ofTrial = credits === null ? null : credits / Math.max(validity.configuredTrials, 1);
  return forecastStated(
    cases.map((row) => variantOf(row, test, ofTrial)),
    stated,
  );
}

function variantOf(
  row: DecisionCase,
  { suite }: DecidedInFile,
  credits: number | null,
): VariantToForecast {
  const { caseId, executionVariant, configuredTrials } = row;
  const ownModel =
    (executionVariant &&
      modelOfTrial({ ...executionVariant, provider: executionVariant.provider ?? null })) ??
    undefined;
  const models = ownModel === undefined ? suite.models : [ownModel];
  const took = suite.caseTimes.find(
    (one) => one.caseId === caseId && (one.model === undefined || one.model === ownModel),
  );
  const [model] = models.length === 1 ? models : [];
  return {
    planned: {
      caseId,
      title: (Object.hasOwn(suite.caseTitles, caseId) && suite.caseTitles[caseId]) || caseId,
      passThreshold: row.effectivePassThreshold,
      steps: [],
      assertions: [],
    },
    variant: { repetitions: configuredTrials, ...(model !== undefined && { model }) },
    deterministic:
      !suite.isJudged && !suite.scoredCases.has(caseId) && models.every(isBuiltInModel),
    cost: took && {
      credits,
      minutes: took.durationMs / 60_000 / Math.max(configuredTrials, 1),
    },
  };
}
