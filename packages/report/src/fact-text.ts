import { capText, isRecord, type RubricCriterion } from '@proofmark/domain';

/** Writes the criteria of a judge as text, and other lists and objects as JSON. */
export function factText(name: string, value: unknown): string {
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
