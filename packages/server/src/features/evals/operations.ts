import type { Operations } from '../../platform/operations/action.ts';
import type { EvalsParts } from './evals-context.ts';
import { runServerConformance } from './operations/conformance/run-server-conformance.ts';
import { createEvalIngestUploadUrl } from './operations/ingest/create-eval-ingest-upload-url.ts';
import { finalizeEvalIngestRun } from './operations/ingest/finalize-eval-ingest-run.ts';
import { ingestEvalRunIterations } from './operations/ingest/ingest-eval-run-iterations.ts';
import { reportEvalRun } from './operations/ingest/report-eval-run.ts';
import { startEvalIngestRun } from './operations/ingest/start-eval-ingest-run.ts';
import { createEvalRunGroup } from './operations/runs/create-eval-run-group.ts';
import { createGateWaiver } from './operations/runs/create-gate-waiver.ts';
import { evalRunActions } from './operations/runs/eval-run-actions.ts';
import { getEvalRunGroup } from './operations/runs/get-eval-run-group.ts';
import { getGateWaiver } from './operations/runs/get-gate-waiver.ts';
import { revokeGateWaiver } from './operations/runs/revoke-gate-waiver.ts';
import { attachEvalSuiteEnvironment } from './operations/suites/attach-eval-suite-environment.ts';
import { createEvalCase } from './operations/suites/create-eval-case.ts';
import { createEvalCases } from './operations/suites/create-eval-cases.ts';
import { createEvalQuarantineEntry } from './operations/suites/create-eval-quarantine-entry.ts';
import { createEvalSuite } from './operations/suites/create-eval-suite.ts';
import { deleteEvalCase } from './operations/suites/delete-eval-case.ts';
import { deleteEvalSuite } from './operations/suites/delete-eval-suite.ts';
import { exportEvalSuite } from './operations/suites/export-eval-suite.ts';
import { generateEvalCases } from './operations/suites/generate-eval-cases.ts';
import { getEvalCase } from './operations/suites/get-eval-case.ts';
import { getEvalSuite } from './operations/suites/get-eval-suite.ts';
import { getEvalSuiteFlaky } from './operations/suites/get-eval-suite-flaky.ts';
import { getEvalSuiteHistory } from './operations/suites/get-eval-suite-history.ts';
import { getScorerSecret } from './operations/suites/get-scorer-secret.ts';
import { importEvalSuite } from './operations/suites/import-eval-suite.ts';
import { listEvalCases } from './operations/suites/list-eval-cases.ts';
import { listEvalQuarantine } from './operations/suites/list-eval-quarantine.ts';
import { listEvalSuites } from './operations/suites/list-eval-suites.ts';
import { planEvalSuite } from './operations/suites/plan-eval-suite.ts';
import { removeEvalQuarantineEntry } from './operations/suites/remove-eval-quarantine-entry.ts';
import { rotateScorerSecret } from './operations/suites/rotate-scorer-secret.ts';
import { updateEvalCase } from './operations/suites/update-eval-case.ts';
import { updateEvalSuite } from './operations/suites/update-eval-suite.ts';
import { updateEvalSuiteSchedule } from './operations/suites/update-eval-suite-schedule.ts';

export const evalsOperations = {
  attachEvalSuiteEnvironment,
  createEvalCase,
  createEvalCases,
  createEvalIngestUploadUrl,
  createEvalQuarantineEntry,
  createEvalRunGroup,
  createEvalSuite,
  createGateWaiver,
  deleteEvalCase,
  deleteEvalSuite,
  ...evalRunActions,
  exportEvalSuite,
  finalizeEvalIngestRun,
  generateEvalCases,
  getEvalCase,
  getEvalRunGroup,
  getEvalSuite,
  getEvalSuiteFlaky,
  getEvalSuiteHistory,
  getGateWaiver,
  getScorerSecret,
  importEvalSuite,
  ingestEvalRunIterations,
  listEvalCases,
  listEvalQuarantine,
  listEvalSuites,
  planEvalSuite,
  removeEvalQuarantineEntry,
  reportEvalRun,
  revokeGateWaiver,
  rotateScorerSecret,
  runServerConformance,
  startEvalIngestRun,
  updateEvalCase,
  updateEvalSuite,
  updateEvalSuiteSchedule,
} satisfies Operations<EvalsParts>;
