import type { OutputOf } from '@proofmark/contract';
import type { Candidate } from '@proofmark/domain';
import { readFeatures } from '../../../platform/accounts/store/organizations.ts';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { findNewestWindow, hasNewerTraffic } from '../store/windows.ts';
import type { UserTestingParts } from '../user-testing-context.ts';
import { findScenario } from './find-scenario.ts';

type Shown = OutputOf<'getUserTestingSignals'>;

export const getUserTestingSignals: Action<'getUserTestingSignals', UserTestingParts> = async (
  context,
  { params },
) => {
  const features = await readFeatures(context.database, context.project.organizationId);
  const isOn = features.userTesting;
  return context.tenant(async (sql) => {
    const scenario = await findScenario(sql, context.project.id, params.scenarioId);
    const window = await findNewestWindow(sql, scenario.id);
    if (window === undefined) return refuse(notMined);
    const { coverage, candidates } = window.result;
    return {
      windowId: window.id,
      latestGroupId: window.id,
      latestSnapshotAt: window.minedAt.getTime(),
      windowStartAt: window.windowStartAt.getTime(),
      windowEndAt: window.windowEndAt.getTime(),
      sessionCount: coverage.analyzed,
      unanalyzedSessionCount: coverage.total - coverage.analyzed,
      feedbackCount: coverage.feedbackCount ?? 0,
      truncated: coverage.truncated,
      feedbackTruncated: coverage.truncated,
      lowConfidence: coverage.lowConfidence,
      dataStale: await hasNewerTraffic(sql, scenario.id, window),
      canRequest: isOn && context.partModels.insights !== 'off',
      canDismiss: isOn,
      candidates: candidates.map(presentCandidate),
    };
  });
};

export function presentCandidate(candidate: Candidate): Shown['candidates'][number] {
  const { exemplarIds, contrastIds, isOfRead: _, ...counted } = candidate;
  return {
    ...counted,
    affectedSessions: counted.affected,
    exemplarSessionIds: [...exemplarIds],
    contrastSessionIds: [...contrastIds],
  };
}

const notMined = {
  code: 'NOT_FOUND',
  message: 'The sessions of this scenario have not been mined yet; try again later.',
  details: { reason: 'NOT_MINED' },
} as const;
