/** Each step and check of a case as one line of text. */
import type { Step } from '@proofmark/domain';
import { assertionText, callText } from '@proofmark/report';

export const stepNames = {
  prompt: 'Say',
  toolCall: 'Call',
  getPrompt: 'Prompt',
  readResource: 'Read',
  interact: 'Do',
  assert: 'Check',
} as const;

export function stepText(step: Step): string {
  switch (step.kind) {
    case 'prompt':
      return step.prompt;
    case 'toolCall':
      return `${step.serverName}: ${callText(step)}`;
    case 'getPrompt':
      return `${step.serverName}: ${callText({ toolName: step.promptName, arguments: step.arguments ?? {} })}`;
    case 'readResource':
      return `${step.serverName}: ${step.uri}`;
    case 'interact':
      return `${step.toolName}: ${JSON.stringify(step.action)}`;
    case 'assert':
      return assertionText(step.assertion);
  }
}
