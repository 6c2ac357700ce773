/**
 * Updates a scenario's findings from one window (the sessions of one week). Windows overlap, so a
 * known problem is counted again only if it occurred in a session outside the last counted window.
 * If too many sessions are unfinished or unread, no finding is resolved, since a missing problem
 * proves nothing.
 */
import { nextAction } from '../chain/next-action.ts';
import { trialAdvice } from '../chain/trial-advice.ts';
import { type Candidate, cutText, makeCandidate } from '../insights/candidate.ts';
import type { Detection } from '../insights/detection.ts';
import { findingTitle } from '../insights/detectors.ts';
import type { InsightCoverage } from '../insights/finding-evidence.ts';
import type { FindingState, MinedScope } from '../insights/finding-states.ts';
import {
  type ChangedState,
  type SteppedFindings,
  stepFindings,
} from '../insights/step-findings.ts';
import { type AnalyzedVisit, detectInWindow } from './detect-in-window.ts';

export interface KnownScenarioFinding {
  readonly fingerprint: string;
  readonly detector: string;
  readonly state: FindingState;
  /**
   * The ids of sessions with the problem, from the last window (sessions of one week) that counted
   * the finding.
   */
  readonly countedSessionIds: ReadonlySet<string>;
}

/**
 * The evidence from the last window (sessions of one week) that counted the finding. It has only
 * counts and ids, since findings are stored longer than sessions.
 */
export interface ScenarioFindingEvidence {
  readonly windowId: string;
  readonly affected: number;
  readonly sliceTotal: number;
  readonly exemplarSessionIds: readonly string[];
  readonly contrastSessionIds: readonly string[];
}

export interface FoundInWindow {
  readonly candidate: Candidate;
  readonly title: string;
  readonly nextAction: string;
  readonly advice?: string;
  readonly evidence: ScenarioFindingEvidence;
  readonly firedIds: readonly string[];
}

export type ChangedScenarioFinding = ChangedState<FoundInWindow>;

export function mineWindow(
  known: readonly KnownScenarioFinding[],
  visits: readonly AnalyzedVisit[],
  window: MinedScope & {
    readonly coverage: Pick<InsightCoverage, 'truncated' | 'lowConfidence'>;
  },
): SteppedFindings<FoundInWindow> {
  const { detections, measured, omitted } = detectInWindow(visits);
  const findings = detections.flatMap((detection) => makeFinding(detection, window.id) ?? []);
  const isReliable = !window.coverage.truncated && !window.coverage.lowConfidence;
  return stepFindings(known, findings, window, {
    couldSee: ({ fingerprint, detector }) =>
      isReliable &&
      (detector === 'hallucinated_tool'
        ? !omitted.has(fingerprint) && visits.length > 0
        : measured.has(fingerprint)),
    wasCounted: () => false,
    isOldNews: ({ countedSessionIds }, { firedIds }) =>
      firedIds.every((id) => countedSessionIds.has(id)),
  });
}

function makeFinding(
  detection: Detection<AnalyzedVisit>,
  windowId: string,
): FoundInWindow | undefined {
  const { detector, subject, fired } = detection;
  const candidate = makeCandidate(detector, subject, detection);
  if (candidate === undefined) return undefined;
  const atStage = fired.find(
    ({ id, firstFailedStage }) =>
      candidate.exemplarIds.includes(id) && firstFailedStage === candidate.firstFailedStage,
  );
  const advice = trialAdvice(candidate.failureCategory, atStage?.stages);
  return {
    candidate,
    title: cutText(findingTitle(detector, candidate.subjectLabel), 300),
    nextAction: nextAction(candidate.failureCategory),
    ...(advice !== undefined && { advice }),
    evidence: {
      windowId,
      affected: candidate.affected,
      sliceTotal: candidate.sliceTotal,
      exemplarSessionIds: candidate.exemplarIds,
      contrastSessionIds: candidate.contrastIds,
    },
    firedIds: fired.map(({ id }) => id),
  };
}
