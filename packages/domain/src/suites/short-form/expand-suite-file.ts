/**
 * Converts the cases of a suite file from the short form to steps. The conversion happens before
 * the file is completed and checked, so that all later code reads only one form.
 */
import type { ValueProblem } from '../../kernel/check-value.ts';
import { isRecord, type Json } from '../../kernel/json.ts';
import { caseKeys } from '../suite-file.ts';
import { type ExpandedCase, expandCase } from './expand-case.ts';
import type { ReadArguments } from './read-call.ts';

export interface ExpandedSuiteFile {
  readonly file: unknown;
  readonly problems: readonly ValueProblem[];
  /**
   * Moves a problem of the expanded file to its path in the written file. Returns undefined if a
   * problem of the short form already covers it.
   */
  readonly asWritten: (problem: ValueProblem) => ValueProblem | undefined;
}

export function expandSuiteFile(file: unknown, readArguments: ReadArguments): ExpandedSuiteFile {
  const cases = isRecord(file) ? file['cases'] : undefined;
  if (!isRecord(file) || !Array.isArray(cases)) {
    return { file, problems: [], asWritten: (problem) => problem };
  }
  const context = { readArguments, isContract: file['mode'] === 'serverContract', caseKeys };
  const expanded = cases.map((one: unknown) =>
    isRecord(one) ? expandCase(one, context) : undefined,
  );
  return {
    file: { ...file, cases: cases.map((one, index) => expanded[index]?.case ?? (one as Json)) },
    problems: expanded.flatMap((one, index) =>
      (one?.problems ?? []).map((problem) => ({
        ...problem,
        path: ['cases', index, ...problem.path],
      })),
    ),
    asWritten: (problem) => {
      const [first, index, key] = problem.path;
      const one = first === 'cases' && key === 'steps' ? expanded[Number(index)] : undefined;
      return one === undefined ? problem : placeOf(problem, one);
    },
  };
}

function placeOf({ path, message }: ValueProblem, { places, problems }: ExpandedCase) {
  // A case with problems in its short form may lack steps, so later problems with its steps are not
  // reported.
  if (problems.length > 0) return undefined;
  const [cases, index, _steps, step, ...inside] = path as [string, number, ...(string | number)[]];
  const place = step === undefined ? [] : (places[Number(step)] ?? []);
  const isServer = inside.length === 1 && inside[0] === 'serverName';
  return { path: [cases, index, ...place], message: isServer ? nameServer : message };
}

const nameServer =
  'The suite has no server or more than one, so every call must name its server: { server: …, tool: …, arguments: … }.';
