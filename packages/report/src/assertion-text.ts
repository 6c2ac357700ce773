/** Writes an assertion as one line: its kind and its arguments, shortened to fit. */
import { type Assertion, isRecord, type Step } from '@proofmark/domain';
import { callText } from './compare-calls.ts';
import { factText } from './fact-text.ts';

export function assertionText(
  assertion: Assertion | Extract<Step, { kind: 'assert' }>['assertion'],
): string {
  const isCall = 'type' in assertion && assertion.type === 'toolCalledWith';
  // `args` need not be a record: before a row's values are filled in, a template may stand for it.
  if (isCall && isRecord(Object(assertion.args).args)) {
    const { toolName, serverName, args } = assertion;
    const whose = serverName === undefined ? '' : `${serverName}: `;
    return `toolCalledWith ${whose}${callText({ toolName, arguments: args.args })}`;
  }
  const { type, kind, ...rest } = assertion as { type?: string; kind?: string };
  const facts = Object.entries(rest).map(([name, value]) => `${name} ${factText(name, value)}`);
  return [type ?? kind ?? 'check', ...facts].join(', ');
}
