/** A problem in a data file; its message begins with the line number, if known. */
export class DataFileProblem extends Error {
  constructor(message: string, line?: number) {
    super(line === undefined ? message : `Line ${line}: ${message}`);
    this.name = 'DataFileProblem';
  }
}
