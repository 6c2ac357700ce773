import { type Assertion, isRecord, type Step } from '@proofmark/domain';
import { callText } from './compare-calls.ts';
import { factText } from './fact-text.ts';

export function assertionText(
  assertion: Assertion | Extract<Step, { kind: 'assert' }>['assertion'],
): string {
  const isCall = 'type' in assertion && assertion.type === 'toolCalledWith';
  // `args` may be a template instead of a record until a row's values are filled in.
  if (isCall && isRecord(Object(assertion.args).args)) {
    const { toolName, serverName, args } = assertion;
    const prefix = serverName === undefined ? '' : `${serverName}: `;
    return `toolCalledWith ${prefix}${callText({ toolName, arguments: args.args })}`;
  }
  const { type, kind, ...rest } = assertion as { type?: string; kind?: string };
  const facts = Object.entries(rest).map(([name, value]) => `${name} ${factText(name, value)}`);
  return [type ?? kind ?? 'check', ...facts].join(', ');
}
