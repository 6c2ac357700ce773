/** Rendered only if the trial's case exists in this console and can be edited. */
import type { EvalRun } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import { type EvalTrial, type RunIds, useEvalRun } from '../data/eval-runs.ts';
import { writtenCase } from './written-case.ts';

export function EditCaseLink(props: {
  run: EvalRun;
  trial: EvalTrial | undefined;
  className: string;
}) {
  const params = writtenCase(props.run, props.trial?.testCaseId);
  if (params === undefined) return null;
  return (
    <Link
      to="/projects/$projectId/suites/$suiteId/cases/$caseId"
      params={params}
      className={props.className}
    >
      Edit the case
    </Link>
  );
}

export function EditCaseOfTrial({ ids, trial }: { ids: RunIds; trial: EvalTrial }) {
  const { data: run } = useEvalRun(ids);
  return run === undefined ? null : <EditCaseLink run={run} trial={trial} className="button" />;
}
