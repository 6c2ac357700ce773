/**
 * Classifies a finding: the kind of problem, its owner, and the person who can act. A server is
 * blamed only if the counts prove its fault, since a count shows that something fails, not why.
 */
import type { Candidate } from './candidate.ts';
import type { Detector } from './detectors.ts';

export const findingCategories = [
  'unknown',
  'tool_contract',
  'tool_runtime',
  'capability_gap',
  'workflow',
  'agent_behavior',
  'test_design',
  'environment',
] as const;
export const findingAttributions = [
  'unknown',
  'server_contract',
  'server_runtime',
  'server_capability',
  'agent_or_prompt',
  'test_design',
  'environment',
] as const;
export const actionTargets = [
  'investigate',
  'mcp_server',
  'agent_configuration',
  'eval_case',
  'environment',
] as const;

export interface FindingPage {
  readonly category: (typeof findingCategories)[number];
  readonly attribution: (typeof findingAttributions)[number];
  readonly actionTarget: (typeof actionTargets)[number];
  readonly isInformational?: true;
}

export function findingPage(
  candidate: Pick<Candidate, 'detector' | 'firstFailedStage' | 'failureCategory'>,
): FindingPage {
  const { detector } = candidate;
  return detector === 'case_fail' || detector === 'criterion_fail'
    ? placeByStage(candidate)
    : places[detector];
}

const toolRuntime: FindingPage = {
  category: 'tool_runtime',
  attribution: 'server_runtime',
  actionTarget: 'mcp_server',
};
const unknown = { attribution: 'unknown', actionTarget: 'investigate' } as const;
const workflow: FindingPage = { category: 'workflow', ...unknown };
const behavior: FindingPage = { category: 'agent_behavior', ...unknown };
const informational: FindingPage = { category: 'unknown', ...unknown, isInformational: true };

const places: Readonly<Record<Exclude<Detector, 'case_fail' | 'criterion_fail'>, FindingPage>> = {
  tool_errors: toolRuntime,
  terminal_error_concentration: toolRuntime,
  hallucinated_tool: {
    category: 'capability_gap',
    attribution: 'agent_or_prompt',
    actionTarget: 'investigate',
  },
  no_tools_used: { category: 'tool_contract', ...unknown },
  negative_feedback: workflow,
  turn_cap_grind: workflow,
  target_failures: {
    category: 'environment',
    attribution: 'environment',
    actionTarget: 'environment',
  },
  persona_struggles: behavior,
  cohort_struggles: behavior,
  flaky_case: behavior,
  latency_outlier: informational,
  token_outlier: informational,
  marginal_pass: informational,
  error_recovered_pass: informational,
};

function placeByStage({
  firstFailedStage,
  failureCategory,
}: Pick<Candidate, 'firstFailedStage' | 'failureCategory'>): FindingPage {
  switch (firstFailedStage) {
    case 'selection':
      return failureCategory === 'metadata'
        ? { category: 'tool_contract', attribution: 'server_contract', actionTarget: 'mcp_server' }
        : {
            category: 'agent_behavior',
            attribution: 'agent_or_prompt',
            actionTarget: 'agent_configuration',
          };
    case 'call':
      return {
        category: failureCategory === 'arguments' ? 'tool_contract' : 'unknown',
        ...unknown,
      };
    case 'response':
      return toolRuntime;
    case 'connection':
    case 'discovery':
      return { category: 'unknown', ...unknown };
    default:
      return workflow;
  }
}
