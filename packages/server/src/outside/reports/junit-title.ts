// Returns the title of a JUnit test: its class and its name. A test has the same title whether it
// passed or failed, so additions that a producer makes only to failing names are removed. Two tests
// have different titles if the file distinguishes them.
import type { JunitCase } from './junit-case.ts';

type Named = Pick<JunitCase, 'name' | 'className' | 'suitePath' | 'attributes'>;

export function titleOf(test: Named): string {
  if (isOfNode(test)) return titleOfNode(test);
  const { className } = test;
  const name = withoutSubtest(test) ?? withoutNumber(test) ?? test.name;
  return className === '' ? name : `${className}::${name}`;
}

/**
 * Returns whether it is a failing subtest, which unittest-xml-reporting lists instead of its test.
 */
export function isSubtest(test: Named): boolean {
  return withoutSubtest(test) !== undefined;
}

// Removes the subtest's message and parameters, which follow the first space: method names have
// none. This producer is recognized by the file, the line and the time of each case.
function withoutSubtest({ name, attributes }: Named): string | undefined {
  const { file, line, timestamp } = attributes;
  if (!file?.endsWith('.py') || line === undefined || timestamp === undefined) return undefined;
  const at = name.indexOf(' ');
  const method = name.slice(0, Math.max(at, 0));
  return method !== '' && !/[\s([]/.test(method) && isSubtestPart(name.slice(at + 1))
    ? method
    : undefined;
}

/** Returns whether text is `[message]`, `(parameters)`, or both with a space between. */
function isSubtestPart(text: string): boolean {
  if (text.length < 2) return false;
  if (text.startsWith('(')) return text.endsWith(')');
  if (!text.startsWith('[')) return false;
  return text.endsWith(']') || (text.endsWith(')') && text.includes('] ('));
}

// node --test writes the same class for all tests, and their groups only as suites.
function isOfNode({ className, suitePath }: Named): boolean {
  return className === 'test' && suitePath !== undefined;
}

function titleOfNode({ name, suitePath, className, attributes }: Named): string {
  return `${attributes.file || className}::${suitePath ? `${suitePath} > ${name}` : name}`;
}

// After a failed `setup_file`, bats numbers the tests of the following files.
function withoutNumber({ name, className }: Named): string | undefined {
  return className.endsWith('.bats') ? /^begin \d+ (.+)$/s.exec(name)?.[1] : undefined;
}
