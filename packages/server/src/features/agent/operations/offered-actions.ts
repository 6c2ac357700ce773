/** The actions the agent may take, and nothing else. That each is imported here by name is what bounds it. */

import type { AgentOperation } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import { getProjectCapabilities } from '../../accounts/operations/get-project-capabilities.ts';
import { getClient } from '../../environments/operations/clients/get-client.ts';
import { listClients } from '../../environments/operations/clients/list-clients.ts';
import { getEnvironment } from '../../environments/operations/environments/get-environment.ts';
import { listEnvironments } from '../../environments/operations/environments/list-environments.ts';
import { getEvalIteration } from '../../evals/operations/runs/get-eval-iteration.ts';
import { getEvalIterationTools } from '../../evals/operations/runs/get-eval-iteration-tools.ts';
import { getEvalIterationTrace } from '../../evals/operations/runs/get-eval-iteration-trace.ts';
import { getEvalRun } from '../../evals/operations/runs/get-eval-run.ts';
import { getEvalRunDecisionSummary } from '../../evals/operations/runs/get-eval-run-decision-summary.ts';
import { listEvalRunIterations } from '../../evals/operations/runs/list-eval-run-iterations.ts';
import { listEvalSuiteRuns } from '../../evals/operations/runs/list-eval-suite-runs.ts';
import { createEvalSuite } from '../../evals/operations/suites/create-eval-suite.ts';
import { getEvalCase } from '../../evals/operations/suites/get-eval-case.ts';
import { getEvalSuite } from '../../evals/operations/suites/get-eval-suite.ts';
import { listEvalCases } from '../../evals/operations/suites/list-eval-cases.ts';
import { listEvalSuites } from '../../evals/operations/suites/list-eval-suites.ts';
import { listModels } from '../../models/operations/list-models.ts';
import { getProjectServer } from '../../servers/operations/get-project-server.ts';
import { getPrompt } from '../../servers/operations/get-prompt.ts';
import { listProjectServers } from '../../servers/operations/list-project-servers.ts';
import { listPrompts } from '../../servers/operations/list-prompts.ts';
import { listResourceTemplates } from '../../servers/operations/list-resource-templates.ts';
import { listResources } from '../../servers/operations/list-resources.ts';
import { listTools } from '../../servers/operations/list-tools.ts';
import { readResource } from '../../servers/operations/read-resource.ts';
import type { AgentParts } from '../agent-context.ts';

export const offeredActions: { readonly [Id in AgentOperation]: Action<Id, AgentParts> } = {
  listProjectServers,
  getProjectServer,
  listTools,
  listPrompts,
  getPrompt,
  listResources,
  listResourceTemplates,
  readResource,
  listEvalSuites,
  getEvalSuite,
  listEvalCases,
  getEvalCase,
  listEvalSuiteRuns,
  getEvalRun,
  getEvalRunDecisionSummary,
  listEvalRunIterations,
  getEvalIteration,
  getEvalIterationTrace,
  getEvalIterationTools,
  listClients,
  getClient,
  listEnvironments,
  getEnvironment,
  listModels,
  getProjectCapabilities,
  createEvalSuite,
};
