/** An assertion as one line: its kind and what it was given, as far as a line holds it. */
import type { Assertion } from '../assertions/assertion.ts';
import { capText } from '../assertions/redact.ts';
import type { Step } from '../suites/step.ts';
import { callText } from './compare-calls.ts';

export function assertionText(
  assertion: Assertion | Extract<Step, { kind: 'assert' }>['assertion'],
): string {
  if ('type' in assertion && assertion.type === 'toolCalledWith') {
    const { toolName, serverName, args } = assertion;
    const whose = serverName === undefined ? '' : `${serverName}: `;
    return `toolCalledWith ${whose}${callText({ toolName, arguments: args.args })}`;
  }
  const { type, kind, ...rest } = assertion as { type?: string; kind?: string };
  const facts = Object.entries(rest).map(([name, value]) => `${name} ${oneLine(value)}`);
  return [type ?? kind ?? 'check', ...facts].join(', ');
}

function oneLine(value: unknown): string {
  return capText(JSON.stringify(value), longestValue);
}

const longestValue = 200;
