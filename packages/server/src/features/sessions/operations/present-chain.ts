import type { OutputOf } from '@proofmark/contract';
import { readSessionChain, type StoredChain } from '@proofmark/domain';

/** Returns null if the chain is absent or invalid. */
export function presentChain(
  chain: StoredChain | undefined,
): OutputOf<'listJourneyRunSessions'>['items'][number]['chain'] {
  const read = readSessionChain(chain);
  if (read.status === 'absent' || read.status === 'unverified') return null;
  const { stages, firstFailedStage, failureCategory, analyzerVersion } = read;
  return {
    stageResults: stages,
    ...(firstFailedStage !== undefined && { firstFailedStage }),
    ...(failureCategory !== undefined && { failureCategory }),
    stageAnalyzerVersion: analyzerVersion,
  };
}
