/** A visitor's session as a case of a suite: its words are fixed, so that what happened can be run again and gated. */
import { hideSecrets } from '../assertions/redact.ts';
import { cutText } from '../insights/candidate.ts';
import type { EvalCaseDefinition } from '../suites/eval-case.ts';

/** Nothing where no word of the visitor is kept. */
export function caseOfVisit(visit: {
  readonly scenarioName: string;
  readonly visitorName: string;
  readonly modelId: string | null;
  /** What the visitor said, in their own words; secrets among them are hidden, as where they are read. */
  readonly prompts: readonly string[];
  readonly title?: string | undefined;
}): EvalCaseDefinition | undefined {
  const { prompts, modelId } = visit;
  if (prompts.length === 0) return undefined;
  const title = `${cutText(visit.scenarioName, 120)} · ${cutText(visit.visitorName, 60)}`;
  return {
    title: visit.title ?? title,
    steps: prompts.map((prompt, index) => ({
      id: `turn-${index + 1}`,
      kind: 'prompt',
      prompt: String(hideSecrets(prompt)),
    })),
    ...(modelId !== null && { models: [{ model: modelId }] }),
  };
}
