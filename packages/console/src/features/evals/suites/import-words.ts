import { cleanText, count, type SuiteFile } from '@proofmark/domain';

export interface ReplacedSuite {
  readonly name: string;
  readonly cases: number;
}

export function importWords(file: SuiteFile, found: ReplacedSuite | null): string {
  const cases = count(file.cases.length, 'case');
  const id = cleanText(file.suite.id, false);
  if (found === null) {
    return `${cases}, id ${id}. It is new: no suite of this name has its id. One that was renamed since it came from this file would be replaced.`;
  }
  const name = cleanText(found.name, false);
  return `${cases}, id ${id}. It is there already, as ${name} with ${count(found.cases, 'case')}: importing replaces it, and deletes cases that the file does not have.`;
}

/** Returns the file as a separate suite. `mark` is added to its id to make it unique. */
export function copyOfFile(file: SuiteFile, mark: string): SuiteFile {
  const { id, name } = file.suite;
  const suite = {
    ...file.suite,
    id: `${id.slice(0, 100)}-${mark}`.slice(0, 128),
    name: `${name.slice(0, 190)} (copy)`,
  };
  return { ...file, suite };
}
