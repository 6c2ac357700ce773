/** Writes an assertion as one line: its kind and its arguments, shortened to fit. */
import {
  type Assertion,
  capText,
  isRecord,
  type RubricCriterion,
  type Step,
} from '@proofmark/domain';
import { callText } from './compare-calls.ts';

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

/** Writes the criteria of a judge as text, and other lists and objects as JSON. */
function factText(name: string, value: unknown): string {
  if (name !== 'criteria' || !Array.isArray(value)) return oneLine(value);
  return value.map((one) => (isRecord(one) ? criterionText(one) : oneLine(one))).join(', ');
}

function criterionText(criterion: object): string {
  const { name, description, threshold } = criterion as RubricCriterion;
  return `${name}${threshold === undefined ? '' : ` at ${threshold}`} (${capText(description.replaceAll(/\s+/g, ' '), longestDescription)})`;
}

function oneLine(value: unknown): string {
  return capText(JSON.stringify(value), longestValue);
}

const longestValue = 200;
const longestDescription = 100;
