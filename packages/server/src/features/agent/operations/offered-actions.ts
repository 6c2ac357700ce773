/** The actions the agent may take, and nothing else. That each is imported here by name is what bounds it. */

import type { AgentOperation } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import { getProjectCapabilities } from '../../accounts/index.ts';
import {
  getClient,
  getEnvironment,
  listClients,
  listEnvironments,
} from '../../environments/index.ts';
import {
  createEvalSuite,
  getEvalCase,
  getEvalIteration,
  getEvalIterationTools,
  getEvalIterationTrace,
  getEvalRun,
  getEvalRunDecisionSummary,
  getEvalSuite,
  listEvalCases,
  listEvalRunIterations,
  listEvalSuiteRuns,
  listEvalSuites,
} from '../../evals/index.ts';
import { listModels } from '../../models/index.ts';
import {
  getProjectServer,
  getPrompt,
  listProjectServers,
  listPrompts,
  listResources,
  listResourceTemplates,
  listTools,
  readResource,
} from '../../servers/index.ts';
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
