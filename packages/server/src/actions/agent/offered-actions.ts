/** The actions the agent may take, and nothing else. That each is imported here by name is what bounds it. */
import type { AgentOperation } from '@proofmark/domain';
import type { Action } from '../action.ts';
import { getProjectCapabilities } from '../catalog/get-project-capabilities.ts';
import { getClient } from '../clients/get-client.ts';
import { listClients } from '../clients/list-clients.ts';
import { getEnvironment } from '../environments/get-environment.ts';
import { listEnvironments } from '../environments/list-environments.ts';
import { getEvalIteration } from '../eval-runs/get-eval-iteration.ts';
import { getEvalIterationTools } from '../eval-runs/get-eval-iteration-tools.ts';
import { getEvalIterationTrace } from '../eval-runs/get-eval-iteration-trace.ts';
import { getEvalRun } from '../eval-runs/get-eval-run.ts';
import { getEvalRunDecisionSummary } from '../eval-runs/get-eval-run-decision-summary.ts';
import { listEvalRunIterations } from '../eval-runs/list-eval-run-iterations.ts';
import { listEvalSuiteRuns } from '../eval-runs/list-eval-suite-runs.ts';
import { createEvalSuite } from '../eval-suites/create-eval-suite.ts';
import { getEvalCase } from '../eval-suites/get-eval-case.ts';
import { getEvalSuite } from '../eval-suites/get-eval-suite.ts';
import { listEvalCases } from '../eval-suites/list-eval-cases.ts';
import { listEvalSuites } from '../eval-suites/list-eval-suites.ts';
import { listModels } from '../models/list-models.ts';
import { getProjectServer } from '../servers/get-project-server.ts';
import { getPrompt } from '../servers/get-prompt.ts';
import { listProjectServers } from '../servers/list-project-servers.ts';
import { listPrompts } from '../servers/list-prompts.ts';
import { listResourceTemplates } from '../servers/list-resource-templates.ts';
import { listResources } from '../servers/list-resources.ts';
import { listTools } from '../servers/list-tools.ts';
import { readResource } from '../servers/read-resource.ts';

export const offeredActions: { readonly [Id in AgentOperation]: Action<Id> } = {
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
