import { hideSecrets } from '../assertions/redact.ts';
import { cutText } from '../insights/candidate.ts';
import type { EvalCaseDefinition } from '../suites/eval-case.ts';

/** Returns undefined if no message of the visitor is stored. */
export function caseOfVisit(visit: {
  readonly scenarioName: string;
  readonly visitorName: string;
  readonly modelId: string | null;
  /** The visitor's messages, word for word except for hidden secrets. */
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
