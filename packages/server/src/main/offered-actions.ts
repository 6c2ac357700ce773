/**
 * The operations that the agent may call. The list is explicit, so that a new operation is not
 * available to the agent by default.
 */
import type { AgentOperation } from '@proofmark/domain';
import type { Action } from '../platform/operations/action.ts';
import type { OperationParts } from './operation-parts.ts';
import { operations } from './operations.ts';

const {
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
  compareEvalRun,
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
} = operations;

export const offeredActions: { readonly [Id in AgentOperation]: Action<Id, OperationParts> } = {
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
  compareEvalRun,
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
