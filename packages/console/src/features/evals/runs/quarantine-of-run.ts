import type { EvalRun } from '@proofmark/contract';
import { type DecisionSummary, gateQuarantine } from '@proofmark/domain';
import { type QuarantineToRender, quarantineToRender } from '@proofmark/report';
import { useOperation } from '../../../kit/data/operations.ts';
import type { EvalTrial } from '../data/eval-runs.ts';
import type { QuarantinedCase } from '../suites/quarantine-table.tsx';

export function useQuarantineOfRun(
  run: EvalRun,
  summary: DecisionSummary,
  notPassed: readonly EvalTrial[],
): QuarantineToRender | undefined {
  const { projectId, suiteId } = run;
  const { data } = useOperation('listEvalQuarantine', { projectId, suiteId });
  return data && quarantineOfRun(run, { summary, notPassed, entries: data.items });
}

export function quarantineOfRun(
  run: EvalRun,
  known: {
    readonly summary: DecisionSummary;
    readonly notPassed: readonly Pick<EvalTrial, 'caseId' | 'testCaseId' | 'model'>[];
    readonly entries: readonly QuarantinedCase[];
  },
): QuarantineToRender | undefined {
  const { summary, notPassed, entries } = known;
  const cases = summary.verdictSource === 'policyV2' ? summary.decision.cases : undefined;
  const quarantine = gateQuarantine({ cases, entries, notPassed });
  return quarantineToRender({ run, summary, quarantine });
}
