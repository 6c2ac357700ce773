/**
 * The one thing to do next after a trial that did not pass. It depends on the failure category
 * alone. Without a category nothing is known to blame, so it sends the reader to what was recorded and
 * names no system. A reported trial may have no trace, so none is promised.
 */
import type { FailureCategory } from './vocabulary.ts';

export function nextAction(category: FailureCategory | undefined): string {
  return category === undefined ? lookAtTheTrial : actions[category];
}

const lookAtTheTrial =
  'Read what was recorded of this trial; nothing in it shows at which stage it went wrong.';

const actions: Readonly<Record<FailureCategory, string>> = {
  setup:
    'If the run was stopped, run it again; otherwise check the address, the credentials and the network between the runner and the server.',
  metadata:
    'Compare the quoted evidence with the names, descriptions and schemas of the tools, and make clear which tool serves this request.',
  selection:
    'Compare the tools the case expects with the tools the model called, then decide whether the prompt, the case or the tool list has to change.',
  arguments:
    'Compare the arguments that were sent with those the case expects, then look at the input schema of that tool.',
  serverData:
    'Find the failing tool call and look in the server for the reason it gave no usable result.',
  userValue:
    'Read the final answer next to the check it did not meet, and decide whether the answer or the check is wrong.',
  evaluator:
    'Repair the grader and grade the trial again; this trial says nothing about the server.',
};
