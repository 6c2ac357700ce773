// What a test of JUnit XML is called: its class and itself. The same test has the same title whether it
// passed or failed, so what a producer adds to the name of a failing one only is taken off. Two tests have
// two titles as far as the file tells them apart.
import type { JunitCase } from './junit-case.ts';

type Named = Pick<JunitCase, 'name' | 'className' | 'suitePath' | 'attributes'>;

export function titleOf(test: Named): string {
  if (isOfNode(test)) return titleOfNode(test);
  const { className } = test;
  const name = withoutSubtest(test) ?? withoutNumber(test) ?? test.name;
  return className === '' ? name : `${className}::${name}`;
}

/** unittest-xml-reporting lists a failing subtest in place of its test. */
export function isSubtest(test: Named): boolean {
  return withoutSubtest(test) !== undefined;
}

// Method names have no space; what follows one is the message and the parameters of the subtest. The file,
// the line and the time on each case are how this producer is known.
function withoutSubtest({ name, attributes }: Named): string | undefined {
  const { file, line, timestamp } = attributes;
  if (!file?.endsWith('.py') || line === undefined || timestamp === undefined) return undefined;
  const at = name.indexOf(' ');
  const method = name.slice(0, Math.max(at, 0));
  return method !== '' && !/[\s([]/.test(method) && isSubtestPart(name.slice(at + 1))
    ? method
    : undefined;
}

/** `[message]`, `(parameters)`, or both with a space between. */
function isSubtestPart(text: string): boolean {
  if (text.length < 2) return false;
  if (text.startsWith('(')) return text.endsWith(')');
  if (!text.startsWith('[')) return false;
  return text.endsWith(']') || (text.endsWith(')') && text.includes('] ('));
}

// node --test writes one class for all tests, and what they are inside of as suites alone.
function isOfNode({ className, suitePath }: Named): boolean {
  return className === 'test' && suitePath !== undefined;
}

function titleOfNode({ name, suitePath, className, attributes }: Named): string {
  return `${attributes.file || className}::${suitePath ? `${suitePath} > ${name}` : name}`;
}

// Once a `setup_file` failed, bats numbers the tests of the files behind it.
function withoutNumber({ name, className }: Named): string | undefined {
  return className.endsWith('.bats') ? /^begin \d+ (.+)$/s.exec(name)?.[1] : undefined;
}
