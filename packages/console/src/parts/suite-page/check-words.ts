/** Steps and checks of a case as one line each. */
import { type Assertion, callText, type Step } from '@proofmark/domain';

export const stepNames = {
  prompt: 'Say',
  toolCall: 'Call',
  interact: 'Do',
  assert: 'Check',
} as const;

export function stepText(step: Step): string {
  switch (step.kind) {
    case 'prompt':
      return step.prompt;
    case 'toolCall':
      return `${step.serverName}: ${callText(step)}`;
    case 'interact':
      return `${step.toolName}: ${JSON.stringify(step.action)}`;
    case 'assert':
      return assertionText(step.assertion);
  }
}

export function assertionText(
  assertion: Assertion | Extract<Step, { kind: 'assert' }>['assertion'],
): string {
  if ('type' in assertion && assertion.type === 'toolCalledWith') {
    const { toolName, serverName, args } = assertion;
    const whose = serverName === undefined ? '' : `${serverName}: `;
    return `toolCalledWith ${whose}${callText({ toolName, arguments: args.args })}`;
  }
  const { type, kind, ...rest } = assertion as { type?: string; kind?: string };
  const facts = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return [type ?? kind ?? 'check', ...facts].join(', ');
}
