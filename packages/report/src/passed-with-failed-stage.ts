/**
 * Explains why a trial passed although a stage failed: a failed stage does not always fail the
 * trial. In a trial run by Proofmark, a tool error is tolerated only if the case allows it.
 */
import { type StageReason, type StageResultRow, stageWords } from '@proofmark/domain';

export function passedWithFailedStage(
  stages: readonly StageResultRow[],
  isReported: boolean,
): string | undefined {
  const failed = stages.find(({ state }) => state === 'failed');
  if (failed === undefined) return undefined;
  const happened = failed.reason === undefined ? undefined : toolErrors[failed.reason];
  if (happened !== undefined && !isReported) {
    return `${happened}, which this case allows (failOnToolError: false).`;
  }
  return `The stage ${stageWords[failed.stage]} failed, which does not fail this trial${isReported ? ': its reporter says that it passed' : ''}.`;
}

const toolErrors: Partial<Readonly<Record<StageReason, string>>> = {
  toolError: 'The tool answered with an error',
  protocolError: 'A call of a tool gave no result',
  argumentMismatch: 'The tool refused arguments that break its schema',
};
