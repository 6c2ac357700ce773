/**
 * Derives the stage chain of one trial from its evidence: the same evidence gives the same rows,
 * byte for byte. A stage that does not apply is not measured. If the model provider failed,
 * measurements that depend on it are withdrawn. Then the stages are walked in order.
 */
import { isApplicable } from './applicability.ts';
import { measureCall } from './call.ts';
import { categorizeFailure } from './categorize-failure.ts';
import { measureConnection } from './connection.ts';
import { measureDiscovery } from './discovery.ts';
import { limitEvidence } from './limit-evidence.ts';
import type { Measurement } from './measurement.ts';
import { measureResponse } from './response.ts';
import { measureSelection } from './selection.ts';
import { settleUnmeasured } from './settle-unmeasured.ts';
import { isToolSpan } from './tool-spans.ts';
import type { TrialEvidence } from './trial-evidence.ts';
import { measureUserValue } from './user-value.ts';
import {
  analyzerVersion,
  type FailureCategory,
  type Stage,
  type StageResultRow,
  stages,
} from './vocabulary.ts';
import { walkStages } from './walk-stages.ts';
import { withdrawForProvider } from './withdraw-for-provider.ts';

export interface DerivedChain {
  readonly stageResults: readonly StageResultRow[];
  readonly firstFailedStage?: Stage;
  readonly failureCategory?: FailureCategory;
  readonly stageAnalyzerVersion: number;
}

export function deriveChain(evidence: TrialEvidence): DerivedChain {
  const settled = settleUnmeasured(evidence);
  const measurements = settled?.measurements ?? measureStages(evidence);
  const applied = stages.map((stage) =>
    isApplicable(stage, evidence) ? measurements[stage] : notApplicable,
  );
  const stageResults = walkStages(applied).map(toRow);
  const firstFailedStage = stageResults.find((row) => row.state === 'failed')?.stage;
  const failureCategory =
    settled === undefined ? categorizeFailure(stageResults, evidence) : settled.category;
  return {
    stageResults,
    ...(firstFailedStage !== undefined && { firstFailedStage }),
    ...(failureCategory !== undefined && { failureCategory }),
    stageAnalyzerVersion: analyzerVersion,
  };
}

const notApplicable: Measurement = { state: 'notApplicable', reason: 'notAuthored' };

function measureStages(evidence: TrialEvidence): Readonly<Record<Stage, Measurement>> {
  const { providerError, turns, spans, renders } = evidence;
  const settle = (measurement: Measurement, isSilent = false) =>
    providerError ? withdrawForProvider(measurement, isSilent) : measurement;
  const hasCalled = turns.some(({ calledCount = 0 }) => calledCount > 0);
  const isUncalled = !spans.some(isToolSpan);
  const connection = measureConnection(evidence);
  const discovery = measureDiscovery(evidence, connection);
  return {
    connection: settle(connection),
    // Listings do not depend on a model.
    discovery: discovery.state === 'failed' ? discovery : settle(discovery),
    selection: settle(measureSelection(evidence), !hasCalled),
    call: settle(measureCall(evidence), isUncalled),
    response: settle(measureResponse(evidence), isUncalled && renders.length === 0),
    userValue: settle(measureUserValue(evidence)),
  };
}

function toRow({ state, reason, pointers }: Measurement, index: number): StageResultRow {
  const evidence = limitEvidence(pointers);
  return {
    stage: stages[index] as Stage,
    state,
    reason,
    ...(evidence !== undefined && { evidence }),
  };
}
