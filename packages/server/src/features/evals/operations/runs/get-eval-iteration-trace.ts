import type { OutputOf } from '@proofmark/contract';
import { notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { readTracedTrial } from '../../store/stored-trials.ts';
import { summarizeTurn } from './summarize-turn.ts';

/** Returns the trace as stored. If it summarizes no turn, one turn is added. */
export const getEvalIterationTrace: Action<'getEvalIterationTrace'> = async (
  context,
  { params },
) => {
  const trial =
    (await context.tenant((sql) =>
      readTracedTrial(sql, context.project.id, params.runId, params.iterationId),
    )) ?? refuse(notFound);
  if (trial.trace === null) {
    refuse({
      code: 'NOT_FOUND',
      message: 'No trace was recorded for this trial.',
      details: { reason: 'TRACE_NOT_AVAILABLE' },
    });
  }
  const trace = trial.trace as OutputOf<'getEvalIterationTrace'>;
  return 'prompts' in trace ? trace : { ...trace, prompts: [summarizeTurn(trial)] };
};
