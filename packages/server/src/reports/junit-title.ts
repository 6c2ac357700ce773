// What a test of JUnit XML is called: its class and itself. The same test has the same title whether it
// passed or failed, so what a producer adds to the name of a failing one only is taken off.
import type { JunitCase } from './junit-case.ts';

type Named = Pick<JunitCase, 'name' | 'className' | 'attributes'>;

export function titleOf(test: Named): string {
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
  return /^([^\s([]+) (?:\[.*\]|(?:\[.*\] )?\(.*\))$/s.exec(name)?.[1];
}

// Once a `setup_file` failed, bats numbers the tests of the files behind it.
function withoutNumber({ name, className }: Named): string | undefined {
  return className.endsWith('.bats') ? /^begin \d+ (.+)$/s.exec(name)?.[1] : undefined;
}
