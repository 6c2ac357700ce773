/**
 * Builds the insights envelope of a run. If it cannot be built, it is left out, so that the run
 * stays readable.
 */
import type { OutputOf } from '@proofmark/contract';
import { buildEnvelope, coverageOfRun, type StoredInsights } from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { PartModels } from '../../../models/index.ts';
import type { StoredRun } from '../../store/eval-runs.ts';
import { hasEnded } from './present-run.ts';

export function presentInsights(
  run: StoredRun,
  stored: StoredInsights | undefined,
  { insights }: Pick<PartModels, 'insights'>,
): Pick<OutputOf<'getEvalRun'>, 'insights'> {
  const { totalTrials, passedTrials, failedTrials, iterationCount } = run;
  const graded = (passedTrials ?? 0) + (failedTrials ?? 0);
  try {
    const envelope = buildEnvelope(
      {
        scope: { kind: 'eval_run', id: run.id },
        projectId: run.projectId,
        coverage: coverageOfRun(totalTrials ?? iterationCount, graded),
        unavailable: insights === 'off' ? 'insights_off' : hasEnded(run) ? null : 'not_terminal',
        stored,
      },
      sha256Hex,
    );
    return { insights: envelope };
  } catch {
    return {};
  }
}
