/** Inserts the rows of data files into a suite file, so that the rows are sent with the file. */
import { checkValue, type ValueProblem } from '../kernel/check-value.ts';
import { CaseData, type DataRow, maxSuiteRowsLength } from './case-data.ts';
import type { SuiteFile, SuiteFileCase } from './suite-file.ts';

export function attachDataRows(
  file: SuiteFile,
  dataFiles: Readonly<Record<string, readonly DataRow[]>>,
): { readonly file: SuiteFile } | { readonly problem: ValueProblem } {
  const cases: SuiteFileCase[] = [];
  const lengths = new Map<string, number>();
  let length = 0;
  for (const [index, one] of file.cases.entries()) {
    const name = one.data?.file;
    if (one.data === undefined || name === undefined) {
      cases.push(one);
      continue;
    }
    const path = ['cases', index, 'data'];
    if (!Object.hasOwn(dataFiles, name)) {
      const message = `The rows of ${JSON.stringify(name)} are missing: import the suite file with the proofmark command, which reads the data file, or write the rows in the suite file.`;
      return { problem: { path: [...path, 'file'], message } };
    }
    // Many cases may name the same file, and each gets a copy of its rows. So the total length is
    // checked before copying.
    const ofFile = lengths.get(name) ?? JSON.stringify(dataFiles[name]).length;
    lengths.set(name, ofFile);
    length += ofFile;
    if (length > maxSuiteRowsLength) return { problem: { path, message: tooMuchData } };
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

const tooMuchData = `The rows of all cases of a suite may have at most ${maxSuiteRowsLength.toLocaleString('en-US')} characters as JSON; this case takes the suite over the limit.`;
