// Returns the title of a JUnit test: its class and its name. A test must have the same title
// whether it passed or failed, so text that producers add only to the names of failing tests is
// removed. Tests that the file distinguishes have different titles.
import type { JunitCase } from './junit-case.ts';

type Named = Pick<JunitCase, 'name' | 'className' | 'suitePath' | 'attributes'>;

export function titleOf(test: Named): string {
  if (isOfNode(test)) return titleOfNode(test);
  const { className } = test;
  const name = withoutSubtest(test) ?? withoutNumber(test) ?? test.name;
  return className === '' ? name : `${className}::${name}`;
}

/**
 * Returns whether the test case is a failing subtest. unittest-xml-reporting writes these instead
 * of the whole test.
 */
export function isSubtest(test: Named): boolean {
  return withoutSubtest(test) !== undefined;
}

// Removes the message and parameters of a subtest: everything from the first space, because method
// names have none. A case with file, line and timestamp comes from unittest-xml-reporting.
function withoutSubtest({ name, attributes }: Named): string | undefined {
  const { file, line, timestamp } = attributes;
  if (!file?.endsWith('.py') || line === undefined || timestamp === undefined) return undefined;
  const at = name.indexOf(' ');
  const method = name.slice(0, Math.max(at, 0));
  return method !== '' && !/[\s([]/.test(method) && isSubtestPart(name.slice(at + 1))
    ? method
    : undefined;
}

function isSubtestPart(text: string): boolean {
  if (text.length < 2) return false;
  if (text.startsWith('(')) return text.endsWith(')');
  if (!text.startsWith('[')) return false;
  return text.endsWith(']') || (text.endsWith(')') && text.includes('] ('));
}

// Returns whether node --test wrote the test case. It gives the same class to all tests, and writes
// their groups only as suites.
function isOfNode({ className, suitePath }: Named): boolean {
  return className === 'test' && suitePath !== undefined;
}

function titleOfNode({ name, suitePath, className, attributes }: Named): string {
  return `${attributes.file || className}::${suitePath ? `${suitePath} > ${name}` : name}`;
}

// After a failed `setup_file`, bats puts `begin` and a number before the names of the tests. Both
// are removed.
function withoutNumber({ name, className }: Named): string | undefined {
  return className.endsWith('.bats') ? /^begin \d+ (.+)$/s.exec(name)?.[1] : undefined;
}
