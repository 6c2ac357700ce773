/**
 * Operations that the agent may call: reading, and creating suites. Regardless of any message, the
 * agent cannot start, cancel, schedule or judge a run, call a server's tool, delete or change
 * anything, or see keys.
 */
export const agentOperations = [
  'listProjectServers',
  'getProjectServer',
  'listTools',
  'listPrompts',
  'getPrompt',
  'listResources',
  'listResourceTemplates',
  'readResource',
  'listEvalSuites',
  'getEvalSuite',
  'listEvalCases',
  'getEvalCase',
  'listEvalSuiteRuns',
  'getEvalRun',
  'getEvalRunDecisionSummary',
  'compareEvalRun',
  'listEvalRunIterations',
  'getEvalIteration',
  'getEvalIterationTrace',
  'getEvalIterationTools',
  'listClients',
  'getClient',
  'listEnvironments',
  'getEnvironment',
  'listModels',
  'getProjectCapabilities',
  'createEvalSuite',
] as const;
export type AgentOperation = (typeof agentOperations)[number];

export function isAgentOperation(name: string): name is AgentOperation {
  return (agentOperations as readonly string[]).includes(name);
}

export interface AgentCall {
  readonly operation: AgentOperation;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly outcome: { readonly result: unknown } | { readonly error: string };
}
