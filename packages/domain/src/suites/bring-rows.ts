/** A suite file with the rows of the files it names, which whoever read them sends along. */
import { checkValue, type ValueProblem } from '../kernel/check-value.ts';
import { CaseData, type DataRow } from './case-data.ts';
import type { SuiteFile, SuiteFileCase } from './suite-file.ts';

export function bringRows(
  file: SuiteFile,
  dataFiles: Readonly<Record<string, readonly DataRow[]>>,
): { readonly file: SuiteFile } | { readonly problem: ValueProblem } {
  const cases: SuiteFileCase[] = [];
  for (const [index, one] of file.cases.entries()) {
    const name = one.data?.file;
    if (one.data === undefined || name === undefined) {
      cases.push(one);
      continue;
    }
    const path = ['cases', index, 'data'];
    if (!Object.hasOwn(dataFiles, name)) {
      const message = `The rows of ${JSON.stringify(name)} were not sent along: import the suite file with the proofmark command, which reads the file, or write the rows in the suite file.`;
      return { problem: { path: [...path, 'file'], message } };
    }
    const { file: _name, ...data } = one.data;
    const checked = checkValue(CaseData, { ...data, rows: dataFiles[name] });
    if ('problems' in checked) {
      const [problem] = checked.problems;
      return { problem: { ...problem, path: [...path, ...problem.path] } };
    }
    cases.push({ ...one, data: checked.value });
  }
  return { file: { ...file, cases } as SuiteFile };
}
