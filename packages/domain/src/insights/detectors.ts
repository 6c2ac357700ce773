/** All detectors, with their weights. Detectors only count; no model is involved. */
export const detectorWeights = {
  criterion_fail: 1,
  case_fail: 1,
  tool_errors: 0.9,
  terminal_error_concentration: 0.9,
  hallucinated_tool: 0.8,
  negative_feedback: 0.8,
  target_failures: 0.7,
  persona_struggles: 0.6,
  turn_cap_grind: 0.6,
  no_tools_used: 0.6,
  cohort_struggles: 0.5,
  flaky_case: 0.3,
  marginal_pass: 0.3,
  error_recovered_pass: 0.2,
  latency_outlier: 0.2,
  token_outlier: 0.2,
} as const;

export type Detector = keyof typeof detectorWeights;

export const detectorTitles: Readonly<Record<Detector, string>> = {
  criterion_fail: 'A check did not hold',
  case_fail: 'A case fails',
  tool_errors: 'A tool answers with errors',
  terminal_error_concentration: 'Conversations end in errors of a tool',
  hallucinated_tool: 'A tool is called that was not offered',
  negative_feedback: 'Answers are rated low',
  target_failures: 'A target fails more than the others',
  persona_struggles: 'A persona fails more than the others',
  turn_cap_grind: 'Conversations end at the limit of turns',
  no_tools_used: 'No tool is used',
  cohort_struggles: 'A group of people fails more than the others',
  flaky_case: 'A case passes and fails',
  marginal_pass: 'The judge passes a goal by little',
  error_recovered_pass: 'A tool fails before it succeeds',
  latency_outlier: 'A tool is slower than the others',
  token_outlier: 'A model uses more tokens than the others',
};

/** The name of a check is quoted, since it may be a sentence that says the opposite of the title. */
export function findingTitle(detector: Detector, label: string): string {
  return `${detectorTitles[detector]}: ${detector === 'criterion_fail' ? `“${label}”` : label}`;
}

/**
 * A tool is reported if it failed in at least this share of the trials or sessions that called it.
 */
export const toolErrorShare = 0.25;
