/**
 * The next action for each failure category. A trial without a category gets a sentence that blames
 * no system. No sentence mentions a trace, since a reported trial (run elsewhere and uploaded) may
 * have none.
 */
import type { FailureCategory } from './vocabulary.ts';

export function nextAction(category: FailureCategory | undefined): string {
  return category === undefined ? lookAtTheTrial : actions[category];
}

const lookAtTheTrial = 'Read what was recorded of this trial; no failure category is known for it.';

const actions: Readonly<Record<FailureCategory, string>> = {
  setup:
    'Read the error of this trial and check the part that it names: the credentials, the environment, the model provider, or the address and the network of the server.',
  metadata:
    'Compare the quoted evidence with the names, descriptions and schemas of the tools, and make clear which tool serves this request.',
  selection:
    'Compare the tools the case expects with the tools the model called, then decide whether the prompt, the case or the tool list has to change.',
  arguments:
    'Compare the calls and their arguments with those the case expects and with the input schema of the tool.',
  serverData:
    'Find the failing tool call and look in the server for the reason it gave no usable result.',
  userValue:
    'Compare the failed check with the calls and the answer of the trial, and decide which of them is wrong.',
  evaluator:
    'Repair the grader that the error names, then rerun the trials that were not graded; this trial says nothing about the server.',
};

export const nextActions: readonly string[] = [lookAtTheTrial, ...Object.values(actions)];
