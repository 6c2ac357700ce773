import { cancelEvalRun } from './cancel-eval-run.ts';
import { compareEvalRun } from './compare-eval-run.ts';
import { createEvalRun } from './create-eval-run.ts';
import { deleteEvalRun } from './delete-eval-run.ts';
import { estimateEvalRun } from './estimate-eval-run.ts';
import { followEvalRun } from './follow-eval-run.ts';
import { getEvalIteration } from './get-eval-iteration.ts';
import { getEvalIterationRecording } from './get-eval-iteration-recording.ts';
import { getEvalIterationTools } from './get-eval-iteration-tools.ts';
import { getEvalIterationTrace } from './get-eval-iteration-trace.ts';
import { getEvalIterationWidgetPicture } from './get-eval-iteration-widget-picture.ts';
import { getEvalIterationWidgets } from './get-eval-iteration-widgets.ts';
import { getEvalRun } from './get-eval-run.ts';
import { getEvalRunDecisionSummary } from './get-eval-run-decision-summary.ts';
import { getEvalRunDifferences } from './get-eval-run-differences.ts';
import { getEvalRunLint } from './get-eval-run-lint.ts';
import { getEvalRunStages } from './get-eval-run-stages.ts';
import { getEvalRunStatistics } from './get-eval-run-statistics.ts';
import { getEvalRunSteps } from './get-eval-run-steps.ts';
import { getEvalRunSurface } from './get-eval-run-surface.ts';
import { listEvalRunIterations } from './list-eval-run-iterations.ts';
import { listEvalSuiteRuns } from './list-eval-suite-runs.ts';
import { requestEvalRunInsights } from './request-eval-run-insights.ts';
import { requestEvalRunJudge } from './request-eval-run-judge.ts';
import { rerunEvalRun } from './rerun-eval-run.ts';

export const evalRunActions = {
  cancelEvalRun,
  compareEvalRun,
  createEvalRun,
  deleteEvalRun,
  estimateEvalRun,
  followEvalRun,
  getEvalIteration,
  getEvalIterationRecording,
  getEvalIterationTools,
  getEvalIterationTrace,
  getEvalIterationWidgetPicture,
  getEvalIterationWidgets,
  getEvalRun,
  getEvalRunDecisionSummary,
  getEvalRunDifferences,
  getEvalRunLint,
  getEvalRunStages,
  getEvalRunStatistics,
  getEvalRunSteps,
  getEvalRunSurface,
  listEvalRunIterations,
  listEvalSuiteRuns,
  requestEvalRunInsights,
  requestEvalRunJudge,
  rerunEvalRun,
};
